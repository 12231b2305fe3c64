//! The page. What decides anything is here without leptos and tested natively ([`pool`], [`view`], [`choices`], [`pins`],
//! [`reading`]); the rest
//! shows it.

#[cfg(feature = "app")]
mod browser;
pub mod choices;
#[cfg(feature = "app")]
mod components;
pub mod html;
pub mod own_data;
pub mod pins;
pub mod pool;
pub mod reading;
#[cfg(feature = "app")]
mod shell;
#[cfg(feature = "app")]
mod state;
pub mod view;

#[cfg(feature = "app")]
pub use shell::mount;
