//! The form of a task: ids of elements, visible fields, positions of sliders.

use crate::lab::{Field, Kind, Raw, read_real};

/// Returns the id of a field's input.
pub fn id(key: &str) -> String {
    format!("field-{key}")
}

/// Returns the ids of the elements that describe a field.
pub fn described(field: &Field) -> String {
    let key = field.key;
    let help = if field.help.is_empty() { String::new() } else { format!(" field-{key}-help") };
    format!("field-{key}-problem{help}")
}

/// Returns a seed within the range of its field.
pub fn seed(kind: &Kind, random: u64) -> u64 {
    match kind {
        Kind::Integer { min, max, .. } => min + random % (max - min).saturating_add(1),
        _ => random,
    }
}

/// Returns true if a field is shown with these texts: it has an effect, or its text is `wrong`.
pub fn is_shown(field: &Field, fields: &[Field], raw: &Raw, wrong: bool) -> bool {
    wrong || field.applies(fields, |key| raw.get(key).map(String::as_str))
}

/// Returns the ends and the step of the slider of a field; `None` without a slider.
pub fn slider(kind: &Kind) -> Option<(f64, f64, f64)> {
    match kind {
        Kind::Integer { slider: Some((low, high)), .. } => Some((*low as f64, *high as f64, 1.0)),
        Kind::Real { slider, .. } => Some(*slider),
        _ => None,
    }
}

/// Returns the position of a slider for a text, clamped to its ends; `None` if the text is not a number.
pub fn position(kind: &Kind, text: &str) -> Option<f64> {
    let (low, high, _) = slider(kind)?;
    read_real(text.trim()).map(|value| value.clamp(low, high))
}

/// Returns a list with a space after each comma, so that lines can break there.
pub fn spaced(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(", ")
}

/// Returns a list as stored in the form: on one line, without spaces around commas.
pub fn unspaced(text: &str) -> String {
    text.split(',').map(str::trim).collect::<Vec<_>>().join(",").replace(['\r', '\n'], " ")
}

/// Returns a number of the form as it stands in a sentence: ∞ for `inf`, and − for `-`.
pub fn in_a_sentence(text: &str) -> String {
    match read_real(text.trim()) {
        Some(f64::INFINITY) => "∞".to_owned(),
        _ => text.trim().replace('-', "−"),
    }
}

/// Returns key, sense and value of the condition of a passage of an article on a setting: `KEY=VALUE`, or `KEY!=VALUE` for any other
/// value.
pub fn condition(text: &str) -> Option<(&str, bool, &str)> {
    let (key, value) = text.split_once('=')?;
    Some(match key.strip_suffix('!') {
        Some(key) => (key, false, value),
        None => (key, true, value),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Condition;

    fn field(key: &'static str, kind: Kind) -> Field {
        Field { label: "a<b", symbol: "α", help: "R&D", ..Field::new(key, kind, "") }
    }

    #[test]
    fn a_slider_follows_what_is_typed() {
        let real = Kind::Real { min: 0.0, max: 9.0, slider: (0.5, 3.0, 0.5), infinity: true };
        let whole = Kind::Integer { min: 1, max: 900, slider: Some((1, 100)) };
        for (kind, text, place) in [
            (&real, "2", Some(2.0)),
            (&real, " 0.1", Some(0.5)),
            (&real, "inf", Some(3.0)),
            (&real, "∞", Some(3.0)),
            (&real, "nan", None),
            (&real, "x", None),
            (&whole, "400", Some(100.0)),
            (&Kind::Flag, "1", None),
        ] {
            assert_eq!(position(kind, text), place, "{text}");
        }
    }

    #[test]
    fn a_list_can_be_broken_into_lines_and_is_kept_without_blanks() {
        assert_eq!(spaced("0.5,1, 2"), "0.5, 1, 2");
        assert_eq!(unspaced("0.5, 1,\n2 "), "0.5,1,2");
        for text in ["", "1", "1 2", "a,b"] {
            assert_eq!(unspaced(&spaced(text)), text);
        }
    }

    #[test]
    fn numbers_stand_in_a_sentence_with_their_signs() {
        assert_eq!(["inf", " 0.5", "-2"].map(in_a_sentence), ["∞", "0.5", "−2"]);
    }

    #[test]
    fn a_passage_has_a_condition_on_one_setting() {
        assert_eq!(condition("beta=inf"), Some(("beta", true, "inf")));
        assert_eq!(condition("hidden!=1"), Some(("hidden", false, "1")));
        assert_eq!(condition("hidden"), None);
    }

    #[test]
    fn a_seed_is_drawn_within_its_range() {
        let kind = Kind::Integer { min: 3, max: 7, slider: None };
        assert_eq!([0, 4, 5].map(|random| seed(&kind, random)), [3, 7, 3]);
        let all = Kind::Integer { min: 0, max: u64::MAX, slider: None };
        assert_eq!(seed(&all, 999_999), 999_999);
    }

    #[test]
    fn a_field_is_described_by_what_there_is() {
        let plain = field("n", Kind::Flag);
        assert_eq!(described(&plain), "field-n-problem field-n-help");
        assert_eq!(described(&Field { help: "", ..plain }), "field-n-problem");
    }

    #[test]
    fn a_field_without_effect_is_shown_only_where_it_is_wrong() {
        const IF: &[Condition] = &[Condition::is("on", &["true"])];
        let fields = [field("on", Kind::Flag), Field { shown_if: IF, ..field("n", Kind::Flag) }];
        let fields = fields.map(|field| Field { default: "false", ..field });
        let raw = |on: &str| Raw::from([("on".to_owned(), on.to_owned())]);
        let shown = |on, wrong| is_shown(&fields[1], &fields, &raw(on), wrong);
        assert_eq!([shown("yes", false), shown("no", false), shown("no", true)], [true, false, true]);
        assert!(is_shown(&fields[0], &fields, &Raw::new(), false));
    }
}
