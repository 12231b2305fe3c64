//! A static host for the built page.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use crate::common::needs::path_in;
use percent_encoding::percent_decode_str;

/// Returns the folder of the built page, from `MEANFIELD_DIST`.
pub fn dist() -> Option<PathBuf> {
    let dist = path_in("MEANFIELD_DIST")?;
    assert!(dist.join("index.html").is_file(), "MEANFIELD_DIST has no index.html: {}", dist.display());
    Some(dist)
}

/// A copy of the built page that a test may change, optionally without one of its files; removed when dropped.
pub struct Maimed(pub PathBuf);

impl Maimed {
    /// Makes a complete copy; `None` without a built page.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn whole(name: &str) -> Option<Self> {
        let whole = dist()?;
        let folder = std::env::temp_dir().join(format!("meanfield-{name}-{}", std::process::id()));
        copy(&whole, &folder);
        Some(Self(folder))
    }

    /// Makes a copy without the file `missing`, a path in the page's folder; `None` without a built page.
    ///
    /// # Panics
    /// If there is no such file, or the copy cannot be written.
    pub fn new(missing: &str) -> Option<Self> {
        let maimed = Self::whole(&format!("without-{}", missing.replace('/', "-")))?;
        fs::remove_file(maimed.0.join(missing)).expect("a file to leave out");
        Some(maimed)
    }

    /// Adds or replaces a file; `path` is in the page's folder.
    ///
    /// # Panics
    /// If it cannot be written.
    pub fn put(&self, path: &str, contents: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room for a folder");
        fs::write(path, contents).expect("room for a file");
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a temporary folder");
    for file in fs::read_dir(from).expect("the built page").map(|entry| entry.expect("a file").path()) {
        let copied = to.join(file.file_name().expect("a name"));
        if file.is_dir() {
            copy(&file, &copied);
        } else {
            fs::copy(&file, copied).expect("room for a copy");
        }
    }
}

impl Drop for Maimed {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A static host on 127.0.0.1 that serves files only: no rewrites, no listings, no compression.
/// It stops when dropped.
pub struct Server {
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    silent: Arc<AtomicBool>,
    site: Arc<Site>,
}

/// Served files and received requests.
struct Site {
    root: PathBuf,
    folder: String,
    /// Script of the test, which runs first in every document.
    script: String,
    /// Errors reported by that script.
    errors: Mutex<Vec<String>>,
    requests: Mutex<Vec<String>>,
    /// Blocked files, as parts of their addresses.
    blocked: Mutex<Vec<String>>,
}

/// Addresses of the script of a test and of its reports.
const SCRIPT: &str = "test-script.js";
const ERRORS: &str = "test-error?";

impl Server {
    /// Serves the files of `root` at `folder` (`"/"`, `"/lab/"`), on a free port.
    ///
    /// # Errors
    /// If no port is available.
    pub fn start(root: &Path, folder: &str) -> io::Result<Self> {
        Self::with_script(root, folder, String::new())
    }

    /// As [`Self::start`], with a script that runs before those of the page in every document, unless it is empty.
    ///
    /// # Errors
    /// If no port is available.
    pub fn with_script(root: &Path, folder: &str, script: String) -> io::Result<Self> {
        assert!(folder.starts_with('/') && folder.ends_with('/'), "a slash at both ends: {folder}");
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let site = Arc::new(Site {
            root: root.canonicalize()?,
            folder: folder.to_owned(),
            script,
            errors: Mutex::default(),
            requests: Mutex::default(),
            blocked: Mutex::default(),
        });
        let server = Self {
            address: listener.local_addr()?,
            stop: Arc::default(),
            silent: Arc::default(),
            site: Arc::clone(&site),
        };
        let (stop, silent) = (Arc::clone(&server.stop), Arc::clone(&server.silent));
        thread::spawn(move || {
            let mut left = Vec::new();
            for stream in listener.incoming() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                if silent.load(Ordering::Relaxed) {
                    left.push(stream);
                    continue;
                }
                let site = Arc::clone(&site);
                thread::spawn(move || site.answer(stream));
            }
        });
        Ok(server)
    }

    /// Address of the page, ending with a slash.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.site.folder)
    }

    /// Returns the requested targets so far, with query, in order.
    pub fn requests(&self) -> Vec<String> {
        locked(&self.site.requests).clone()
    }

    /// Returns the errors reported by the test's script since the last call.
    pub fn take_errors(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.site.errors))
    }

    /// From now on leaves requests for addresses with one of these parts unanswered.
    pub fn block(&self, pieces: &[&str]) {
        locked(&self.site.blocked).extend(pieces.iter().map(|piece| (*piece).to_owned()));
    }

    /// From now on accepts requests and never answers them, as a stalled network does.
    pub fn fall_silent(&self) {
        self.silent.store(true, Ordering::Relaxed);
    }

    /// From now on closes connections, as without a network.
    pub fn stop(&self) {
        if !self.stop.swap(true, Ordering::Relaxed) {
            let _ = TcpStream::connect(self.address); // wakes the listener, which then leaves
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().expect("no thread panics with it")
}

impl Site {
    fn answer(&self, mut stream: TcpStream) {
        let _ = stream.set_read_timeout(Some(Duration::from_secs(10)));
        let Some((method, target)) = read_request(&stream) else { return };
        let inside = target.strip_prefix(self.folder.as_str());
        let (status, kind, body) = if let Some(error) = inside.and_then(|path| path.strip_prefix(ERRORS)) {
            locked(&self.errors).push(percent_decode_str(error).decode_utf8_lossy().into_owned());
            ("204 No Content".to_owned(), "text/plain", Vec::new())
        } else if inside == Some(SCRIPT) {
            ("200 OK".to_owned(), "text/javascript", self.script.clone().into_bytes())
        } else {
            locked(&self.requests).push(target.clone());
            if locked(&self.blocked).iter().any(|piece| target.contains(piece)) {
                return;
            }
            self.file(&target)
        };
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-cache\r\n\
             X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let _ = stream.write_all(head.as_bytes());
        if method != "HEAD" {
            let _ = stream.write_all(&body);
        }
    }

    /// Returns status, media type and bytes of a file.
    fn file(&self, target: &str) -> (String, &'static str, Vec<u8>) {
        let path = target.split(['?', '#']).next().unwrap_or_default();
        if format!("{path}/") == self.folder {
            return (format!("301 Moved Permanently\r\nLocation: {}", self.folder), "text/plain", Vec::new());
        }
        let inside = path.strip_prefix(self.folder.as_str());
        match inside.and_then(|file| read_file(&self.root, file)) {
            Some((kind, body)) if inside == Some("") && !self.script.is_empty() => {
                let page = String::from_utf8(body).expect("index.html is text");
                let begun =
                    page.replacen("<script", &format!("<script src=\"{SCRIPT}\"></script><script"), 1);
                ("200 OK".to_owned(), kind, begun.into_bytes())
            }
            Some((kind, body)) => ("200 OK".to_owned(), kind, body),
            None => ("404 Not Found".to_owned(), "text/plain", b"not found\n".to_vec()),
        }
    }
}

fn read_request(stream: &TcpStream) -> Option<(String, String)> {
    let mut lines = BufReader::new(stream.take(64 * 1024)).lines().map_while(Result::ok);
    let request = lines.next()?;
    lines.by_ref().take_while(|line| !line.is_empty()).for_each(drop);
    let mut words = request.split(' ');
    Some((words.next()?.to_owned(), words.next()?.to_owned()))
}

fn read_file(root: &Path, file: &str) -> Option<(&'static str, Vec<u8>)> {
    let mut file = percent_decode_str(file).decode_utf8().ok()?.into_owned();
    if file.is_empty() || file.ends_with('/') {
        file += "index.html";
    }
    let path = root.join(file).canonicalize().ok().filter(|path| path.starts_with(root) && path.is_file())?;
    let kind = media_type(path.extension().and_then(|extension| extension.to_str()).unwrap_or_default());
    Some((kind, fs::read(path).ok()?))
}

fn media_type(extension: &str) -> &'static str {
    match extension {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript",
        "css" => "text/css",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "csv" => "text/csv",
        "gz" => "application/gzip",
        "txt" | "md" | "bib" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
