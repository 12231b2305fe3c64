//! Rules of the sources that the compiler does not check: which part uses which, where a library is used, how long a function may
//! be.

mod source;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use meanfield::models::MODELS;

use source::{Source, Sources};

/// Parts of the sources that each part uses. The manifests of those that are packages say the same.
const MAY_USE: &[(&str, &[&str])] = &[
    ("math", &[]),
    ("figure", &["math"]),
    ("data", &["math"]),
    ("lab", &["math", "data", "figure"]),
    ("methods", &["math", "data"]),
    ("render", &["figure"]),
    ("models", &["math", "data", "lab", "figure", "methods"]),
    ("ledger", &["data", "lab", "render"]),
    ("run_page", &["lab", "render", "protocol"]),
    ("protocol", &["lab", "data"]),
    ("worker", &["lab", "protocol", "data"]),
    ("app", &["lab", "figure", "render", "run_page", "protocol", "data"]),
];

/// Parts that use a library, by its name.
const LIBRARIES: &[(&str, &[&str])] = &[
    ("plotters", &["render"]),
    ("leptos", &["app", "bin"]),
    ("web_sys", &["app", "worker", "render"]),
    ("js_sys", &["app", "worker", "render"]),
    ("wasm_bindgen", &["app", "worker", "render"]),
    ("postcard", &["lab"]),
    ("serde_json", &["data", "lab", "ledger", "models", "bin"]),
    ("csv", &["data"]),
    ("xxhash_rust", &["data"]),
    ("lexical_parse_float", &["math"]),
];

/// Longest function and longest file without its tests, in lines.
const FUNCTION: usize = 60;
const FILE: usize = 400;

/// Files of one folder that use each other in a circle: folder, files, and the reason.
const CIRCLES: &[(&str, &str, &str)] =
    &[("lab", "field, input_error", "the check of a field returns an error, which names the field")];

#[test]
fn every_part_uses_only_what_it_may() {
    let is_part = |name: &str| MAY_USE.iter().any(|(part, _)| *part == name);
    let (mut wrong, mut right) = (BTreeSet::new(), BTreeSet::new());
    for file in &Sources::get().files {
        let Some((part, may)) = MAY_USE.iter().find(|(part, _)| *part == file.part()) else { continue };
        for used in file.uses.iter().filter(|used| is_part(&used[0]) && used[0] != *part) {
            if may.contains(&used[0].as_str()) {
                right.insert((part, used[0].clone()));
            } else {
                wrong.insert(format!("{} uses {}", file.path.display(), used.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (part, may) in MAY_USE {
        for used in *may {
            assert!(
                right.contains(&(part, (*used).to_owned())),
                "{part} does not use {used}: mend the table"
            );
        }
    }
}

#[test]
fn no_model_uses_another() {
    let is_model = |name: &str| MODELS.iter().any(|model| model.id == name);
    for file in &Sources::get().files {
        let ["models" | "methods", name, ..] = file.module.iter().map(String::as_str).collect::<Vec<_>>()[..]
        else {
            continue;
        };
        for used in &file.uses {
            let other = matches!(used[0].as_str(), "models" | "methods")
                && used.get(1).is_some_and(|other| is_model(other) && is_model(name) && other != name);
            assert!(!other, "{} uses {}", file.path.display(), used.join("::"));
        }
    }
}

#[test]
fn each_library_is_used_in_its_part() {
    let mut seen = BTreeSet::new();
    for file in &Sources::get().files {
        for used in &file.uses {
            if let Some((library, parts)) = LIBRARIES.iter().find(|(library, _)| *library == used[0]) {
                assert!(parts.contains(&file.part()), "{} uses {}", file.path.display(), used.join("::"));
                seen.insert(library);
            }
            let clock = used[0] == "std" && used.get(1).is_some_and(|module| module == "time");
            assert!(!clock || file.part() == "bin", "{} uses {}", file.path.display(), used.join("::"));
        }
        let prints = file
            .macros
            .iter()
            .any(|name| ["print", "println", "eprint", "eprintln"].contains(&name.as_str()));
        assert!(!prints || ["bin", "program"].contains(&file.part()), "{} prints", file.path.display());
    }
    assert_eq!(seen.len(), LIBRARIES.len(), "only {seen:?} are used");
}

#[test]
fn types_are_erased_in_one_file() {
    let erasing: Vec<_> =
        Sources::get().files.iter().filter(|file| file.erases).map(|file| &file.path).collect();
    // The trait of erased results, and their only implementation.
    assert_eq!(erasing, ["src/lab/erased.rs", "src/lab/task.rs"].map(std::path::Path::new));
}

#[test]
fn files_of_a_folder_do_not_use_each_other_in_circles() {
    let sources = Sources::get();
    // By folder: who uses whom, by name of file or subfolder.
    let mut arrows: BTreeMap<Vec<String>, BTreeMap<String, BTreeSet<String>>> = BTreeMap::new();
    for file in &sources.files {
        for used in file.uses.iter().filter_map(|path| sources.defining(path)) {
            let shared = file.module.iter().zip(&used.module).take_while(|(a, b)| a == b).count();
            // A folder's own file and the files below it are one subject.
            if let (Some(from), Some(to)) = (file.module.get(shared), used.module.get(shared)) {
                let folder = arrows.entry(file.module[..shared].to_vec()).or_default();
                folder.entry(from.clone()).or_default().insert(to.clone());
            }
        }
    }
    let found: BTreeSet<(String, String)> = arrows
        .iter()
        .flat_map(|(folder, arrows)| {
            circles(arrows).into_iter().map(|circle| (folder.join("/"), circle.join(", ")))
        })
        .collect();
    let allowed: BTreeSet<(String, String)> =
        CIRCLES.iter().map(|(folder, files, _)| ((*folder).to_owned(), (*files).to_owned())).collect();
    let new: Vec<_> = found.difference(&allowed).collect();
    assert!(new.is_empty(), "new circles: {new:#?}");
    let gone: Vec<_> = allowed.difference(&found).collect();
    assert!(gone.is_empty(), "these are no circles any more, delete them from the list: {gone:#?}");
}

/// Groups of names of which each reaches every other.
fn circles(arrows: &BTreeMap<String, BTreeSet<String>>) -> BTreeSet<Vec<String>> {
    let reached = |from: &String| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(name) = open.pop() {
            for next in arrows.get(name).into_iter().flatten() {
                if reached.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> =
        arrows.keys().map(|name| (name, reached(name))).collect();
    let circle = |name: &&String| -> Vec<String> {
        reached[name]
            .iter()
            .filter(|other| reached.get(other).is_some_and(|back| back.contains(*name)))
            .cloned()
            .collect()
    };
    reached.keys().map(circle).filter(|circle| circle.len() > 1).collect()
}

fn list(of: impl Iterator<Item = String>) -> Vec<String> {
    let mut list: Vec<String> = of.collect();
    list.sort();
    list
}

#[test]
fn functions_and_files_are_short() {
    let sources = Sources::get();
    let long = |file: &Source| {
        let path = file.path.display().to_string();
        let long = file.functions.iter().filter(|(_, lines)| *lines > FUNCTION);
        long.map(move |(name, lines)| format!("{path}: {name}, {lines} lines")).collect::<Vec<_>>()
    };
    let functions = list(sources.files.iter().flat_map(long));
    assert!(functions.is_empty(), "functions of more than {FUNCTION} lines: {functions:#?}");
    let files = sources.files.iter().filter(|file| file.lines > FILE);
    let files = list(files.map(|file| format!("{}: {} lines", file.path.display(), file.lines)));
    assert!(files.is_empty(), "files of more than {FILE} lines: {files:#?}");
}

/// Doc comments begin with a verb in the third person (functions) or a noun (types, fields).
#[test]
fn doc_comments_begin_with_a_verb_or_a_noun() {
    let mut found = Vec::new();
    for file in &Sources::get().files {
        let text = fs::read_to_string(&file.path).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
        let comment = |line: &str| line.starts_with("///") || line.starts_with("//!");
        for (number, line) in lines.iter().enumerate() {
            if !comment(line) || number > 0 && comment(lines[number - 1]) {
                continue;
            }
            let first = line[3..].split_whitespace().next().unwrap_or_default();
            let mut after = lines[number..].iter().skip_while(|line| comment(line)).peekable();
            let is_test = after.peek().is_some_and(|line| line.starts_with("#[test]"));
            let item = after.find(|line| !line.starts_with("#[")).copied().unwrap_or_default();
            let is_function = !is_test && item.split(['(', '<']).next().unwrap().contains("fn ");
            let is_verb = first.trim_end_matches(['.', ',', ':']).ends_with('s');
            if ["What", "Whether", "How", "Why"].contains(&first) || is_function && !is_verb {
                found.push(format!("{}:{}: {line}", file.path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}
