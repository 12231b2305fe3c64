//! Files that the user has stored in this browser or downloaded, by the hash of their contents. No other file is stored.

use wasm_bindgen::prelude::*;
use web_sys::{Cache, CacheStorage, Response};

use super::browser::window;
use crate::data::{Hash, LoadedFile};

/// Name of the cache with the user's files; the page's own files are in another one.
const STORE: &str = "meanfield own files";

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

/// Returns a stored file.
pub async fn file(hash: Hash) -> Option<LoadedFile> {
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
    if let Some(store) = store().await {
        // A file that does not exist counts as deleted.
        let _ = store.delete_with_str(&place(hash)).await;
    }
}
