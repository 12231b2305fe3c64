//! The page. What decides anything is here without leptos and tested natively ([`pool`], [`view`]); the rest
//! shows it.

#[cfg(feature = "app")]
mod browser;
#[cfg(feature = "app")]
pub mod components;
pub mod own_data;
pub mod pool;
#[cfg(feature = "app")]
mod shell;
#[cfg(feature = "app")]
mod state;
pub mod view;

#[cfg(feature = "app")]
pub use shell::mount;
