//! Settings of a live task.

use super::field::{Field, Role};
use super::values::Raw;
use crate::data::DataRef;

/// Returns the settings of a live task with these `fields`: the texts of the form, and the newest artefact of the right kind for
/// a field that the form leaves empty. `artefacts` are those of the run, the newest last.
pub fn companion_settings(fields: &[Field], form: &Raw, artefacts: &[DataRef]) -> Raw {
    let text = |field: &Field| {
        let given = form.get(field.key);
        match field.role {
            Role::Artefact(kind) if given.and_then(|text| DataRef::parse(text.trim())).is_none() => {
                artefacts.iter().rfind(|made| made.name == kind).map(DataRef::to_string)
            }
            _ => given.cloned(),
        }
    };
    fields.iter().filter_map(|field| Some((field.key.to_owned(), text(field)?))).collect()
}
