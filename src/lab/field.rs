//! Fields of a specification: forms, permalinks, JSON files and their checks are derived from them.

use super::input_error::InputError;
use super::kind::{Kind, Value, read_real};
use crate::figure::percent;

/// A setting of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// Name in the form, the permalink and on the command line.
    pub key: &'static str,
    /// Visible label.
    pub label: &'static str,
    /// Symbol in the paper; may be empty.
    pub symbol: &'static str,
    /// Help text with the effect and the unit.
    pub help: &'static str,
    /// Meaning of its number, shown below the control, if there is one.
    pub meaning: Option<Meaning>,
    /// Group of the form.
    pub group: Group,
    /// Valid values.
    pub kind: Kind,
    /// Default, as text.
    pub default: &'static str,
    /// Prominence in the form.
    pub rank: Rank,
    /// Role on the page.
    pub role: Role,
    /// Conditions under which it has an effect; all must hold. Otherwise it is not shown and has its default.
    pub shown_if: &'static [Condition],
}

/// Meaning of a number in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The share 1/(1 + eˣ) for the number x, before these words (`of the labels are flipped`).
    Logistic(&'static str),
}

/// Group of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Problem: the quantities to be learnt.
    Problem,
    /// Method of approximation.
    Method,
    /// Number of runs and seed.
    Run,
}

/// Prominence of a field in the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// Main control of the page, shown above the form.
    Knob,
    /// Shown in its group.
    Usual,
    /// Folded away.
    More,
}

/// Role of a field on the page, which knows no keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// An ordinary setting.
    Setting,
    /// Seed of the random streams; the page offers to draw another.
    Seed,
    /// Main table, whose columns other fields name.
    Data,
    /// Another table with the same columns.
    SecondData,
    /// Column to predict.
    Label,
    /// Positive value of that column.
    Positive,
    /// Column that separates training and test rows.
    Split,
    /// Column that identifies the rows.
    Id,
    /// Column that groups rows.
    Group,
    /// Ignored columns, separated by commas.
    Ignored,
    /// One number per input column.
    PerColumn,
    /// Another setting of the use of rows.
    Rows,
    /// Setting of how the file of the main table is read; it belongs to this file.
    Reading,
    /// Artefact of this kind for a live task; by default, the newest of the run on the page. It does not affect the run.
    Artefact(&'static str),
    /// Setting of the live companion only; it does not affect the run.
    Companion,
    /// Setting of the figures only; it does not affect the run and its results.
    Display,
    /// Setting of the report of the command line only; not on the page.
    Report,
}

impl Role {
    /// Returns true if it concerns the use of rows and columns of the main table.
    pub fn concerns_the_table(self) -> bool {
        match self {
            Self::Data
            | Self::SecondData
            | Self::Label
            | Self::Positive
            | Self::Split
            | Self::Id
            | Self::Group
            | Self::Ignored
            | Self::Rows
            | Self::Reading => true,
            Self::Setting
            | Self::Seed
            | Self::PerColumn
            | Self::Artefact(_)
            | Self::Companion
            | Self::Display
            | Self::Report => false,
        }
    }
}

/// Condition on another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Key of the other field.
    pub key: &'static str,
    /// True if its value must be one of `values`; false if it must be none of them.
    pub is: bool,
    /// Canonical texts of values.
    pub values: &'static [&'static str],
}

impl Condition {
    /// Returns the condition that the field has one of `values`.
    pub const fn is(key: &'static str, values: &'static [&'static str]) -> Self {
        Self { key, is: true, values }
    }

    /// Returns the condition that the field has none of `values`.
    pub const fn not(key: &'static str, values: &'static [&'static str]) -> Self {
        Self { key, is: false, values }
    }

    /// Returns true if it holds for the canonical text `value`.
    pub fn holds(&self, value: &str) -> bool {
        self.values.contains(&value) == self.is
    }
}

impl Field {
    /// Returns true if it names an artefact.
    pub fn is_artefact(&self) -> bool {
        matches!(self.role, Role::Artefact(_))
    }

    /// Returns an ordinary setting without label and help.
    pub const fn new(key: &'static str, kind: Kind, default: &'static str) -> Self {
        Self {
            key,
            label: "",
            symbol: "",
            help: "",
            meaning: None,
            group: Group::Problem,
            kind,
            default,
            rank: Rank::Usual,
            role: Role::Setting,
            shown_if: &[],
        }
    }

    /// Finds the field with that role.
    pub fn with_role(fields: &[Self], role: Role) -> Option<&Self> {
        fields.iter().find(|field| field.role == role)
    }

    /// Returns the label with the symbol.
    pub fn name(&self) -> String {
        if self.symbol.is_empty() { self.label.to_owned() } else { format!("{} {}", self.label, self.symbol) }
    }

    /// Describes the meaning of its number; `None` without one, or if the text is not valid.
    pub fn meaning_of(&self, text: &str) -> Option<String> {
        let Meaning::Logistic(words) = self.meaning?;
        self.read(text).ok()?;
        Some(format!("{} {words}", percent(1.0 / (1.0 + libm::exp(read_real(text.trim())?)))))
    }

    /// Reads a text of this field.
    ///
    /// # Errors
    /// If `text` is not valid; the error has the nearest valid text.
    pub fn read(&self, text: &str) -> Result<Value, InputError> {
        let text = text.trim();
        self.kind
            .read(text, self.default)
            .map_err(|nearest| self.error(text).expected(self.expected()).nearest(nearest))
    }

    /// Describes the valid texts, as a phrase after `Enter`.
    pub fn expected(&self) -> String {
        self.kind.expected(self.default)
    }

    /// Returns an error of this field for the given text.
    pub fn error(&self, given: impl std::fmt::Display) -> InputError {
        InputError { label: self.name(), ..InputError::new(self.key, given) }
    }

    /// Returns true if this field, one of `fields`, has an effect with the given texts, or if the text of a condition is not valid.
    pub fn applies<'a>(&self, fields: &[Self], text: impl Fn(&str) -> Option<&'a str>) -> bool {
        self.shown_if.iter().all(|condition| {
            let other = fields.iter().find(|field| field.key == condition.key);
            let value = other.map(|field| field.read(text(field.key).unwrap_or(field.default)));
            value.and_then(Result::ok).is_none_or(|value| condition.holds(&value.to_string()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::typed::{TypedField, flag, real};
    use super::*;

    fn field(kind: Kind, default: &'static str) -> Field {
        Field::new("k", kind, default)
    }

    fn nearest(f: &Field, text: &str) -> String {
        f.read(text).unwrap_err().nearest.unwrap()
    }

    #[test]
    fn integers_are_read_or_replaced_by_the_nearest() {
        let f = field(Kind::Integer { min: 2, max: 100, slider: None }, "50");
        assert_eq!(f.read(" 7 "), Ok(Value::Integer(7)));
        assert_eq!(f.read("5e1"), Ok(Value::Integer(50)));
        for (given, near) in [("1", "2"), ("-4", "2"), ("1e9", "100"), ("3.6", "4"), ("x", "50"), ("", "50")]
        {
            assert_eq!(nearest(&f, given), near, "{given}");
        }
        assert!(f.read("1").unwrap_err().to_string().contains("2 to 100"));
    }

    #[test]
    fn a_seed_keeps_all_its_bits() {
        let f = field(Kind::Integer { min: 0, max: u64::MAX, slider: None }, "1");
        assert_eq!(f.read("18446744073709551615"), Ok(Value::Integer(u64::MAX)));
    }

    #[test]
    fn infinity_is_read_if_accepted() {
        let kind = |infinity| Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 10.0, 0.1), infinity };
        assert_eq!(field(kind(true), "0.5").read("inf"), Ok(Value::Real(f64::INFINITY)));
        assert_eq!(nearest(&field(kind(false), "0.5"), "inf"), "50");
        assert_eq!(nearest(&field(kind(true), "0.5"), "-1"), "0");
        assert_eq!(nearest(&field(kind(true), "0.5"), "NaN"), "0.5");
        assert_eq!(["1,5", "1,500,000"].map(|text| nearest(&field(kind(true), "0.5"), text)), ["1.5", "0.5"]);
    }

    #[test]
    fn a_number_has_a_meaning_in_words() {
        let kind = Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 5.0, 0.1), infinity: true };
        let noise = Field { meaning: Some(Meaning::Logistic("are flipped")), ..field(kind, "2") };
        let texts = ["0", " 2 ", "8", "inf", "-1", "x"].map(|text| noise.meaning_of(text));
        let is = |text: &str| Some(format!("{text} are flipped"));
        assert_eq!(texts, [is("50 %"), is("12 %"), is("<1 %"), is("0 %"), None, None]);
        assert_eq!(field(kind, "2").meaning_of("2"), None);
    }

    #[test]
    fn lists_are_read_or_replaced_by_the_nearest() {
        let f = field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "1,2");
        assert_eq!(f.read("0.5, 1 ,2"), Ok(Value::Reals(vec![0.5, 1.0, 2.0])));
        assert_eq!(nearest(&f, "1,2,3,4"), "1,2,3");
        assert_eq!(nearest(&f, "1,x,20"), "1,10");
        assert_eq!(nearest(&f, ",,"), "1,2");
        let f = field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "");
        assert_eq!(f.read(" "), Ok(Value::Reals(Vec::new())));
        assert_eq!(nearest(&f, "x"), "");
    }

    #[test]
    fn flags_have_several_spellings() {
        let f = field(Kind::Flag, "false");
        for (text, on) in
            [("TRUE", true), ("Yes", true), ("on", true), ("1", true), ("False", false), ("OFF", false)]
        {
            assert_eq!(f.read(text), Ok(Value::Flag(on)), "{text}");
        }
        assert_eq!(nearest(&f, "maybe"), "false");
    }

    #[test]
    fn texts_have_no_control_characters_and_a_length() {
        let f = field(Kind::Data, "");
        assert_eq!(f.read(" "), Ok(Value::Data(None)));
        for text in ["sonar.csv@0123456789abcdef", "my data.csv"] {
            assert_eq!(f.read(text).unwrap().to_string(), text);
        }
        assert_eq!(nearest(&f, &"x".repeat(999)), "");
        let f = field(Kind::Text { most: 5 }, "");
        assert_eq!(f.read("größe"), Ok(Value::Text("größe".into())));
        assert_eq!(nearest(&f, "a\nb and more"), "ab an");
    }

    #[test]
    fn the_nearest_text_is_valid() {
        let kinds = [
            field(Kind::Integer { min: 2, max: 100, slider: None }, "50"),
            field(Kind::Real { min: 0.0, max: 5.0, slider: (0.0, 1.0, 0.1), infinity: true }, "0.5"),
            field(Kind::Reals { min: 0.1, max: 10.0, most: 3 }, "1,2"),
            field(Kind::Flag, "false"),
            field(Kind::Choice(&[("a", "A"), ("b", "B")]), "a"),
            field(Kind::Data, ""),
            field(Kind::Text { most: 3 }, ""),
        ];
        for f in &kinds {
            let texts = ["", "-1", "1e300", "-inf", "inf", "nan", "a,b", "1,2,3,4,5", "maybe", "0.05", "7.5"];
            for text in texts.into_iter().chain(["a\u{7}b", "a\tb", "ab c"]) {
                if let Err(problem) = f.read(text) {
                    let nearest = problem.nearest.unwrap();
                    assert!(f.read(&nearest).is_ok(), "{:?}: {text} -> {nearest}", f.kind);
                }
            }
        }
    }

    #[test]
    fn a_field_applies_if_its_conditions_hold() {
        const RHO: TypedField<f64> = real((-1.0, 1.0), (-1.0, 1.0, 0.1)).keyed("rho");
        let knows = *flag().keyed("knows").shown_if(const { &[Condition::not("rho", &["0"])] });
        let fields = [*RHO, knows];
        for (rho, applies) in [(None, false), (Some("0.0"), false), (Some("0.5"), true), (Some("x"), true)] {
            assert_eq!(knows.applies(&fields, |key| rho.filter(|_| key == "rho")), applies, "{rho:?}");
            assert!(RHO.applies(&fields, |_| rho));
        }
        assert!(Condition::is("k", &["a", "b"]).holds("b") && !Condition::is("k", &["a"]).holds("b"));
    }
}
