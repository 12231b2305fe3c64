//! See [`crate::report`].

pub use crate::report::RunPage as Printed;
