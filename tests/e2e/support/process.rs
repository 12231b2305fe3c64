//! Processes of a browser under test, and their temporary files.

use std::fs;
use std::io::{self, BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::Engine;

/// A running process, killed when dropped.
struct Program(Child);

impl Program {
    #[track_caller]
    fn start(command: &mut Command) -> Self {
        let program = command.get_program().to_string_lossy().into_owned();
        let child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn();
        Self(child.unwrap_or_else(|error| {
            panic!("{program}: {error}; scripts/setup --browser installs what the tests need")
        }))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A running driver of a browser, and the screen if the browser needs one.
pub struct Driver {
    // Dropped in this order.
    _program: Program,
    _screen: Option<Program>,
    pub port: u16,
}

impl Driver {
    /// Starts it, and returns when it accepts connections.
    ///
    /// # Panics
    /// If it does not start.
    #[track_caller]
    pub fn start(engine: Engine, temporary: &Path) -> Self {
        let port = free_port().expect("a free port");
        let mut command = Command::new(engine.driver());
        command.args(engine.driver_arguments(port)).stdout(Stdio::null());
        if cfg!(target_os = "linux") {
            // It leaves files behind. (In other folders the path may be too long for the browser's socket.)
            command.env("TMPDIR", temporary);
        }
        let screen = (engine == Engine::WebKit).then(|| {
            let (screen, display) = screen();
            // Runs as root and without accelerated compositing, which needs a graphics card.
            command.env("DISPLAY", display).env("WEBKIT_DISABLE_COMPOSITING_MODE", "1");
            for folder in ["XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
                command.env(folder, temporary.join(folder));
            }
            screen
        });
        let started = Self { _program: Program::start(&mut command), _screen: screen, port };
        let begin = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(begin.elapsed() < Duration::from_secs(20), "{engine:?}: its driver does not answer");
            thread::sleep(Duration::from_millis(20));
        }
        started
    }
}

/// Returns a free port: not every driver reports the one that it has chosen.
fn free_port() -> io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}

/// Returns a virtual screen, and its name.
#[track_caller]
fn screen() -> (Program, String) {
    let mut command = Command::new("Xvfb");
    command.args(["-displayfd", "1", "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]);
    let mut screen = Program::start(command.stdout(Stdio::piped()));
    let mut name = String::new();
    let said = BufReader::new(screen.0.stdout.take().expect("its output is piped")).read_line(&mut name);
    assert!(said.is_ok_and(|length| length > 0), "Xvfb does not say which display it is");
    (screen, format!(":{}", name.trim()))
}

/// A folder in the system's temporary folder, removed when dropped.
pub struct TempDir(pub PathBuf);

impl TempDir {
    pub fn new() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("meanfield-{}-{number}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
