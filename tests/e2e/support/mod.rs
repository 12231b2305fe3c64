//! What the end-to-end tests share: a static host for the built page, and a browser driven through its driver.
//! Chromium, unless `MEANFIELD_ENGINE` names another ([`Engine`]).
//!
//! A test begins with
//!
//! ```ignore
//! let Some(browser) = Browser::open(&Options::default()) else { return };
//! browser.goto("#/feedforward?runs=20");
//! browser.wait_done(Duration::from_secs(30)).unwrap();
//! ```
//!
//! and is skipped, with a message, when `MEANFIELD_DIST` does not name a built page. A console error that the
//! test did not ask for ([`Browser::allow_console_errors`]) or read ([`Browser::take_console_errors`]) fails it when
//! the browser is dropped.
//! `MEANFIELD_SLOWER=8` slows the page's thread down that much: what reads the page before it has got there fails then.

mod browser;
pub mod budget;
mod device;
mod engine;
pub mod page;
mod process;
mod server;

pub use browser::{Browser, Options};
pub use device::Device;
pub use engine::Engine;
pub use server::{Maimed, Server, dist};
