//! The page. Its decisions are made here without a browser and tested natively; `page` shows them. It knows no model: it holds the
//! tasks of a [`Catalog`](crate::lab::Catalog).

pub mod choices;
pub mod editing;
pub mod file_kinds;
pub mod form;
pub mod history;
pub mod own_data;
#[cfg(feature = "web")]
pub mod page;
pub mod pins;
pub mod pool;
pub mod reading;
pub mod results;
pub mod view;
