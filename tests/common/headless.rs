//! Runs the command line.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

/// Returns the last line that `headless` prints for a permalink, and its exit status.
pub fn headless(link: &str) -> (Value, i32) {
    headless_with(&[link])
}

/// Runs `headless` with these arguments, and returns its last line and exit status.
pub fn headless_with(arguments: &[&str]) -> (Value, i32) {
    let ran = Command::new(env!("CARGO_BIN_EXE_headless")).args(arguments).output().unwrap();
    let last = String::from_utf8(ran.stdout).unwrap().lines().last().unwrap_or_default().to_owned();
    (serde_json::from_str(&last).unwrap(), ran.status.code().unwrap())
}

/// Writes a file for it. Tests run in parallel: each needs its own name.
pub fn write(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}
