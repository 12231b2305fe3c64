//! Encoding of messages and snapshots as bytes.

use postcard::Deserializer;
use postcard::de_flavors::Slice;
use serde::{Deserialize, Serialize};

/// The newest snapshot of a shard: its first unit, a stamp that changes with every snapshot, and the bytes.
pub type PartBytes<'a> = (usize, u64, &'a [u8]);

/// Encodes a value.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    match postcard::to_stdvec(message) {
        Ok(bytes) => bytes,
        Err(e) => unreachable!("a message is plain data: {e}"),
    }
}

/// Decodes a value.
///
/// # Errors
/// If the bytes are not an encoded value of this type.
pub fn decode<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    let mut from = Deserializer::from_bytes(bytes);
    match T::deserialize(&mut from) {
        Ok(message) => ended(from).map(|()| message),
        Err(why) => Err(unread(&why)),
    }
}

/// Decodes a value at the beginning of longer bytes; `None` if there is none.
pub fn decode_beginning<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    T::deserialize(&mut Deserializer::from_bytes(bytes)).ok()
}

// Not compiled once for every message.

fn ended<'a>(from: Deserializer<'a, Slice<'a>>) -> Result<(), String> {
    match from.finalize() {
        Ok([]) => Ok(()),
        Ok(rest) => Err(format!("not a message: {} bytes too many", rest.len())),
        Err(why) => Err(unread(&why)),
    }
}

fn unread(why: &postcard::Error) -> String {
    format!("not a message: {why}")
}
