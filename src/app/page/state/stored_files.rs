//! Files that this browser keeps for the next visit, and files of known data sets beside the page.

use leptos::prelude::*;

use super::AppState;
use crate::app::form;
use crate::app::own_data;
use crate::app::page::{browser, kept};
use crate::data::known::{KnownFile, KnownSet};
use crate::data::{Hash, LoadedFile};

impl AppState {
    /// Returns the user's own files that the form names in the field of that key, if all of them are here.
    pub fn own_files(self, key: &str) -> Option<Vec<Hash>> {
        let named = self.named_data(key).filter(|named| !named.is_shipped())?;
        let files: Vec<Hash> = named.hashes().collect();
        (!files.is_empty() && files.iter().all(|file| self.has_file(*file))).then_some(files)
    }

    /// Stores files in this browser for the next visit, or removes them; `done` gets true if they are stored.
    pub fn keep_files(self, files: Vec<Hash>, wanted: bool, done: impl Fn(bool) + 'static) {
        browser::spawn(async move {
            for hash in files {
                if !wanted {
                    kept::forget(hash).await;
                    continue;
                }
                let bytes = self.read_pool(|pool| Some(js_sys::Uint8Array::from(pool.bytes(hash)?)));
                let Some(bytes) = bytes.flatten() else { return };
                if !kept::keep(hash, &bytes).await {
                    self.notices.set(vec!["This browser has no room for the file.".to_owned()]);
                    return done(false);
                }
            }
            done(wanted);
        });
    }

    /// Loads files that the form names and that are not here: from this browser's store, and those of a known data set from the
    /// folder beside the page.
    pub(super) fn fetch_files(self) {
        let Some(task) = self.task() else { return };
        for hash in own_data::keys(task.fields()).filter_map(|key| self.named_data(key)?.hash) {
            if !self.has_file(hash) {
                browser::spawn(async move {
                    if let Some(file) = kept::file(hash).await {
                        self.change_pool(|pool, now| pool.load_known(hash, file, now));
                    }
                });
            }
        }
        let Some(key) = self.main_data_key() else { return };
        let Some(set) = self.named_data(key).and_then(|named| named.known()) else { return };
        for file in set.files.iter().filter(|file| !self.has_file(file.hash)) {
            browser::spawn(async move {
                let found = match kept::file(file.hash).await {
                    Some(found) => Some(found),
                    None => fetch_beside_page(file).await,
                };
                if let Some(found) = found {
                    self.change_pool(|pool, now| pool.load_known(file.hash, found, now));
                    // The input may still show the name of a file chosen before.
                    if let Some(input) = browser::input(&form::id(key)) {
                        input.set_value("");
                    }
                }
            });
        }
    }

    /// Returns the known data set that the form names in the field of that key, with those of its files that are not here.
    pub fn missing_files(self, key: &str) -> Option<(&'static KnownSet, Vec<&'static KnownFile>)> {
        let set = self.named_data(key)?.known().filter(|set| !set.is_shipped())?;
        Some((set, set.files.iter().filter(|file| !self.has_file(file.hash)).collect()))
    }
}

/// Fetches a file of a known set from the folder that the page's host has put beside the page.
pub async fn fetch_beside_page(file: &KnownFile) -> Option<LoadedFile> {
    for path in file.paths {
        let found = browser::fetch_bytes(&format!("./data/{path}?v={}", browser::build())).await;
        if found.is_some() {
            return found;
        }
    }
    None
}
