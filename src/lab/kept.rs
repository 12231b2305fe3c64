//! Reading what is said once and kept.

use serde::{Deserialize, Deserializer};

/// Reads a list that is kept for as long as the program lives.
pub(super) fn kept<'de: 'static, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<&'static [T], D::Error> {
    Ok(Vec::<T>::deserialize(from)?.leak())
}
