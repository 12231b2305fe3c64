//! Fields with the type of their values, and their constructors: a specification is declared with these.

use std::ops::Deref;

use super::field::{Condition, Field, Group, Meaning, Rank, Role};
use super::kind::{Kind, Value};
use super::pixels::Pixels;
use crate::data::DataRef;
use crate::math::Choice;

/// A field whose values become members of type `T` of a specification, see [`spec!`](crate::spec).
#[derive(Clone, Copy, Debug)]
pub struct TypedField<T> {
    field: Field,
    /// Key of the field that it follows in the form; empty for the last place.
    after: &'static str,
    /// Returns the member; `None` for a value of another kind.
    read: fn(&Value) -> Option<T>,
}

impl<T> Deref for TypedField<T> {
    type Target = Field;
    fn deref(&self) -> &Field {
        &self.field
    }
}

/// A function that returns the member for one variant of [`Value`].
macro_rules! reader {
    ($variant:ident($value:ident) => $member:expr) => {
        |value| match value {
            Value::$variant($value) => Some($member),
            _ => None,
        }
    };
}

macro_rules! builders {
    ($($(#[$doc:meta])* $name:ident: $type:ty;)*) => {
        impl<T> TypedField<T> {
            $($(#[$doc])*
            #[must_use]
            pub const fn $name(mut self, $name: $type) -> Self {
                self.field.$name = $name;
                self
            })*
        }
    };
}

builders! {
    /// Sets the visible label.
    label: &'static str;
    /// Sets the paper's symbol.
    symbol: &'static str;
    /// Sets the help text.
    help: &'static str;
    /// Sets the meaning of its number.
    meaning: Option<Meaning>;
    /// Sets the group, which is [`Group::Problem`] by default.
    group: Group;
    /// Sets the default.
    default: &'static str;
    /// Sets the role.
    role: Role;
    /// Sets the conditions under which the field has an effect; all of them must hold.
    shown_if: &'static [Condition];
}

impl<T> TypedField<T> {
    const fn new(kind: Kind, default: &'static str, read: fn(&Value) -> Option<T>) -> Self {
        Self { field: Field::new("", kind, default), after: "", read }
    }

    /// Returns the member for a value; `None` for a value of another kind.
    pub fn member(&self, value: &Value) -> Option<T> {
        (self.read)(value)
    }

    /// Returns true if `value` is the default.
    pub fn is_default(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.field.read(self.field.default).is_ok_and(|default| self.member(&default).as_ref() == Some(value))
    }

    /// Makes it the main control of its page, shown above the form.
    #[must_use]
    pub const fn knob(mut self) -> Self {
        self.field.rank = Rank::Knob;
        self
    }

    /// Moves it to the folded part of the form.
    #[must_use]
    pub const fn more(mut self) -> Self {
        self.field.rank = Rank::More;
        self
    }

    /// Sets the key; [`spec!`](crate::spec) passes the name of the member.
    #[must_use]
    pub const fn keyed(mut self, key: &'static str) -> Self {
        self.field.key = key;
        self
    }

    /// Places it in the form after a field of an embedded record.
    #[must_use]
    pub const fn after<U>(mut self, other: &TypedField<U>) -> Self {
        self.after = other.field.key;
        self
    }

    /// Inserts the field at its place in a form.
    pub fn put(&self, fields: &mut Vec<Field>) {
        let previous = fields.iter().position(|field| field.key == self.after);
        fields.insert(previous.map_or(fields.len(), |index| index + 1), self.field);
    }
}

/// Returns a field of whole numbers from `min` to `max`.
pub const fn integer(min: u64, max: u64) -> TypedField<usize> {
    TypedField::new(Kind::Integer { min, max, slider: None }, "1", reader!(Integer(n) => *n as usize))
}

impl TypedField<usize> {
    /// Adds a slider from `low` to `high`.
    #[must_use]
    pub const fn slider(mut self, low: u64, high: u64) -> Self {
        if let Kind::Integer { slider, .. } = &mut self.field.kind {
            *slider = Some((low, high));
        }
        self
    }
}

/// Returns a field of numbers from `min` to `max`, with the low end, the high end and the step of its slider.
pub const fn real((min, max): (f64, f64), slider: (f64, f64, f64)) -> TypedField<f64> {
    TypedField::new(Kind::Real { min, max, slider, infinity: false }, "0", reader!(Real(x) => *x))
}

impl TypedField<f64> {
    /// Accepts infinity, too.
    #[must_use]
    pub const fn or_infinity(mut self) -> Self {
        if let Kind::Real { infinity, .. } = &mut self.field.kind {
            *infinity = true;
        }
        self
    }
}

/// Returns a field of at most `most` numbers from `min` to `max`; empty by default.
pub const fn reals((min, max): (f64, f64), most: usize) -> TypedField<Vec<f64>> {
    TypedField::new(Kind::Reals { min, max, most }, "", reader!(Reals(list) => list.clone()))
}

/// Returns a field of `number.0` to `number.1` points drawn by the user, with ranges of x and y; empty by default.
pub const fn points(x: (f64, f64), y: (f64, f64), number: (usize, usize)) -> TypedField<Vec<[f64; 2]>> {
    let kind = Kind::Points { x, y, labels: &[], number };
    TypedField::new(kind, "", reader!(Points(points) => points.clone()))
}

/// Returns a field of points like [`points`], each with a label.
pub const fn labelled_points(
    x: (f64, f64),
    y: (f64, f64),
    labels: &'static [(f64, &'static str)],
    number: (usize, usize),
) -> TypedField<Vec<[f64; 3]>> {
    let kind = Kind::Points { x, y, labels, number };
    TypedField::new(kind, "", reader!(Labelled(points) => points.clone()))
}

/// Returns a field for an image of `columns` × `rows` pixels with 2 to 255 grey levels; empty by default.
pub const fn pixels(columns: usize, rows: usize, levels: u8) -> TypedField<Option<Pixels>> {
    let kind = Kind::Pixels { size: (columns, rows), levels, missing: false };
    TypedField::new(kind, "", reader!(Pixels(pixels) => pixels.clone()))
}

impl TypedField<Option<Pixels>> {
    /// Accepts missing pixels.
    #[must_use]
    pub const fn may_miss(mut self) -> Self {
        if let Kind::Pixels { missing, .. } = &mut self.field.kind {
            *missing = true;
        }
        self
    }
}

/// Returns a field that names an artefact of that kind; if it is empty, the page takes the newest artefact of its run.
pub const fn artefact(kind: &'static str) -> TypedField<Option<DataRef>> {
    data(Role::Artefact(kind))
}

/// Returns a switch, off by default.
pub const fn flag() -> TypedField<bool> {
    TypedField::new(Kind::Flag, "false", reader!(Flag(on) => *on))
}

/// Returns a choice among the words of `T`; the first is the default.
pub const fn choice<T: Choice>() -> TypedField<T> {
    TypedField::new(Kind::Choice(T::WORDS), T::WORDS[0].0, |value| match value {
        Value::Choice(word) => T::from_word(word),
        _ => None,
    })
}

/// Returns a field that names a data set; empty by default.
pub const fn data(role: Role) -> TypedField<Option<DataRef>> {
    TypedField::new(Kind::Data, "", reader!(Data(data) => data.clone())).role(role)
}

/// Returns a field for a line of at most `most` characters.
pub const fn text(most: usize) -> TypedField<String> {
    TypedField::new(Kind::Text { most }, "", reader!(Text(text) => text.clone()))
}

/// Returns the field for the seed of the random streams.
pub const fn seed() -> TypedField<u64> {
    let kind = Kind::Integer { min: 0, max: u64::MAX, slider: None };
    TypedField::new(kind, "1", reader!(Integer(n) => *n)).role(Role::Seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_can_follow_a_field_of_an_embedded_record() {
        let mut fields = vec![*flag().keyed("a"), *flag().keyed("b")];
        flag().keyed("c").after(&flag().keyed("a")).put(&mut fields);
        flag().keyed("d").put(&mut fields);
        assert_eq!(fields.iter().map(|field| field.key).collect::<Vec<_>>(), ["a", "c", "b", "d"]);
    }
}
