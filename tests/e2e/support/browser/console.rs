//! What the page says in the console, and tests that make it say something.

use thirtyfour::BrowserLogEntry;

use super::{Browser, Engine};

/// Tells the host of errors, where the driver has no log of the console: uncaught exceptions, rejected promises, what does not load,
/// what the policy forbids, `console.error`. Not of what comes after the page is left: Firefox may end its script in the middle of
/// WebAssembly then, and the next call, before the page is gone, finds the one before still open.
const TELL: &str = "(() => {
    const send = fetch.bind(window);
    const tell = words => { if (!window.left) send('test-error?' + encodeURIComponent(words)).catch(() => {}); };
    const named = event => event.message
        ? `${event.message} ${event.error?.stack ?? ''}`
        : `${event.target.src ?? event.target.href} did not load`;
    // Hints that are not followed, and sizes that settle in the next frame, are no errors.
    const harmless = event => event.target.rel === 'prefetch' || /^ResizeObserver loop/.test(event.message);
    addEventListener('error', event => harmless(event) || tell(named(event)), true);
    addEventListener('unhandledrejection', event => tell(`${event.reason}`));
    addEventListener('securitypolicyviolation', event => tell(`${event.violatedDirective}: ${event.blockedURI}`));
    const { error } = console;
    console.error = (...words) => { tell(words.join(' ')); error.apply(console, words); };
})()";

/// One script of several, before which errors are told of.
pub fn with_errors(scripts: &[&String]) -> String {
    let rest = scripts.iter().flat_map(|script| [";\n", script.as_str()]);
    std::iter::once(TELL).chain(rest).collect()
}

impl Browser {
    /// The errors in the console so far: uncaught exceptions, failed requests, `console.error`.
    pub fn console_errors(&self) -> Vec<String> {
        let mut all = self.console_errors.borrow_mut();
        if self.engine == Engine::Chromium {
            let entries = self.runtime.block_on(self.driver().browser_log()).unwrap_or_default();
            let severe = |entry: BrowserLogEntry| (entry.level == "SEVERE").then_some(entry.message);
            all.extend(entries.into_iter().filter_map(severe));
        } else {
            all.extend(self.server.take_errors());
        }
        all.clone()
    }

    /// Keeps files from the page, by pieces of their addresses; what the console says of it fails no test.
    pub fn block(&self, pieces: &[&str]) {
        self.allow_console_errors();
        self.server.block(pieces);
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
