//! Files that a person has asked this browser to keep for the next visit, or to download, by the hash of their contents. No other
//! file is kept.

use wasm_bindgen::prelude::*;
use web_sys::{Cache, CacheStorage, Response};

use super::browser::window;
use crate::data::{Given, Hash};

/// Name of the browser's store. That of the page's own files has another one.
const STORE: &str = "meanfield own files";

/// The browser's stores; `None` in private windows and on hosts without https, which have none.
fn stores() -> Option<CacheStorage> {
    window()?.caches().ok().filter(|stores| !stores.is_undefined())
}

/// The store, if anything has ever been kept in it: looking creates none.
async fn store() -> Option<Cache> {
    let stores = stores()?;
    stores.has(STORE).await.ok()?.is_truthy().then_some(())?;
    open(&stores).await
}

/// The store, made where there is none yet.
async fn open(stores: &CacheStorage) -> Option<Cache> {
    stores.open(STORE).await.ok()?.dyn_into().ok()
}

fn place(hash: Hash) -> String {
    format!("./own/{hash}")
}

/// Keeps a file and says whether the browser had room for it.
pub async fn keep(hash: Hash, bytes: &js_sys::Uint8Array) -> bool {
    let Some(stores) = stores() else { return false };
    let (Some(store), Ok(file)) = (open(&stores).await, Response::new_with_opt_js_u8_array(Some(bytes)))
    else {
        return false;
    };
    store.put_with_str(&place(hash), &file).await.is_ok()
}

/// A file that is kept.
pub async fn file(hash: Hash) -> Option<Given> {
    let found = store().await?.match_with_str(&place(hash)).await.ok()?;
    let file: Response = found.dyn_into().ok()?;
    let buffer = file.array_buffer().ok()?.await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec().into())
}

/// Whether all these files are kept.
pub async fn has(files: &[Hash]) -> bool {
    let Some(store) = store().await else { return false };
    for hash in files {
        if !store.match_with_str(&place(*hash)).await.is_ok_and(|found| !found.is_undefined()) {
            return false;
        }
    }
    true
}

/// Keeps a file no longer.
pub async fn forget(hash: Hash) {
    if let Some(store) = store().await {
        // What is not there is forgotten.
        let _ = store.delete_with_str(&place(hash)).await;
    }
}
