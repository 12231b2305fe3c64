//! Gives page and worker one build id, so that a page never talks to a worker from another build.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

fn main() {
    let mut hasher = DefaultHasher::new();
    hash(Path::new("src"), &mut hasher);
    hash(Path::new("assets/notes"), &mut hasher);
    hash(Path::new("Cargo.lock"), &mut hasher);
    println!("cargo:rerun-if-changed=src");
    println!("cargo:rerun-if-changed=assets/notes");
    println!("cargo:rerun-if-changed=Cargo.lock");
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
