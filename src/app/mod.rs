//! The page. Its logic is here, independent of the browser and tested natively; `page` is its view. It does not depend on the models: it
//! has the tasks of a [`Catalog`](crate::lab::Catalog).

pub mod choices;
pub mod display;
pub mod editing;
pub mod file_kinds;
pub mod form;
pub mod history;
pub mod own_data;
#[cfg(feature = "web")]
pub mod page;
pub mod pins;
pub mod pool;
pub mod readout;
pub mod replay;
pub mod results;
pub mod thumbnails;
pub mod view;
