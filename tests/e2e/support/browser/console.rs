//! What the page says in the console, and tests that make it say something.

use serde_json::json;
use thirtyfour::BrowserLogEntry;

use super::Browser;

impl Browser {
    /// The errors in the console so far: uncaught exceptions, failed requests, `console.error`.
    pub fn console_errors(&self) -> Vec<String> {
        let entries = self.runtime.block_on(self.driver().browser_log()).unwrap_or_default();
        let severe = |entry: BrowserLogEntry| (entry.level == "SEVERE").then_some(entry.message);
        self.console_errors.borrow_mut().extend(entries.into_iter().filter_map(severe));
        self.console_errors.borrow().clone()
    }

    /// Keeps files from the page, as patterns of addresses; what the console says of it fails no test.
    #[track_caller]
    pub fn block(&self, addresses: &[&str]) {
        self.allow_console_errors();
        self.cdp("Network.enable", json!({}));
        self.cdp("Network.setBlockedURLs", json!({ "urls": addresses }));
    }

    /// For a test that provokes errors in the console, which may come at any time until it ends.
    pub fn allow_console_errors(&self) {
        self.provoked.set(true);
    }

    /// The errors in the console so far, which are then forgotten: for a test that reads what it provokes.
    pub fn take_console_errors(&self) -> Vec<String> {
        self.console_errors();
        self.console_errors.take()
    }
}
