//! Data and tools that a machine may lack. Tests without them are skipped with a message; on a CI machine, where nobody
//! would read that, it fails.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread;

/// Returns the path in an environment variable.
///
/// # Panics
/// On a CI machine, if it holds none.
pub fn path_in(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        let ci = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!ci, "{variable} is not set: on CI nothing is skipped (see scripts/test)");
        let test = thread::current().name().unwrap_or("a test").to_owned();
        // Written to the process's own stderr: the test harness hides the output of passing tests.
        let _ = writeln!(io::stderr(), "{test}: skipped, {variable} is not set (see scripts/test)");
    }
    path
}

/// Returns the path of a data set that is not in the repository: a file in the folder `MEANFIELD_DATA`.
///
/// # Panics
/// If the folder is named and has no such file; on a CI machine, if none is named.
pub fn data_set(file: &str) -> Option<PathBuf> {
    let path = path_in("MEANFIELD_DATA")?.join(file);
    assert!(path.is_file(), "MEANFIELD_DATA has no {file}: {}", path.display());
    Some(path)
}
