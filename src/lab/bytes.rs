//! Values as bytes: what is sent between page and worker.

use serde::{Deserialize, Serialize};

/// A message as bytes.
///
/// # Panics
/// Never: everything here can be written.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    match postcard::to_stdvec(message) {
        Ok(bytes) => bytes,
        Err(e) => unreachable!("a message is plain data: {e}"),
    }
}

/// Reads a message.
///
/// # Errors
/// If the bytes are none.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    match postcard::take_from_bytes(bytes) {
        Ok((message, [])) => Ok(message),
        Ok((_, rest)) => Err(format!("not a message: {} bytes too many", rest.len())),
        Err(e) => Err(format!("not a message: {e}")),
    }
}
