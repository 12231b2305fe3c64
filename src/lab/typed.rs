//! Fields that know the type of their values, and how they are built: what a specification is declared with.

use std::ops::Deref;

use super::field::{Condition, Field, Group, Rank, Role};
use super::kind::Kind;
use super::pixels::Pixels;

/// A field whose values become members of type `T`, as a [`spec!`](crate::spec) declares it.
#[derive(Clone, Copy, Debug)]
pub struct TypedField<T> {
    field: Field,
    after: &'static str,
    of: std::marker::PhantomData<fn() -> T>,
}

impl<T> Deref for TypedField<T> {
    type Target = Field;
    fn deref(&self) -> &Field {
        &self.field
    }
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
    /// With this visible label.
    label: &'static str;
    /// With the paper's letter.
    symbol: &'static str;
    /// With this explanation.
    help: &'static str;
    /// In another group than that of what is to be learnt.
    group: Group;
    /// With another default.
    default: &'static str;
    /// With a role.
    role: Role;
    /// With an effect only where all of these hold.
    shown_if: &'static [Condition];
}

impl<T> TypedField<T> {
    /// A field of any kind; the constructors below say which member it becomes.
    const fn new(kind: Kind, default: &'static str) -> Self {
        Self { field: Field::new("", kind, default), after: "", of: std::marker::PhantomData }
    }

    /// The main control of its page, before everything else.
    #[must_use]
    pub const fn knob(mut self) -> Self {
        self.field.rank = Rank::Knob;
        self
    }

    /// Folded away until it is asked for.
    #[must_use]
    pub const fn more(mut self) -> Self {
        self.field.rank = Rank::More;
        self
    }

    /// With this key; [`spec!`](crate::spec) takes the member's name.
    #[must_use]
    pub const fn keyed(mut self, key: &'static str) -> Self {
        self.field.key = key;
        self
    }

    /// In the form right after another field, which is declared in a part.
    #[must_use]
    pub const fn after<U>(mut self, other: &TypedField<U>) -> Self {
        self.after = other.field.key;
        self
    }

    /// Puts the field where it belongs among those that are there.
    pub fn put(&self, fields: &mut Vec<Field>) {
        let before = fields.iter().position(|field| field.key == self.after);
        fields.insert(before.map_or(fields.len(), |place| place + 1), self.field);
    }
}

/// A whole number from `min` to `max`.
pub const fn integer(min: u64, max: u64) -> TypedField<usize> {
    TypedField::new(Kind::Integer { min, max, slider: None }, "1")
}

impl TypedField<usize> {
    /// With a slider from `low` to `high`.
    #[must_use]
    pub const fn slider(mut self, low: u64, high: u64) -> Self {
        if let Kind::Integer { slider, .. } = &mut self.field.kind {
            *slider = Some((low, high));
        }
        self
    }
}

/// A number from `min` to `max`, with a slider from `low` to `high` in steps.
pub const fn real((min, max): (f64, f64), slider: (f64, f64, f64)) -> TypedField<f64> {
    TypedField::new(Kind::Real { min, max, slider, infinity: false }, "0")
}

impl TypedField<f64> {
    /// Infinity is accepted as well.
    #[must_use]
    pub const fn or_infinity(mut self) -> Self {
        if let Kind::Real { infinity, .. } = &mut self.field.kind {
            *infinity = true;
        }
        self
    }
}

/// At most `most` numbers from `min` to `max`; none by default.
pub const fn reals((min, max): (f64, f64), most: usize) -> TypedField<Vec<f64>> {
    TypedField::new(Kind::Reals { min, max, most }, "")
}

/// The user's own points, `number.0` to `number.1` of them, with x and y in these ranges; none by default.
pub const fn points(x: (f64, f64), y: (f64, f64), number: (usize, usize)) -> TypedField<Vec<[f64; 2]>> {
    TypedField::new(Kind::Points { x, y, labels: &[], number }, "")
}

/// The same with a label each.
pub const fn labelled_points(
    x: (f64, f64),
    y: (f64, f64),
    labels: &'static [(f64, &'static str)],
    number: (usize, usize),
) -> TypedField<Vec<[f64; 3]>> {
    TypedField::new(Kind::Points { x, y, labels, number }, "")
}

/// A picture of `columns` × `rows` pixels and 2 to 255 grey levels; none by default.
pub const fn pixels(columns: usize, rows: usize, levels: u8) -> TypedField<Option<Pixels>> {
    TypedField::new(Kind::Pixels { size: (columns, rows), levels, missing: false }, "")
}

impl TypedField<Option<Pixels>> {
    /// Pixels may be missing.
    #[must_use]
    pub const fn may_miss(mut self) -> Self {
        if let Kind::Pixels { missing, .. } = &mut self.field.kind {
            *missing = true;
        }
        self
    }
}

/// An artefact of that kind; on the page, where none is named, the newest that the run has made.
pub const fn artefact(kind: &'static str) -> TypedField<Option<crate::data::DataRef>> {
    TypedField::new(Kind::Data, "").role(Role::Artefact(kind))
}

/// On or off; off by default.
pub const fn flag() -> TypedField<bool> {
    TypedField::new(Kind::Flag, "false")
}

/// One of the words of `T`; the first by default.
pub const fn choice<T: super::Choice>() -> TypedField<T> {
    TypedField::new(Kind::Choice(T::WORDS), T::WORDS[0].0)
}

/// A data set, or none.
pub const fn data(role: Role) -> TypedField<Option<crate::data::DataRef>> {
    TypedField::new(Kind::Data, "").role(role)
}

/// A line of at most `most` characters.
pub const fn text(most: usize) -> TypedField<String> {
    TypedField::new(Kind::Text { most }, "")
}

/// A seed of random numbers.
pub const fn seed() -> TypedField<u64> {
    TypedField::new(Kind::Integer { min: 0, max: u64::MAX, slider: None }, "1").role(Role::Seed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_can_stand_after_one_of_another_part() {
        let mut fields = vec![*flag().keyed("a"), *flag().keyed("b")];
        flag().keyed("c").after(&flag().keyed("a")).put(&mut fields);
        flag().keyed("d").put(&mut fields);
        assert_eq!(fields.iter().map(|field| field.key).collect::<Vec<_>>(), ["a", "c", "b", "d"]);
    }
}
