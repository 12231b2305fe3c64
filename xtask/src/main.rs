//! `cargo xtask register` writes the files that follow from the list of models.

use std::path::Path;
use std::process::{Command, ExitCode};
use std::{env, fs};

fn main() -> ExitCode {
    if env::args().skip(1).ne(["register".to_owned()]) {
        eprintln!("Usage: cargo xtask register");
        return ExitCode::from(2);
    }
    match register() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes every generated file that is stale and prints its path.
fn register() -> Result<(), String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    env::set_current_dir(&root).map_err(|why| format!("{}: {why}", root.display()))?;
    let headless = || {
        let mut command = Command::new(env!("CARGO"));
        command.args(["run", "--quiet", "--bin", "headless", "--"]);
        command
    };
    for (path, text) in xtask::generate(&headless)? {
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            continue;
        }
        if let Some(folder) = Path::new(&path).parent() {
            fs::create_dir_all(folder).map_err(|why| format!("{path}: {why}"))?;
        }
        fs::write(&path, text).map_err(|why| format!("{path}: {why}"))?;
        println!("wrote {path}");
    }
    Ok(())
}
