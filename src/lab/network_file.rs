//! Networks that users provide as JSON files.

use serde::de::DeserializeOwned;

use crate::data::{DataRef, Store};
use crate::{Field, InputError};

/// Text of a field that names no file.
pub const NONE: &str = "none";

/// Reads the JSON file `named` as a `File` and converts it to a network by `convert`; `None` if no file is named.
///
/// # Errors
/// If the file does not have the format `expected`, for `field`.
pub fn read<File: DeserializeOwned, Network>(
    store: &Store,
    named: Option<&DataRef>,
    field: &Field,
    expected: &str,
    convert: impl FnOnce(File) -> Result<Network, String>,
) -> Result<Option<Network>, Vec<InputError>> {
    let Some(named) = named.filter(|named| !named.needs_no_file()) else { return Ok(None) };
    store.json(named).and_then(convert).map(Some).map_err(|why| {
        let why = format!("{why}. Expected: {expected}");
        vec![field.error(named).because(why).nearest(NONE)]
    })
}
