//! Resources that a test needs and a machine may lack. If one is missing, the test is skipped with a message; if `CI` is `true`,
//! it fails.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::thread;

/// Returns the path in an environment variable; `None`, with a message, if it is not set.
///
/// # Panics
/// If it is not set and `CI` is `true`.
pub fn path_in(variable: &str) -> Option<PathBuf> {
    let path = std::env::var_os(variable).map(PathBuf::from);
    if path.is_none() {
        let required = std::env::var("CI").is_ok_and(|ci| ci == "true");
        assert!(!required, "{variable} is not set, and with CI=true no test is skipped (see scripts/test)");
        let test = thread::current().name().unwrap_or("a test").to_owned();
        // Written directly to stderr: the test harness discards the output of passing tests.
        let _ = writeln!(io::stderr(), "{test}: skipped, {variable} is not set (see scripts/test)");
    }
    path
}

/// Returns the path of a file in the folder `$MEANFIELD_DATA`; `None`, with a message, if the variable is not set.
///
/// # Panics
/// If the folder has no such file, or if the variable is not set and `CI` is `true`.
pub fn data_set(file: &str) -> Option<PathBuf> {
    let path = path_in("MEANFIELD_DATA")?.join(file);
    assert!(path.is_file(), "MEANFIELD_DATA has no {file}: {}", path.display());
    Some(path)
}
