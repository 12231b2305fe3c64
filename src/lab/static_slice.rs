//! Deserialising into slices that live as long as the program.

use serde::{Deserialize, Deserializer};

/// Deserialises a list and leaks it: for what is read once, such as the catalog.
pub(super) fn static_slice<'de: 'static, D: Deserializer<'de>, T: Deserialize<'de>>(
    from: D,
) -> Result<&'static [T], D::Error> {
    Ok(Vec::<T>::deserialize(from)?.leak())
}
