//! Generates the files that follow from the list of models ([`MODELS`]): markup of the page, tables of the README
//! files, the citation file, the ledger of the papers, the pictures shown before the program has loaded, and those of presets.
//!
//! `cargo xtask register` writes these files; `tests/native/registration.rs` compares them with the sources.

mod citation;
mod home;
mod markup;
mod merged;
mod pictures;
mod readmes;
mod region;
mod thumbnails;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use meanfield::lab::{Meta, Model, Raw, Task};
use meanfield::ledger;
use meanfield::models::{MODELS, catalog, task};

pub use home::table_page;
use region::Region;

/// Returns every generated file: its path from the root of the sources, and its text. The pictures are drawn by commands that
/// `headless` makes.
///
/// # Errors
/// If a file with a generated region cannot be read, a model lacks what a region needs, or a picture cannot be drawn.
pub fn generate(headless: &dyn Fn() -> Command) -> Result<BTreeMap<String, String>, String> {
    let mut files = BTreeMap::new();
    for region in regions()? {
        let old = match files.remove(&region.file) {
            Some(text) => text,
            None => read(&region.file)?,
        };
        let new = region.put_into(&old)?;
        files.insert(region.file, new);
    }
    files.extend(ledger::files(MODELS)?.map(|(path, text)| (path.to_owned(), text)));
    files.extend(pictures::files(headless)?);
    files.extend(thumbnails::files(headless)?);
    Ok(files)
}

/// Returns the generated parts of files that are otherwise written by hand.
fn regions() -> Result<Vec<Region>, String> {
    let mut regions = markup::regions();
    regions.extend(readmes::all());
    regions.push(citation::region()?);
    Ok(regions)
}

/// Returns the pages of a model, the one it opens with first.
fn pages(model: &Model) -> Vec<&'static Meta> {
    catalog().pages(model.id).map(Task::meta).collect()
}

/// Returns the pages of all models.
fn all_pages() -> impl Iterator<Item = &'static Meta> {
    MODELS.iter().copied().flat_map(pages)
}

/// Returns true if nothing can be run on a page before the user chooses a file.
fn waits(page: &Meta) -> bool {
    task(page.id).unwrap().check(&Raw::new()).unwrap().lacks_data()
}

fn read(path: impl AsRef<Path>) -> Result<String, String> {
    let path = path.as_ref();
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}
