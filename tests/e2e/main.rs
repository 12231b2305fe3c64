//! The built page in a browser, driven as by a user: each file is one subject. `MEANFIELD_ENGINE` chooses the browser
//! (`support::Engine`).
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::disallowed_methods, reason = "a test compares to within a tolerance")]

mod access;
mod article;
mod bench;
#[path = "../common/mod.rs"]
mod common;
mod crashes;
mod data;
mod downloads;
mod editing;
mod endurance;
mod entries;
mod exercises;
mod figures;
mod front;
mod layout;
mod look;
mod offline;
mod opening;
mod quick;
mod reading;
mod replay;
mod running;
mod saved;
mod screenshots;
mod settings;
mod storage;
mod support;
mod table1;
mod timed;
