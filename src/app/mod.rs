//! The page. What decides anything is here without leptos and tested natively ([`pool`], [`view`], [`choices`], [`editing`], [`form`], [`history`],
//! [`layers`], [`pins`], [`printed`], [`reading`], [`sizes`], [`own_data`]); the rest shows it. It knows no model: what there is to run, and what to see of a
//! result, it asks the solvers' program (`viewer.rs`).

#[cfg(feature = "web")]
mod browser;
pub mod choices;
#[cfg(feature = "web")]
mod components;
pub mod editing;
pub mod form;
pub mod history;
#[cfg(feature = "web")]
mod kept;
pub mod layers;
pub mod own_data;
pub mod pins;
pub mod pool;
pub mod printed;
pub mod reading;
#[cfg(feature = "web")]
mod shell;
pub mod sizes;
#[cfg(feature = "web")]
mod state;
pub mod view;
#[cfg(feature = "web")]
mod viewer;

#[cfg(feature = "web")]
pub use shell::open;
