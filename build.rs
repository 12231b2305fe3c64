//! Gives page and worker one build id, so that a page never talks to a worker from another build, and so that the
//! hash in the name of the page's program changes with every file that has none in its own (see `assets/sw.js`).

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Whatever the built page is made of, but its style sheet, whose name has a hash.
const SOURCES: [&str; 8] = [
    "src",
    "assets",
    "index.html",
    "Trunk.toml",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
    ".cargo/config.toml",
];

fn main() {
    let mut hasher = DefaultHasher::new();
    for source in SOURCES {
        hash(Path::new(source), &mut hasher);
        println!("cargo:rerun-if-changed={source}");
    }
    println!("cargo:rustc-env=MEANFIELD_BUILD={:016x}", hasher.finish());
}

/// Every file below `path`, in a fixed order; what cannot be read counts as absent.
fn hash(path: &Path, hasher: &mut DefaultHasher) {
    if let Ok(entries) = std::fs::read_dir(path) {
        let mut below: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        below.sort();
        for path in below {
            hash(&path, hasher);
        }
    } else if let Ok(content) = std::fs::read(path) {
        (path.to_string_lossy(), content).hash(hasher);
    }
}
