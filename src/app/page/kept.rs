//! Files by the hash of their contents, stored in this browser: those that the user keeps or has downloaded, until they are
//! forgotten, and the others until the tab is closed, so that a reload finds them.

use wasm_bindgen::prelude::*;
use web_sys::{Cache, CacheStorage, Response};

use super::browser::{self, window};
use crate::data::{Hash, LoadedFile};

/// Name of the cache with the user's files; the page's own files are in another one.
const STORE: &str = "meanfield own files";

/// Maximum size of a file that is stored until the tab is closed, in bytes: browsers store five million characters.
const MAX_VISIT_BYTES: usize = 5_000_000;

/// Returns the caches of the browser; `None` in private windows and on hosts without https.
fn stores() -> Option<CacheStorage> {
    window()?.caches().ok().filter(|stores| !stores.is_undefined())
}

/// Returns the store if it exists; does not create it.
async fn store() -> Option<Cache> {
    let stores = stores()?;
    stores.has(STORE).await.ok()?.is_truthy().then_some(())?;
    open(&stores).await
}

/// Opens the store, and creates it if necessary.
async fn open(stores: &CacheStorage) -> Option<Cache> {
    stores.open(STORE).await.ok()?.dyn_into().ok()
}

fn place(hash: Hash) -> String {
    format!("./own/{hash}")
}

/// Stores a file; returns false if there is no room for it.
pub async fn keep(hash: Hash, bytes: &js_sys::Uint8Array) -> bool {
    let Some(stores) = stores() else { return false };
    let (Some(store), Ok(file)) = (open(&stores).await, Response::new_with_opt_js_u8_array(Some(bytes)))
    else {
        return false;
    };
    store.put_with_str(&place(hash), &file).await.is_ok()
}

/// Stores a file until the tab is closed, unless it is larger than [`MAX_VISIT_BYTES`].
pub fn keep_for_visit(hash: Hash, bytes: &[u8]) {
    let Some(visit) = browser::session_storage().filter(|_| bytes.len() <= MAX_VISIT_BYTES) else { return };
    let text: String = bytes.iter().copied().map(char::from).collect();
    if visit.set_item(&place(hash), &text).is_err() {
        // Earlier files fill the storage, which contains nothing else.
        let _ = visit.clear();
        let _ = visit.set_item(&place(hash), &text);
    }
}

/// Returns a file that was stored until the tab is closed.
fn file_of_visit(hash: Hash) -> Option<LoadedFile> {
    let text = browser::session_storage()?.get_item(&place(hash)).ok()??;
    let bytes: Option<Vec<u8>> = text.chars().map(|c| u8::try_from(u32::from(c)).ok()).collect();
    Some(bytes?.into())
}

/// Returns a stored file.
pub async fn file(hash: Hash) -> Option<LoadedFile> {
    if let Some(file) = file_of_visit(hash) {
        return Some(file);
    }
    let found = store().await?.match_with_str(&place(hash)).await.ok()?;
    let file: Response = found.dyn_into().ok()?;
    let buffer = file.array_buffer().ok()?.await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec().into())
}

/// Returns true if all these files are stored.
pub async fn has(files: &[Hash]) -> bool {
    let Some(store) = store().await else { return false };
    for hash in files {
        if !store.match_with_str(&place(*hash)).await.is_ok_and(|found| !found.is_undefined()) {
            return false;
        }
    }
    true
}

/// Deletes a file.
pub async fn forget(hash: Hash) {
    if let Some(visit) = browser::session_storage() {
        let _ = visit.remove_item(&place(hash));
    }
    if let Some(store) = store().await {
        // A file that does not exist counts as deleted.
        let _ = store.delete_with_str(&place(hash)).await;
    }
}
