//! Errors in the console, and tests that provoke them.

use thirtyfour::BrowserLogEntry;

use super::{Browser, Engine};

/// Script that reports errors to the host, for drivers without a log of the console: uncaught exceptions, rejected promises, failed
/// loads, violations of the policy, `console.error`. Errors after the page is left are ignored: Firefox may end its script inside
/// WebAssembly, and the next call, before the page is gone, finds the previous one unfinished.
const TELL: &str = "(() => {
    const send = fetch.bind(window);
    const tell = words => { if (!window.left) send('test-error?' + encodeURIComponent(words)).catch(() => {}); };
    const named = event => event.message
        ? `${event.message} ${event.error?.stack ?? ''}`
        : `${event.target.src ?? event.target.href} did not load`;
    // Unused preload hints and resize notifications deferred to the next frame are not errors.
    const harmless = event => event.target.rel === 'prefetch' || /^ResizeObserver loop/.test(event.message);
    addEventListener('error', event => harmless(event) || tell(named(event)), true);
    addEventListener('unhandledrejection', event => tell(`${event.reason}`));
    addEventListener('securitypolicyviolation', event => tell(`${event.violatedDirective}: ${event.blockedURI}`));
    const { error } = console;
    console.error = (...words) => { tell(words.join(' ')); error.apply(console, words); };
})()";

/// Joins scripts, preceded by the report of errors.
pub fn with_errors(scripts: &[&String]) -> String {
    let rest = scripts.iter().flat_map(|script| [";\n", script.as_str()]);
    std::iter::once(TELL).chain(rest).collect()
}

impl Browser {
    /// Returns the errors in the console so far: uncaught exceptions, failed requests, `console.error`.
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

    /// Blocks files by parts of their addresses; the resulting console errors are allowed.
    pub fn block(&self, pieces: &[&str]) {
        self.allow_console_errors();
        self.server.block(pieces);
    }

    /// Allows errors in the console until the end of the test.
    pub fn allow_console_errors(&self) {
        self.provoked.set(true);
    }

    /// Returns the errors in the console so far and clears them.
    pub fn take_console_errors(&self) -> Vec<String> {
        self.console_errors();
        self.console_errors.take()
    }
}
