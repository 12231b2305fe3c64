//! What a test needs and a machine may lack. Where it is missing the test says so and is skipped; on a CI machine, where nobody
//! would read that, it fails.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread;

/// The path that an environment variable holds.
///
/// # Panics
/// On a CI machine, if it holds none.
pub fn path_in(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!ci, "{variable} is not set: on CI nothing is skipped (see scripts/test)");
        let test = thread::current().name().unwrap_or("a test").to_owned();
        // Written past the test harness, which would swallow the message of a passing test.
        let _ = writeln!(io::stderr(), "{test}: skipped, {variable} is not set (see scripts/test)");
    }
    path
}

/// A data set that is not kept here: a file of the folder that `MEANFIELD_DATA` names.
///
/// # Panics
/// If the folder is named and has no such file; on a CI machine, if none is named.
pub fn data_set(file: &str) -> Option<PathBuf> {
    let path = path_in("MEANFIELD_DATA")?.join(file);
    assert!(path.is_file(), "MEANFIELD_DATA has no {file}: {}", path.display());
    Some(path)
}
