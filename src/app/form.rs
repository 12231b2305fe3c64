//! The form of a task as markup, made from its fields: every control a native input with a visible label. Markup with one
//! listener costs the page a fraction of what as many views would.

use std::fmt::Write as _;

use super::own_data::Options;
use crate::lab::{Field, Kind, Preset, Raw, Role};
use crate::render::escape;

/// A button for each preset; `data-query` is what it sets.
pub fn presets(presets: &[Preset]) -> String {
    let button = |preset: &Preset| {
        format!(
            "<button type=\"button\" data-query=\"{}\" title=\"{}\">{}</button>",
            escape(preset.query),
            escape(preset.help),
            escape(preset.label)
        )
    };
    presets.iter().map(button).collect()
}

/// The id of a field's input.
pub fn id(key: &str) -> String {
    format!("field-{key}")
}

/// The ids of what is said about it.
pub fn described(key: &str) -> String {
    format!("field-{key}-problem field-{key}-help")
}

/// The label with its symbol.
pub fn label(field: &Field) -> String {
    let symbol = match field.symbol {
        "" => String::new(),
        symbol => format!(" <i class=\"symbol\">{}</i>", escape(symbol)),
    };
    format!("<label for=\"{}\">{}{symbol}</label>", id(field.key), escape(field.label))
}

/// Room for what is wrong, and what the field means.
pub fn notes(field: &Field) -> String {
    let key = field.key;
    format!(
        "<p class=\"problem\" role=\"alert\" id=\"field-{key}-problem\"></p><p class=\"help\" id=\"field-{key}-help\">{}</p>",
        escape(field.help)
    )
}

/// The inputs, still empty: what a person sets has the field's id, a slider stands before it, and a button says in
/// `data-set` what it sets, or nothing for a new seed. A text is a choice where there are `options` for it.
pub fn inputs(field: &Field, options: &Options) -> String {
    let (id, described) = (id(field.key), described(field.key));
    let attributes = format!("id=\"{id}\" aria-describedby=\"{described}\"");
    let text = |mode: &str| {
        format!(
            "<input type=\"text\" {attributes} inputmode=\"{mode}\" autocomplete=\"off\" aria-invalid=\"false\">"
        )
    };
    let slider = |low: f64, high: f64, step: f64| {
        format!(
            "<input type=\"range\" min=\"{low}\" max=\"{high}\" step=\"{step}\" aria-label=\"{}\">",
            escape(field.label)
        )
    };
    match &field.kind {
        Kind::Integer { slider: Some((low, high)), .. } => {
            slider(*low as f64, *high as f64, 1.0) + text("numeric").as_str()
        }
        Kind::Integer { slider: None, .. } => {
            let button = "<button type=\"button\" class=\"quiet\" data-set=\"\">New seed</button>";
            text("numeric") + if field.role == Role::Seed { button } else { "" }
        }
        Kind::Real { slider: (low, high, step), infinity, .. } => {
            let button = "<button type=\"button\" class=\"quiet\" title=\"Infinity\" aria-label=\"Set to infinity\" \
                          data-set=\"inf\">∞</button>";
            slider(*low, *high, *step) + text("decimal").as_str() + if *infinity { button } else { "" }
        }
        Kind::Text { .. } if !options.texts.is_empty() => {
            let default = match &options.default {
                Some(usual) => format!("default: {usual}"),
                None => "default".to_owned(),
            };
            let texts = options.texts.iter().map(|text| (text.as_str(), text.as_str()));
            choice(&attributes, std::iter::once(("", default.as_str())).chain(texts))
        }
        Kind::Reals { .. } | Kind::Points { .. } | Kind::Pixels { .. } | Kind::Text { .. } => text("text"),
        Kind::Choice(words) => choice(&attributes, words.iter().copied()),
        Kind::Flag => format!("<input type=\"checkbox\" {attributes}>"),
        Kind::Data => String::new(),
    }
}

/// A choice among values, each with how it reads.
fn choice<'a>(attributes: &str, options: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut html = format!("<select {attributes}>");
    for (value, reads) in options {
        // Writing to a string cannot fail.
        let _ = write!(html, "<option value=\"{}\">{}</option>", escape(value), escape(reads));
    }
    html + "</select>"
}

/// A seed within the range of its field, from any random number.
pub fn seed(kind: &Kind, random: u64) -> u64 {
    match kind {
        Kind::Integer { min, max, .. } => min + random % (max - min).saturating_add(1),
        _ => random,
    }
}

/// Whether a field stands in the form with these texts: it has an effect, or its text is `wrong`.
pub fn is_shown(field: &Field, fields: &[Field], raw: &Raw, wrong: bool) -> bool {
    wrong || field.applies(fields, |key| raw.get(key).map(String::as_str))
}

/// Where a slider stands for a text: infinity and what lies beyond the slider's end at its end; what is no number leaves it
/// where it is.
pub fn position(kind: &Kind, text: &str) -> Option<f64> {
    let (low, high) = match kind {
        Kind::Integer { slider: Some((low, high)), .. } => (*low as f64, *high as f64),
        Kind::Real { slider: (low, high, _), .. } => (*low, *high),
        _ => return None,
    };
    let value: f64 = text.trim().parse().ok()?;
    (!value.is_nan()).then(|| value.clamp(low, high))
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
            (&real, "nan", None),
            (&real, "x", None),
            (&whole, "400", Some(100.0)),
            (&Kind::Flag, "1", None),
        ] {
            assert_eq!(position(kind, text), place, "{text}");
        }
    }

    #[test]
    fn only_a_seed_is_drawn_anew_and_within_its_range() {
        let kind = Kind::Integer { min: 3, max: 7, slider: None };
        let plain = field("epochs", kind);
        assert!(!inputs(&plain, &Options::default()).contains("data-set"));
        assert!(inputs(&Field { role: Role::Seed, ..plain }, &Options::default()).contains("data-set=\"\""));
        assert_eq!([0, 4, 5].map(|random| seed(&kind, random)), [3, 7, 3]);
        let all = Kind::Integer { min: 0, max: u64::MAX, slider: None };
        assert_eq!(seed(&all, 999_999), 999_999);
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

    #[test]
    fn no_text_becomes_markup() {
        let texts = vec![r#"a"b"#.to_owned(), "<i>".to_owned()];
        let words = Options { default: texts.last().cloned(), texts };
        let positive = field("positive", Kind::Text { most: 9 });
        assert_eq!(
            inputs(&positive, &words),
            "<select id=\"field-positive\" aria-describedby=\"field-positive-problem field-positive-help\">\
             <option value=\"\">default: &lt;i&gt;</option><option value=\"a&quot;b\">a&quot;b</option>\
             <option value=\"&lt;i&gt;\">&lt;i&gt;</option></select>"
        );
        assert!(inputs(&positive, &Options::default()).starts_with("<input type=\"text\""));
        assert_eq!(
            label(&positive),
            "<label for=\"field-positive\">a&lt;b <i class=\"symbol\">α</i></label>"
        );
        assert!(notes(&positive).ends_with("R&amp;D</p>"));
        let preset = Preset { label: "<b>", help: "\"", query: "a=1&b=2" };
        assert_eq!(
            presets(&[preset]),
            "<button type=\"button\" data-query=\"a=1&amp;b=2\" title=\"&quot;\">&lt;b&gt;</button>"
        );
    }
}
