//! Downloads of known data sets from their public addresses, on request.

use leptos::prelude::*;

use super::AppState;
use crate::app::page::{browser, kept};
use crate::data::known::KnownFile;

/// A download as signals.
#[derive(Clone, Copy)]
pub struct Download {
    /// True while it is in progress; set to false to cancel it.
    pub active: RwSignal<bool>,
    /// Its progress, or the reason why it failed.
    pub message: RwSignal<String>,
}

impl Download {
    /// Creates a download that has not started.
    pub fn new() -> Self {
        Self { active: RwSignal::new(false), message: RwSignal::default() }
    }
}

impl AppState {
    /// Downloads files one after the other, checks their hashes, and stores them in this browser.
    pub fn download(self, files: Vec<&'static KnownFile>, download: Download) {
        let Download { active, message } = download;
        active.set(true);
        browser::spawn(async move {
            let result = self.download_all(&files, download).await;
            active.set(false);
            message.set(result.err().unwrap_or_default());
        });
    }

    async fn download_all(self, files: &[&'static KnownFile], download: Download) -> Result<(), String> {
        for file in files {
            let name = file.name();
            let fails = |why: String| {
                format!("{name} from {}: {why}. Try again, or choose your own copy.", file.host())
            };
            let go_on = |bytes| {
                let active = download.active.get_untracked();
                if active {
                    download.message.set(format!("{name}: {} of {}", size(bytes), size(file.download)));
                }
                active
            };
            go_on(0);
            let Some(given) = browser::download(file.address, &go_on).await.map_err(&fails)? else {
                return Ok(()); // cancelled
            };
            if !file.is(&given.bytes) {
                let (bytes, hash) = (given.bytes.len(), given.hash);
                return Err(fails(format!(
                    "the file has changed there ({bytes} bytes, hash {hash}) and is not used"
                )));
            }
            // If the browser has no room, the file is available until the page is closed.
            kept::keep(file.hash, &js_sys::Uint8Array::from(given.bytes.as_slice())).await;
            self.change_pool(|pool, now| pool.load_known(file.hash, given, now));
        }
        Ok(())
    }
}

/// Formats a size in bytes.
pub fn size(bytes: usize) -> String {
    let kilo = (bytes + 500) / 1000;
    if kilo < 1000 { format!("{kilo} kB") } else { format!("{}.{} MB", kilo / 1000, kilo % 1000 / 100) }
}
