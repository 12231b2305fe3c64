//! Files of the command line: a path, or a known set in `$MEANFIELD_DATA`, by default `./data`.

use std::path::{Path, PathBuf};

use super::error::ColumnError;
use super::hash::Hash;
use super::known::{KnownFile, KnownSet};
use super::reference::DataRef;
use super::store::{Store, contents};

/// Examples that are shipped with the program.
const SHIPPED: [(&str, &[u8]); 2] = [
    ("example", include_bytes!("../../assets/data/example.csv")),
    ("yield", include_bytes!("../../assets/data/yield.csv")),
];

/// Loads a data set into the store: a path, a path with the required hash, or a known set. Returns the reference for permalinks;
/// `None` if `text` is empty. A file that is not a table without choices is accepted if `has_choices`: it is read with them later.
///
/// # Errors
/// Returns an error of the field `data` if a file cannot be read or has another hash.
pub fn load(store: &mut Store, text: &str, has_choices: bool) -> Result<Option<DataRef>, ColumnError> {
    // An existing path takes precedence: it may contain an @ or be the name of a known set.
    let path = Path::new(text.trim());
    let whole = path.is_file().then(|| DataRef { name: text.trim().to_owned(), hash: None });
    let here = whole.is_some();
    let Some(named) = whole.or_else(|| DataRef::parse(text.trim())) else { return Ok(None) };
    let refuse = |accepted: String, nearest: Option<String>| {
        Err(ColumnError { field: "data", given: named.to_string(), accepted, nearest })
    };
    if let Some(set) = named.known().filter(|_| !here) {
        for file in set.files {
            if let Err(why) = load_known(store, set, file) {
                return refuse(why, None);
            }
        }
        return Ok(Some(named));
    }
    let file = match std::fs::read(&named.name) {
        Ok(file) => file,
        Err(e) => return refuse(format!("the file cannot be read: {e}"), None),
    };
    // The hash may be that of the contents, as on the page, or of the compressed file.
    let bytes = match contents(&file) {
        Ok(bytes) => bytes,
        Err(problem) => return refuse(problem.to_string(), None),
    };
    let found = Hash::of(&bytes);
    if let Some(wanted) = named.hash.filter(|wanted| *wanted != found && *wanted != Hash::of(&file)) {
        let accepted = format!("a file with hash {wanted} is needed; this one has {found}");
        return refuse(accepted, Some(format!("{}@{found}", named.name)));
    }
    if let Err(problem) = store.load(&bytes)
        && !(has_choices && store.has(found))
    {
        return refuse(problem.to_string(), None);
    }
    Ok(Some(self::named(&named.name, &bytes)))
}

/// Returns the uncompressed contents of the files that [`load`] reads for `text`, except those that cannot be read.
pub fn files(text: &str) -> Vec<Vec<u8>> {
    let path = Path::new(text.trim());
    let set = DataRef::parse(text.trim()).filter(|_| !path.is_file()).and_then(|named| named.known());
    let paths: Vec<PathBuf> = match set {
        Some(set) if set.is_shipped() => {
            return SHIPPED
                .iter()
                .filter(|(name, _)| *name == set.name)
                .map(|(_, bytes)| bytes.to_vec())
                .collect();
        }
        Some(set) => set.files.iter().filter_map(path_of).collect(),
        None if path.is_file() => vec![path.to_owned()],
        None => DataRef::parse(text.trim()).map(|named| PathBuf::from(named.name)).into_iter().collect(),
    };
    let read = |path: PathBuf| Some(contents(&std::fs::read(path).ok()?).ok()?.into_owned());
    paths.into_iter().filter_map(read).collect()
}

/// Returns the folder of known data sets.
fn folder() -> PathBuf {
    std::env::var_os("MEANFIELD_DATA").map_or_else(|| PathBuf::from("data"), PathBuf::from)
}

/// Returns the path of a file of a known set.
fn path_of(file: &KnownFile) -> Option<PathBuf> {
    file.paths.iter().map(|path| folder().join(path)).find(|path| path.is_file())
}

/// Returns the reference for permalinks to the file at this path with these contents.
pub fn named(path: &str, bytes: &[u8]) -> DataRef {
    let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
    DataRef::file(name, bytes)
}

/// Loads a file of a known set.
///
/// # Errors
/// If the file is missing or has another hash, with advice.
fn load_known(store: &mut Store, set: &KnownSet, file: &KnownFile) -> Result<(), String> {
    let folder = folder();
    let bytes = match path_of(file) {
        Some(path) => std::fs::read(&path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?,
        None if set.is_shipped() => {
            let shipped = SHIPPED.iter().find(|(name, _)| *name == set.name);
            shipped.map_or_else(Vec::new, |(_, bytes)| bytes.to_vec())
        }
        None => {
            return Err(format!(
                "{} is not in {} (set MEANFIELD_DATA to the folder that has it); it is available at {}",
                file.paths[0],
                folder.display(),
                file.address
            ));
        }
    };
    let facts = store.load(&bytes).map_err(|problem| format!("{}: {problem}", file.paths[0]))?;
    if facts.hash == file.hash {
        return Ok(());
    }
    Err(format!(
        "{} in {} is another file, with hash {}; expected: {} ({} bytes, hash {})",
        file.paths[0],
        folder.display(),
        facts.hash,
        file.contents,
        file.bytes,
        file.hash
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_need_no_folder() {
        let mut store = Store::default();
        let named = load(&mut store, "example", false).unwrap().unwrap();
        assert_eq!((named.to_string().as_str(), store.table(&named).unwrap().rows()), ("example", 200));
        let named = load(&mut store, "yield", false).unwrap().unwrap();
        assert_eq!(store.table(&named).unwrap().rows(), 180);
        assert_eq!(load(&mut store, " ", false).unwrap(), None);
    }

    #[test]
    fn a_file_with_another_hash_is_refused() {
        let mut store = Store::default();
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/own.csv");
        let named = load(&mut store, path, false).unwrap().unwrap();
        assert!(named.to_string().starts_with("own.csv@") && store.table(&named).is_some());
        let hash = named.hash.unwrap();
        assert_eq!(load(&mut store, &format!("{path}@{hash}"), false), Ok(Some(named)));
        let error = load(&mut store, &format!("{path}@0123456789abcdef"), false).unwrap_err();
        assert_eq!(error.nearest, Some(format!("{path}@{hash}")));
        assert!(load(&mut store, "no_such_file.csv", false).is_err());
    }
}
