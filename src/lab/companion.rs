//! Settings of a live task.

use super::field::{Field, Role};
use super::values::Raw;
use crate::data::DataRef;

/// Returns the newest artefact of that kind. `artefacts` are those of a run, the newest last.
pub fn newest_artefact<'a>(artefacts: &'a [DataRef], kind: &str) -> Option<&'a DataRef> {
    artefacts.iter().rfind(|artefact| artefact.name == kind)
}

/// Returns the settings of a live task with these `fields`: the texts of the form, and the newest artefact of the right kind for
/// a field that the form leaves empty.
pub fn companion_settings(fields: &[Field], form: &Raw, artefacts: &[DataRef]) -> Raw {
    let text = |field: &Field| {
        let given = form.get(field.key);
        match field.role {
            Role::Artefact(kind) if given.and_then(|text| DataRef::parse(text.trim())).is_none() => {
                newest_artefact(artefacts, kind).map(DataRef::to_string)
            }
            _ => given.cloned(),
        }
    };
    fields.iter().filter_map(|field| Some((field.key.to_owned(), text(field)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Kind, raw_of};

    #[test]
    fn a_live_task_gets_the_texts_of_its_fields_and_the_newest_artefact() {
        let field = |key, kind, role| Field { role, ..Field::new(key, kind, "") };
        let fields =
            [field("net", Kind::Data, Role::Artefact("x.net")), field("rate", Kind::Flag, Role::Setting)];
        let form = raw_of([("rate", "true"), ("epochs", "3")]);
        let artefact = |name: &str, bytes: &[u8]| DataRef::file(name, bytes);
        let other_kind = artefact("y.net", b"0");
        assert_eq!(
            companion_settings(&fields, &form, std::slice::from_ref(&other_kind)),
            raw_of([("rate", "true")])
        );
        let newest = artefact("x.net", b"2");
        let all = [artefact("x.net", b"1"), newest.clone(), other_kind];
        let newest = newest.to_string();
        let expected = raw_of([("net", newest.as_str()), ("rate", "true")]);
        assert_eq!(companion_settings(&fields, &form, &all), expected);
        let cleared = raw_of([("net", "")]);
        assert_eq!(companion_settings(&fields, &cleared, &all), raw_of([("net", newest.as_str())]));
        // A file that the form names takes precedence.
        let named = raw_of([("net", artefact("mine.bin", b"4").to_string())]);
        assert_eq!(companion_settings(&fields, &named, &all), named);
    }
}
