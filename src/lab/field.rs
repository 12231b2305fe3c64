//! One input of a task: its key, its words and what it accepts. Forms, permalinks, JSON specifications and
//! their checks are all made from these.

use super::input_error::InputError;
use super::kind::{Kind, Value};

/// One input of a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// The name shared by the form, the permalink and the command line.
    pub key: &'static str,
    /// The visible label.
    pub label: &'static str,
    /// The paper's letter, or empty.
    pub symbol: &'static str,
    /// One sentence: what it does, and its unit where it has one.
    pub help: &'static str,
    /// Where in the form it stands.
    pub group: Group,
    /// What it accepts.
    pub kind: Kind,
    /// Its value where none is given, as text.
    pub default: &'static str,
    /// How much room it has in the form.
    pub rank: Rank,
    /// What the page may do with it beside showing it.
    pub role: Role,
    /// The settings with which it has an effect: all of these hold. With others it is not shown and has its default.
    pub shown_if: &'static [Condition],
}

/// The three groups of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What is to be learnt.
    Problem,
    /// How.
    Method,
    /// How often, and from which seed.
    Run,
}

/// How much room a field has in the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// What the page is about: before everything else, always in view.
    Knob,
    /// In its group.
    Usual,
    /// Folded away until it is asked for.
    More,
}

/// What a field is to the page, which knows no keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A setting like any other.
    Setting,
    /// The seed of random numbers: the page offers to draw another.
    Seed,
    /// The main table, whose columns other fields name.
    Data,
    /// Another table, with the same columns.
    SecondData,
    /// The column to be learnt.
    Label,
    /// Which of the two values of that column counts as positive.
    Positive,
    /// The column that tells training from test rows.
    Split,
    /// The column that identifies rows.
    Id,
    /// Columns that are not used, separated by commas.
    Ignored,
    /// One number for each input column.
    PerColumn,
    /// How the rows of the table are used otherwise.
    Rows,
    /// Of a live task: an artefact of this kind; where none is named, the page takes the newest that its run has made. A run does not
    /// change with it.
    Artefact(&'static str),
    /// What only the live companion follows: a run does not change with it.
    Companion,
    /// What only the figures follow: a run does not change with it, and neither do its results.
    Display,
    /// What only the report of the command line shows: not on the page.
    Report,
}

impl Role {
    /// Whether it says which rows and columns of the main table are used, and as what.
    pub fn concerns_the_table(self) -> bool {
        match self {
            Self::Data
            | Self::SecondData
            | Self::Label
            | Self::Positive
            | Self::Split
            | Self::Id
            | Self::Ignored
            | Self::Rows => true,
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

/// A setting of another field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Key of that field.
    pub key: &'static str,
    /// Whether it has one of `values`, or none of them.
    pub is: bool,
    /// Canonical texts.
    pub values: &'static [&'static str],
}

impl Condition {
    /// That the field of that key has one of `values`.
    pub const fn is(key: &'static str, values: &'static [&'static str]) -> Self {
        Self { key, is: true, values }
    }

    /// That the field of that key has none of `values`.
    pub const fn not(key: &'static str, values: &'static [&'static str]) -> Self {
        Self { key, is: false, values }
    }

    /// Whether it holds where that field has the canonical text `value`.
    pub fn holds(&self, value: &str) -> bool {
        self.values.contains(&value) == self.is
    }
}

impl Field {
    /// Whether it names an artefact.
    pub fn is_artefact(&self) -> bool {
        matches!(self.role, Role::Artefact(_))
    }

    /// A setting without words; [`spec!`](crate::spec) and the constructors below say the rest.
    pub const fn new(key: &'static str, kind: Kind, default: &'static str) -> Self {
        Self {
            key,
            label: "",
            symbol: "",
            help: "",
            group: Group::Problem,
            kind,
            default,
            rank: Rank::Usual,
            role: Role::Setting,
            shown_if: &[],
        }
    }

    /// The one of `fields` with that role.
    pub fn with_role(fields: &[Self], role: Role) -> Option<&Self> {
        fields.iter().find(|field| field.role == role)
    }

    /// The label with its symbol.
    pub fn name(&self) -> String {
        if self.symbol.is_empty() { self.label.to_owned() } else { format!("{} {}", self.label, self.symbol) }
    }

    /// Reads the text of this field.
    ///
    /// # Errors
    /// What is expected and the nearest valid text, where `text` is not valid.
    pub fn read(&self, text: &str) -> Result<Value, InputError> {
        let text = text.trim();
        self.kind
            .read(text, self.default)
            .map_err(|nearest| self.error(text).expected(self.expected()).nearest(nearest))
    }

    /// What this field accepts, as a phrase that `Enter` can stand before.
    pub fn expected(&self) -> String {
        self.kind.expected(self.default)
    }

    /// That `given` is not valid here.
    pub fn error(&self, given: impl std::fmt::Display) -> InputError {
        InputError { label: self.name(), ..InputError::new(self.key, given) }
    }

    /// Whether this field, one of `fields`, has an effect with these texts. Where a text that decides it is not valid, it may
    /// have.
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
    fn whole_numbers() {
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
    fn numbers_and_infinity() {
        let kind = |infinity| Kind::Real { min: 0.0, max: 50.0, slider: (0.0, 10.0, 0.1), infinity };
        assert_eq!(field(kind(true), "0.5").read("inf"), Ok(Value::Real(f64::INFINITY)));
        assert_eq!(nearest(&field(kind(false), "0.5"), "inf"), "50");
        assert_eq!(nearest(&field(kind(true), "0.5"), "-1"), "0");
        assert_eq!(nearest(&field(kind(true), "0.5"), "NaN"), "0.5");
    }

    #[test]
    fn lists() {
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
    fn flags_in_any_spelling() {
        let f = field(Kind::Flag, "false");
        for (text, on) in
            [("TRUE", true), ("Yes", true), ("on", true), ("1", true), ("False", false), ("OFF", false)]
        {
            assert_eq!(f.read(text), Ok(Value::Flag(on)), "{text}");
        }
        assert_eq!(nearest(&f, "maybe"), "false");
    }

    #[test]
    fn data_and_texts() {
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
    fn the_nearest_is_always_accepted() {
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
    fn a_field_applies_where_its_conditions_hold() {
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
