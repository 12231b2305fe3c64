//! Who may import whom, and other rules of the house that a compiler does not hold.

use std::fs;
use std::path::{Path, PathBuf};

use meanfield::models::MODELS;

/// What each part may use of the others. Tests inside a part may use more. The manifests of those that are packages say the same.
const MAY_USE: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("figure", &["math"]),
    ("data", &["math"]),
    ("lab", &["math", "data", "figure"]),
    ("methods", &["math", "data"]),
    ("render", &["figure"]),
    ("models", &["math", "data", "lab", "figure", "methods", "models"]),
    ("ledger", &["data", "lab", "models", "render"]),
    ("protocol", &["lab", "data"]),
    ("worker", &["lab", "models", "protocol", "data"]),
    ("report", &["lab", "render", "protocol"]),
    ("app", &["lab", "figure", "render", "report", "protocol", "data"]),
];

fn sources(under: &str) -> Vec<(PathBuf, String)> {
    fn walk(path: &Path, found: &mut Vec<(PathBuf, String)>) {
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap().flatten() {
                walk(&entry.path(), found);
            }
        } else if path.extension().is_some_and(|e| e == "rs") {
            // What follows the test module is free, and so is a file or folder of tests.
            let text = fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default().to_owned();
            if !path.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs") {
                found.push((path.to_owned(), code));
            }
        }
    }
    let mut found = Vec::new();
    walk(Path::new(under), &mut found);
    found
}

/// `src/lab/field.rs` → `lab`.
fn part(path: &Path) -> String {
    let first = path.components().nth(1).unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

/// Parts named after `crate::` in a line.
fn used(line: &str) -> impl Iterator<Item = &str> {
    line.split("crate::")
        .skip(1)
        .map(|rest| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(""))
}

fn is_code(line: &str) -> bool {
    !line.trim_start().starts_with("//")
}

#[test]
fn every_part_uses_only_what_it_may() {
    let mut seen = 0;
    for (path, code) in sources("src") {
        let part = part(&path);
        let Some((_, may)) = MAY_USE.iter().find(|(name, _)| *name == part) else { continue };
        for line in code.lines().filter(|line| is_code(line)) {
            for used in
                used(line).filter(|used| *used != part && MAY_USE.iter().any(|(name, _)| name == used))
            {
                assert!(may.contains(&used), "{} uses {used}: {line}", path.display());
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "the rule found next to nothing to hold ({seen} uses)");
}

#[test]
fn no_model_uses_another() {
    for (path, code) in sources("src/models") {
        let own = path.components().nth(2).unwrap().as_os_str().to_string_lossy().into_owned();
        // What all models share.
        if path.parent().is_some_and(|folder| folder.ends_with("models")) {
            continue;
        }
        for line in code.lines().filter(|l| is_code(l) && l.contains("crate::models::")) {
            assert!(line.contains(&format!("crate::models::{own}")), "{}: {line}", path.display());
        }
    }
}

#[test]
fn no_method_uses_another() {
    let names = || MODELS.iter().map(|model| model.id);
    for (path, code) in sources("src/methods") {
        let own = path.components().nth(2).unwrap().as_os_str().to_string_lossy().into_owned();
        for used in code.lines().filter(|line| is_code(line)).flat_map(used) {
            assert!(used == own || names().all(|name| name != used), "{} uses {used}", path.display());
        }
    }
}

#[test]
fn each_library_has_its_one_place() {
    let places: &[(&str, &[&str])] = &[
        ("plotters", &["render"]),
        ("leptos", &["app", "bin"]),
        ("web_sys", &["app", "worker", "render"]),
        ("js_sys", &["app", "worker"]),
        ("wasm_bindgen", &["app", "worker", "render"]),
        ("std::time", &["bin"]),
        ("println!", &["bin"]),
        ("postcard", &["lab"]),
        ("serde_json", &["data", "lab", "ledger", "models", "bin"]),
        ("csv::", &["data"]),
        ("xxhash_rust", &["data"]),
        ("lexical_parse_float", &["math"]),
    ];
    for (path, code) in sources("src") {
        let part = part(&path);
        for (library, allowed) in places {
            for line in code.lines().filter(|line| is_code(line) && line.contains(library)) {
                assert!(allowed.contains(&part.as_str()), "{}: {line}", path.display());
            }
        }
    }
}

#[test]
fn erasure_happens_in_one_file() {
    for (path, code) in sources("src") {
        if !path.ends_with("lab/erased.rs") {
            assert!(!code.contains("dyn Any"), "{} erases a type", path.display());
        }
    }
}

#[test]
fn the_style_sheet_has_the_colours_that_figures_are_drawn_in() {
    let css: String = fs::read_to_string("style/main.css").unwrap().split_whitespace().collect();
    for theme in [meanfield::render::Theme::Light, meanfield::render::Theme::Dark] {
        assert!(css.contains(&theme.css()), "style/main.css lacks {}", theme.css());
    }
}
