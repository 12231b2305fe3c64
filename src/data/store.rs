//! Data sets and artefacts by the hash of their bytes, each read once.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::artefact::{self, Artefact};
use super::images::{self, IdxFile, Images};
use super::{DataProblem, DataRef, Facts, FileContent, GZIP, Hash, Table, forms};

/// What a worker, or the command line, has been given.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// By the hash of their contents.
    sets: BTreeMap<Hash, (Set, Facts)>,
    /// From the hash of a file to that of its contents, where it is another: that of a compressed file, or of another form of
    /// a known one.
    contents: BTreeMap<Hash, Hash>,
}

#[derive(Clone, Debug)]
enum Set {
    Table(Table),
    /// Shared with the work that is done on them: they are large.
    Images(Arc<Images>),
    Labels(Arc<Vec<u8>>),
    Artefact(Artefact),
    /// As it is written: what it should hold is known to the task that asks for it.
    Json(Arc<[u8]>),
}

impl Store {
    /// Reads a file, unless it is here already: a table, images, their labels, an artefact or JSON, compressed or not.
    ///
    /// # Errors
    /// What makes it none of these.
    pub fn load(&mut self, file: &[u8]) -> Result<&Facts, DataProblem> {
        let hash = Hash::of(file);
        if !self.has(hash) {
            let (set, facts) = read(file, hash)?;
            if facts.hash != hash {
                self.contents.insert(hash, facts.hash);
            }
            self.sets.entry(facts.hash).or_insert((set, facts));
        }
        self.facts(hash).ok_or_else(|| unreachable!("it has just been read"))
    }

    /// Whether there is something of that hash.
    pub fn has(&self, hash: Hash) -> bool {
        self.set(hash).is_some()
    }

    fn set(&self, hash: Hash) -> Option<&(Set, Facts)> {
        self.sets.get(self.contents.get(&hash).unwrap_or(&hash))
    }

    /// What is known of the data set of that hash.
    pub fn facts(&self, hash: Hash) -> Option<&Facts> {
        self.set(hash).map(|(_, facts)| facts)
    }

    /// The table that is named.
    pub fn table(&self, named: &DataRef) -> Option<&Table> {
        match self.set(named.content()?)? {
            (Set::Table(table), _) => Some(table),
            _ => None,
        }
    }

    /// The images in the file of that hash, without labels.
    pub fn images(&self, hash: Hash) -> Option<&Arc<Images>> {
        match self.set(hash)? {
            (Set::Images(images), _) => Some(images),
            _ => None,
        }
    }

    /// The labels in the file of that hash.
    pub fn labels(&self, hash: Hash) -> Option<&Arc<Vec<u8>>> {
        match self.set(hash)? {
            (Set::Labels(labels), _) => Some(labels),
            _ => None,
        }
    }

    /// What the JSON file that is named holds, as that type.
    ///
    /// # Errors
    /// Why it is none.
    pub fn json<T: DeserializeOwned>(&self, named: &DataRef) -> Result<T, String> {
        match named.content().and_then(|hash| self.set(hash)) {
            Some((Set::Json(text), _)) => serde_json::from_slice(text).map_err(|why| why.to_string()),
            _ => Err("this is not a JSON file".into()),
        }
    }

    /// The artefact that is named, if it is of that kind and format.
    pub fn artefact(&self, named: &DataRef, kind: &str, format: u32) -> Option<&[u8]> {
        match self.set(named.content()?)? {
            (Set::Artefact(made), _) if made.kind == kind && made.format == format => Some(&made.bytes),
            _ => None,
        }
    }
}

/// The largest number that a network of a file may have: beyond it sums of products are not finite.
const LARGEST: f64 = 1e6;

/// Says no to numbers of a network that are too large to compute with; `name` is what the file calls them.
///
/// # Errors
/// Which number it is, and what is accepted.
pub fn check_magnitude<'a>(name: &str, numbers: impl IntoIterator<Item = &'a f64>) -> Result<(), String> {
    match numbers.into_iter().find(|number| number.abs() > LARGEST) {
        Some(number) => Err(format!(
            "{name} has the number {number:e}; numbers from −{LARGEST} to {LARGEST} are accepted"
        )),
        None => Ok(()),
    }
}

/// What a file holds, with the hash of its contents.
fn read(file: &[u8], hash: Hash) -> Result<(Set, Facts), DataProblem> {
    if file.starts_with(&GZIP) {
        return inflate(file);
    }
    if file.starts_with(&images::MAGIC) {
        return idx(file, file.len());
    }
    if file.starts_with(artefact::MAGIC) {
        let made = Artefact::read(file)?;
        let content = FileContent::Artefact { kind: made.kind.clone(), format: made.format };
        return Ok((Set::Artefact(made), Facts { hash, content }));
    }
    if file.trim_ascii_start().starts_with(b"{") {
        return Ok((Set::Json(file.into()), Facts { hash, content: FileContent::Json }));
    }
    let (table, hash) = match forms::canonical(file) {
        Some(known) => (Table::read(&known)?, Hash::of(&known)),
        None => (Table::read(file)?, hash),
    };
    let content = FileContent::Table(table.facts());
    Ok((Set::Table(table), Facts { hash, content }))
}

/// Bytes at most that a byte of a gzip file becomes.
const MOST_INFLATED: usize = 1032;

/// What a compressed file holds.
fn inflate(file: &[u8]) -> Result<(Set, Facts), DataProblem> {
    use std::io::Read as _;

    let mut start = [0; 3];
    flate2::read::GzDecoder::new(file).read_exact(&mut start).map_err(|e| images::broken(&e))?;
    if start == images::MAGIC {
        return idx(flate2::read::GzDecoder::new(file), file.len().saturating_mul(MOST_INFLATED));
    }
    let contents = contents(file)?;
    if contents.starts_with(&GZIP) {
        return Err(DataProblem::new("this file is compressed twice"));
    }
    read(&contents, Hash::of(&contents))
}

/// The contents of a compressed file; another one as it is.
///
/// # Errors
/// If it is damaged or too large.
pub fn contents(file: &[u8]) -> Result<std::borrow::Cow<'_, [u8]>, DataProblem> {
    use std::io::Read as _;

    /// Bytes at most of its contents.
    const MOST: u64 = 1 << 30;

    if !file.starts_with(&GZIP) {
        return Ok(file.into());
    }
    let mut contents = Vec::new();
    let size = flate2::read::GzDecoder::new(file).take(MOST + 1).read_to_end(&mut contents);
    if size.map_err(|e| images::broken(&e))? as u64 > MOST {
        return Err(DataProblem::new("more than a gigabyte is in this compressed file"));
    }
    Ok(contents.into())
}

fn idx(from: impl std::io::Read, most: usize) -> Result<(Set, Facts), DataProblem> {
    let (idx, hash) = IdxFile::read(from, most)?;
    let content = idx.content();
    let set = match idx {
        IdxFile::Images(images) => Set::Images(Arc::new(images)),
        IdxFile::Labels(labels) => Set::Labels(Arc::new(labels)),
    };
    Ok((set, Facts { hash, content }))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::known;

    fn zipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn a_file_is_found_by_its_hash_and_read_once() {
        let mut store = Store::default();
        let text = b"x,y\n1,0\n";
        let hash = store.load(text).unwrap().hash;
        assert_eq!(hash, Hash::of(text));
        store.load(text).unwrap();
        assert_eq!(store.sets.len(), 1);
        // Whatever it is called.
        for name in ["a.csv", "b.csv"] {
            assert_eq!(store.table(&DataRef::file(name, text)).unwrap().rows(), 1);
        }
        assert!(store.load(b"").is_err());
        assert!(store.facts(Hash::of(b"")).is_none());
        assert!(store.table(&DataRef::parse("a.csv").unwrap()).is_none(), "any file of that name is none");
    }

    #[test]
    fn a_compressed_table_is_the_table() {
        let (mut store, text) = (Store::default(), b"x,y\n1,0\n2,1\n");
        let file = zipped(text);
        let facts = store.load(&file).unwrap().clone();
        assert_eq!((facts.hash, facts.rows()), (Hash::of(text), 2));
        assert_eq!(store.facts(Hash::of(&file)), Some(&facts));
        assert_eq!(store.facts(Hash::of(text)), Some(&facts));
        assert!(store.load(&file[..file.len() - 9]).unwrap_err().to_string().contains("damaged"));
        assert!(store.load(&zipped(&file)).unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn an_artefact_is_taken_by_who_knows_its_kind_and_format() {
        let mut store = Store::default();
        let made = Artefact { kind: "toy.fit".into(), format: 1, bytes: vec![9] };
        store.load(&made.to_bytes()).unwrap();
        let named = made.named();
        assert_eq!(store.artefact(&named, "toy.fit", 1), Some(&[9][..]));
        assert_eq!(store.artefact(&named, "toy.fit", 2), None);
        assert_eq!(store.artefact(&named, "toy.map", 1), None);
        assert!(store.table(&named).is_none());
    }

    #[test]
    fn json_is_kept_for_who_knows_what_it_holds() {
        let mut store = Store::default();
        let text = b" {\"a\": [1, 0.1]}";
        store.load(text).unwrap();
        let named = DataRef::file("a.json", text);
        let read = store.json::<BTreeMap<String, Vec<f64>>>(&named).unwrap();
        assert_eq!(read["a"], [1.0, 0.1]);
        let why = store.json::<BTreeMap<String, f64>>(&named).unwrap_err();
        assert!(why.contains("line 1"), "{why}");
        assert!(store.table(&named).is_none());
        assert!(store.json::<f64>(&DataRef::parse("own.json").unwrap()).is_err());
    }

    /// In the folder that `MEANFIELD_DATA` names.
    #[test]
    fn the_known_files_are_what_is_said_of_them() {
        let Some(folder) = std::env::var_os("MEANFIELD_DATA").map(std::path::PathBuf::from) else {
            assert!(std::env::var_os("CI").is_none(), "MEANFIELD_DATA names the folder of data on CI");
            return;
        };
        let mut store = Store::default();
        for file in ["sonar", "housing", "mnist"].iter().flat_map(|name| known::find(name).unwrap().files) {
            let path = file.paths.iter().map(|path| folder.join(path)).find(|path| path.exists());
            let bytes =
                std::fs::read(path.unwrap_or_else(|| panic!("{} is missing", file.paths[0]))).unwrap();
            let facts = store.load(&bytes).unwrap();
            assert_eq!(facts.hash, file.hash, "{}", file.paths[0]);
        }
        assert_eq!(store.table(&DataRef::parse("sonar").unwrap()).unwrap().rows(), 208);
        let mut digits = DataRef::parse("mnist").unwrap().hashes();
        let mut next = || digits.next().unwrap();
        let (images, labels) = (store.images(next()).unwrap(), store.labels(next()).unwrap());
        let train = Images::clone(images).labelled(labels).unwrap();
        assert_eq!((train.count(), train.rows, train.columns), (60_000, 28, 28));
        assert_eq!(train.labels.unwrap()[..5], [5, 0, 4, 1, 9]);
        assert_eq!(store.images(next()).unwrap().count(), 10_000);
    }
}
