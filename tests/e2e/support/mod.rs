//! Shared by the end-to-end tests: a static host for the built page, and a browser controlled through its driver.
//! The browser is Chromium, or the one in `MEANFIELD_ENGINE` ([`Engine`]).
//!
//! A test begins with
//!
//! ```ignore
//! let Some(browser) = Browser::open(&Options::default()) else { return };
//! browser.goto("#/feedforward?runs=20");
//! browser.wait_done(Duration::from_secs(30)).unwrap();
//! ```
//!
//! and is skipped, with a message, without a built page in `MEANFIELD_DIST`. A console error that the
//! test has not allowed ([`Browser::allow_console_errors`]) or read ([`Browser::take_console_errors`]) fails it when
//! the browser is dropped.
//! `MEANFIELD_SLOWER=8` slows the page's thread by that factor, which fails tests that read the page too early.

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
