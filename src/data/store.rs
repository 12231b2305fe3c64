//! Store of data sets and artefacts by the hash of their bytes. Each file is read once.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use super::artefact::{self, Artefact};
use super::decoding::without_marks;
use super::error::DataError;
use super::facts::{Facts, FileContent};
use super::forms;
use super::hash::Hash;
use super::images::{self, IdxFile, Images};
use super::reading::ReadingChoices;
use super::reference::DataRef;
use super::table::Table;

/// Magic number of a gzip file.
pub const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The files of a worker or of the command line.
#[derive(Clone, Debug, Default)]
pub struct Store {
    /// Contents by their hash.
    files: BTreeMap<Hash, Entry>,
    /// Hash of the contents by the hash of the file, for compressed files and other forms of known files.
    contents: BTreeMap<Hash, Hash>,
}

#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant, reason = "a store has few files, mostly tables")]
enum Entry {
    Known(Loaded, Facts),
    /// A file that is not a table when it is read without choices; with choices it may be one.
    Refused(DataError, Arc<[u8]>),
}

#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "a store has few data sets, mostly tables; smaller in WebAssembly"
)]
enum Loaded {
    /// A table as it is read without choices, and its file.
    Table(Table, Arc<[u8]>),
    /// Shared with the running work, because images are large.
    Images(Arc<Images>),
    Labels(Arc<Vec<u8>>),
    Artefact(Artefact),
    /// Text, which is parsed by the task that needs it.
    Json(Arc<[u8]>),
}

impl Store {
    /// Reads a file unless it is already in the store: a table, images, labels, an artefact or JSON, compressed or not. A file that is
    /// none of these is kept for [`Self::table_as`].
    ///
    /// # Errors
    /// If the file is none of these.
    pub fn load(&mut self, file: &[u8]) -> Result<&Facts, DataError> {
        let hash = Hash::of(file);
        if !self.has(hash) {
            let (content, entry) = read(file, hash)?;
            if content != hash {
                self.contents.insert(hash, content);
            }
            self.files.entry(content).or_insert(entry);
        }
        match self.entry(hash) {
            Some(Entry::Known(_, facts)) => Ok(facts),
            Some(Entry::Refused(problem, _)) => Err(problem.clone()),
            None => unreachable!("it has just been read"),
        }
    }

    /// Returns true if the store has a file with this hash.
    pub fn has(&self, hash: Hash) -> bool {
        self.entry(hash).is_some()
    }

    fn entry(&self, hash: Hash) -> Option<&Entry> {
        self.files.get(self.contents.get(&hash).unwrap_or(&hash))
    }

    fn file(&self, hash: Hash) -> Option<(&Loaded, &Facts)> {
        match self.entry(hash)? {
            Entry::Known(loaded, facts) => Some((loaded, facts)),
            Entry::Refused(..) => None,
        }
    }

    /// Returns the description of the data set with this hash.
    pub fn facts(&self, hash: Hash) -> Option<&Facts> {
        self.file(hash).map(|(_, facts)| facts)
    }

    /// Returns a table.
    pub fn table(&self, named: &DataRef) -> Option<&Table> {
        match self.file(named.content()?)? {
            (Loaded::Table(table, _), _) => Some(table),
            _ => None,
        }
    }

    /// Reads a table again with choices; without any, returns the table as it is. `None` if there is no such table.
    ///
    /// # Errors
    /// If the file is not a table when it is read in this way.
    pub fn table_as(
        &self,
        named: &DataRef,
        choices: &ReadingChoices,
    ) -> Option<Result<Cow<'_, Table>, DataError>> {
        let bytes = match self.entry(named.content()?)? {
            Entry::Known(Loaded::Table(table, _), _) if choices.is_default() => {
                return Some(Ok(Cow::Borrowed(table)));
            }
            Entry::Refused(problem, _) if choices.is_default() => return Some(Err(problem.clone())),
            Entry::Known(Loaded::Table(_, bytes), _) | Entry::Refused(_, bytes) => bytes,
            Entry::Known(..) => return None,
        };
        Some(Table::read_as(bytes, choices).map(Cow::Owned))
    }

    /// Returns the description of a table that is read with choices, see [`Self::table_as`].
    ///
    /// # Errors
    /// If the file is not a table when it is read in this way.
    pub fn facts_as(&self, hash: Hash, choices: &ReadingChoices) -> Option<Result<Facts, DataError>> {
        let hash = *self.contents.get(&hash).unwrap_or(&hash);
        let table = self.table_as(&DataRef { name: String::new(), hash: Some(hash) }, choices)?;
        Some(table.map(|table| Facts { hash, content: FileContent::Table(table.facts()) }))
    }

    /// Returns the images in the file with this hash, without labels.
    pub fn images(&self, hash: Hash) -> Option<&Arc<Images>> {
        match self.file(hash)? {
            (Loaded::Images(images), _) => Some(images),
            _ => None,
        }
    }

    /// Returns the labels in the file with this hash.
    pub fn labels(&self, hash: Hash) -> Option<&Arc<Vec<u8>>> {
        match self.file(hash)? {
            (Loaded::Labels(labels), _) => Some(labels),
            _ => None,
        }
    }

    /// Parses a JSON file.
    ///
    /// # Errors
    /// If the file is not JSON or does not describe a `T`.
    pub fn json<T: DeserializeOwned>(&self, named: &DataRef) -> Result<T, String> {
        match named.content().and_then(|hash| self.file(hash)) {
            Some((Loaded::Json(text), _)) => serde_json::from_slice(text).map_err(|why| why.to_string()),
            _ => Err("this is not a JSON file".into()),
        }
    }

    /// Returns the contents of an artefact of this kind and format.
    pub fn artefact(&self, named: &DataRef, kind: &str, format: u32) -> Option<&[u8]> {
        match self.file(named.content()?)? {
            (Loaded::Artefact(made), _) if made.kind == kind && made.format == format => Some(&made.bytes),
            _ => None,
        }
    }
}

/// Largest magnitude of a number in a network file; larger ones may overflow in sums of products.
const MAX_MAGNITUDE: f64 = 1e6;

/// Rejects numbers with a magnitude above 10⁶ in a network file; `name` is their name in the file.
///
/// # Errors
/// If a number is too large, with the accepted range.
pub fn check_magnitude<'a>(name: &str, numbers: impl IntoIterator<Item = &'a f64>) -> Result<(), String> {
    match numbers.into_iter().find(|number| number.abs() > MAX_MAGNITUDE) {
        Some(number) => Err(format!(
            "{name} has the number {number:e}; numbers from −{MAX_MAGNITUDE} to {MAX_MAGNITUDE} are accepted"
        )),
        None => Ok(()),
    }
}

/// Reads a file with this hash; returns the hash of its contents as well.
fn read(file: &[u8], hash: Hash) -> Result<(Hash, Entry), DataError> {
    let known = |(loaded, facts): (Loaded, Facts)| (facts.hash, Entry::Known(loaded, facts));
    if file.starts_with(&GZIP) {
        return inflate(file);
    }
    if file.starts_with(&images::MAGIC) {
        return idx(file, file.len()).map(known);
    }
    if file.starts_with(artefact::MAGIC) {
        let made = Artefact::read(file)?;
        let content = FileContent::Artefact { kind: made.kind.clone(), format: made.format };
        return Ok(known((Loaded::Artefact(made), Facts { hash, content })));
    }
    images::check_kind(file)?;
    let text = without_marks(file);
    if text.trim_ascii_start().starts_with(b"{") {
        return Ok(known((Loaded::Json(text.into()), Facts { hash, content: FileContent::Json })));
    }
    let canonical = forms::canonical(file);
    let (bytes, hash) = canonical.as_ref().map_or((file, hash), |known| (known.as_slice(), Hash::of(known)));
    Ok(match Table::read(bytes) {
        Ok(table) => {
            let content = FileContent::Table(table.facts());
            known((Loaded::Table(table, bytes.into()), Facts { hash, content }))
        }
        Err(problem) => (hash, Entry::Refused(problem, bytes.into())),
    })
}

/// Maximum expansion factor of the gzip format.
const MAX_EXPANSION: usize = 1032;

/// Reads a compressed file.
fn inflate(file: &[u8]) -> Result<(Hash, Entry), DataError> {
    use std::io::Read as _;

    let mut start = [0; 3];
    flate2::read::GzDecoder::new(file).read_exact(&mut start).map_err(|e| images::damaged(&e))?;
    if start == images::MAGIC {
        let (loaded, facts) =
            idx(flate2::read::GzDecoder::new(file), file.len().saturating_mul(MAX_EXPANSION))?;
        return Ok((facts.hash, Entry::Known(loaded, facts)));
    }
    let contents = contents(file)?;
    if contents.starts_with(&GZIP) {
        return Err(DataError::new("this file is compressed twice"));
    }
    read(&contents, Hash::of(&contents))
}

/// Returns the contents of a compressed file; other files are returned unchanged.
///
/// # Errors
/// If the file is damaged or too large.
pub fn contents(file: &[u8]) -> Result<std::borrow::Cow<'_, [u8]>, DataError> {
    use std::io::Read as _;

    /// Maximum size of the contents in bytes.
    const MAX_SIZE: u64 = 1 << 30;

    if !file.starts_with(&GZIP) {
        return Ok(file.into());
    }
    let mut contents = Vec::new();
    let size = flate2::read::GzDecoder::new(file).take(MAX_SIZE + 1).read_to_end(&mut contents);
    if size.map_err(|e| images::damaged(&e))? as u64 > MAX_SIZE {
        return Err(DataError::new("the contents of this compressed file exceed 1 GiB"));
    }
    Ok(contents.into())
}

/// Reads an IDX file of at most `most` bytes.
fn idx(from: impl std::io::Read, most: usize) -> Result<(Loaded, Facts), DataError> {
    let (idx, hash) = IdxFile::read(from, most)?;
    let content = idx.content();
    let loaded = match idx {
        IdxFile::Images(images) => Loaded::Images(Arc::new(images)),
        IdxFile::Labels(labels) => Loaded::Labels(Arc::new(labels)),
    };
    Ok((loaded, Facts { hash, content }))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;
    use crate::{known, needs};

    fn compressed(bytes: &[u8]) -> Vec<u8> {
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
        assert_eq!(store.files.len(), 1);
        // The name does not matter.
        for name in ["a.csv", "b.csv"] {
            assert_eq!(store.table(&DataRef::file(name, text)).unwrap().rows(), 1);
        }
        assert!(store.load(b"").is_err());
        assert!(store.facts(Hash::of(b"")).is_none());
        assert!(store.load(b"").is_err(), "again");
        assert!(
            store.table(&DataRef::parse("a.csv").unwrap()).is_none(),
            "a name without a hash does not identify a file"
        );
    }

    #[test]
    fn a_compressed_table_is_the_table() {
        let (mut store, text) = (Store::default(), b"x,y\n1,0\n2,1\n");
        let file = compressed(text);
        let facts = store.load(&file).unwrap().clone();
        assert_eq!((facts.hash, facts.rows()), (Hash::of(text), 2));
        assert_eq!(store.facts(Hash::of(&file)), Some(&facts));
        assert_eq!(store.facts(Hash::of(text)), Some(&facts));
        assert!(store.load(&file[..file.len() - 9]).unwrap_err().to_string().contains("damaged"));
        assert!(store.load(&compressed(&file)).unwrap_err().to_string().contains("twice"));
    }

    #[test]
    fn a_refused_file_can_be_read_with_choices() {
        let (mut store, text) = (Store::default(), b"a,y\n");
        assert!(store.load(text).is_err(), "a header without rows");
        let (named, choices) = (DataRef::file("a.csv", text), ReadingChoices::default());
        assert!(store.table(&named).is_none() && store.table_as(&named, &choices).unwrap().is_err());
        let choices = ReadingChoices { header: Some(false), ..choices };
        let facts = store.facts_as(Hash::of(text), &choices).unwrap().unwrap();
        assert_eq!((facts.hash, facts.table().unwrap().rows), (Hash::of(text), 1));
        let second = compressed(text);
        assert!(store.load(&second).is_err());
        assert_eq!(store.facts_as(Hash::of(&second), &choices), Some(Ok(facts)), "compressed");
    }

    #[test]
    fn artefacts_are_found_by_kind_and_format() {
        let mut store = Store::default();
        let made = Artefact { kind: "toy.fit".into(), format: 1, bytes: vec![9] };
        store.load(&made.to_bytes()).unwrap();
        let named = made.reference();
        assert_eq!(store.artefact(&named, "toy.fit", 1), Some(&[9][..]));
        assert_eq!(store.artefact(&named, "toy.fit", 2), None);
        assert_eq!(store.artefact(&named, "toy.map", 1), None);
        assert!(store.table(&named).is_none());
    }

    #[test]
    fn json_is_parsed_on_request() {
        let mut store = Store::default();
        let text = "\u{feff} {\"a\": [1, 0.1]}".as_bytes();
        store.load(text).unwrap();
        let named = DataRef::file("a.json", text);
        let read = store.json::<BTreeMap<String, Vec<f64>>>(&named).unwrap();
        assert_eq!(read["a"], [1.0, 0.1]);
        let why = store.json::<BTreeMap<String, f64>>(&named).unwrap_err();
        assert!(why.contains("line 1"), "{why}");
        assert!(store.table(&named).is_none());
        assert!(store.json::<f64>(&DataRef::parse("own.json").unwrap()).is_err());
    }

    #[test]
    fn known_files_have_the_registered_hashes() {
        let Some(folder) = needs::path_in("MEANFIELD_DATA") else { return };
        let mut store = Store::default();
        for file in ["sonar", "housing", "mnist"].iter().flat_map(|name| known::find(name).unwrap().files) {
            let path = file.paths.iter().map(|path| folder.join(path)).find(|path| path.exists());
            let path = path.unwrap_or_else(|| panic!("{} is missing", file.paths[0]));
            let bytes = std::fs::read(path).unwrap();
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
