//! From texts to a checked specification. Only a [`Checked`] one can be run: parse, don't validate.

use super::field::Field;
use super::input_error::InputError;
use super::values::Raw;
use super::values::Values;

/// A struct whose members are fields; [`spec!`](crate::spec) declares one.
pub trait Record: Clone + 'static {
    /// A struct with a [`super::TypedField`] of the same name for each member.
    type Fields: 'static;
    /// Names of the members and the values that they accept.
    const FIELDS: Self::Fields;
    /// Returns its fields in the order of the form.
    fn fields() -> &'static [Field];
    /// Returns the fields, where a record that embeds this one has changed some of them.
    fn list(fields: &Self::Fields) -> Vec<Field>;
    /// Reads values that [`Checked::new`] has found valid one by one.
    fn read(values: &Values) -> Self;
}

/// The settings of a task.
pub trait Spec: Record {
    /// Returns the errors between fields.
    fn problems(&self) -> Vec<InputError> {
        Vec::new()
    }
}

/// Declares the specification of a task. From one entry for each member it makes the struct, the fields of the form, and the
/// reader of texts.
///
/// ```
/// use meanfield_lab::{Checked, Spec, flag, integer, raw_of};
///
/// meanfield_lab::spec! {
///     /// Settings of a Markov chain.
///     pub struct ChainSpec {
///         /// Number of draws.
///         draws: usize = integer(1, 100_000)
///             .slider(100, 10_000)
///             .label("Draws")
///             .help("Number of draws after the warm-up.")
///             .default("1000"),
///         /// True if every second draw is dropped; without effect on a single draw.
///         thin: bool = flag().label("Thinning").help("Drops every second draw.") => draws not ["1"],
///     }
/// }
/// impl Spec for ChainSpec {}
///
/// let spec = Checked::<ChainSpec>::new(&raw_of([("draws", "50")])).unwrap();
/// assert_eq!((spec.draws, spec.thin), (50, false));
/// let errors = Checked::<ChainSpec>::new(&raw_of([("draws", "0")])).unwrap_err();
/// assert_eq!((errors[0].field.as_str(), errors[0].nearest.as_deref()), ("draws", Some("1")));
/// ```
///
/// The key of a field is the name of its member. The condition after `=>` says with which settings of other fields it has an
/// effect: `key is [values]` or `key not [values]`, several joined by `&&`. With other settings the field is not shown and has its
/// default. Fields that several specifications share are a record of their own, embedded by `..name: Record { … }`; the braces can
/// change some of its fields.
#[macro_export]
macro_rules! spec {
    (
        $(#[$outer:meta])*
        $vis:vis struct $name:ident {
            $( ..$part:ident: $part_type:ty { $( $changed:ident = $change:expr ),* $(,)? }, )?
            $(
                $(#[$doc:meta])*
                $member:ident: $type:ty = $field:expr
                    $( => $( $cond:ident $test:ident [ $( $word:expr ),+ ] )&&+ )?,
            )*
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $(
                /// Fields shared with other specifications.
                pub $part: $part_type,
            )?
            $( $(#[$doc])* pub $member: $type, )*
        }

        const _: () = {
            /// Names of the members and the values that they accept.
            pub struct Fields {
                $(
                    /// Fields of the part.
                    pub $part: <$part_type as $crate::Record>::Fields,
                )?
                $( $(#[$doc])* pub $member: $crate::TypedField<$type>, )*
            }

            impl $name {
                /// Names of the members and the values that they accept.
                $vis const FIELDS: Fields = <Self as $crate::Record>::FIELDS;
            }

            impl $crate::Record for $name {
                type Fields = Fields;

                const FIELDS: Fields = Fields {
                    $(
                        $part: {
                            #[allow(unused_mut, reason = "nothing may be changed")]
                            let mut part = <$part_type as $crate::Record>::FIELDS;
                            $( part.$changed = $change.keyed(stringify!($changed)); )*
                            part
                        },
                    )?
                    $(
                        $member: $field.keyed(stringify!($member))
                            $( .shown_if(const { &[ $(
                                $crate::Condition::$test(stringify!($cond), const { &[ $( $word ),+ ] })
                            ),+ ] }) )?,
                    )*
                };

                fn fields() -> &'static [$crate::Field] {
                    static LIST: ::std::sync::LazyLock<Vec<$crate::Field>> =
                        ::std::sync::LazyLock::new(|| <$name as $crate::Record>::list(&$name::FIELDS));
                    &LIST
                }

                fn list(fields: &Fields) -> Vec<$crate::Field> {
                    #[allow(unused_mut, reason = "there may be nothing but a part")]
                    let mut list = Vec::new();
                    $( list.extend(<$part_type as $crate::Record>::list(&fields.$part)); )?
                    $( fields.$member.put(&mut list); )*
                    list
                }

                fn read(values: &$crate::Values) -> Self {
                    Self {
                        $( $part: $crate::Record::read(values), )?
                        $( $member: values.get(&Self::FIELDS.$member), )*
                    }
                }
            }
        };

        $( $crate::spec! { @deref $name $part: $part_type } )?
    };
    (@deref $name:ident $part:ident: $part_type:ty) => {
        impl ::std::ops::Deref for $name {
            type Target = $part_type;
            fn deref(&self) -> &$part_type {
                &self.$part
            }
        }
    };
}

/// A specification that is valid, with the values it was read from. A field that has no effect with the other settings has
/// its default: specifications that differ in nothing else are equal.
#[derive(Clone, Debug)]
pub struct Checked<S> {
    spec: S,
    values: Values,
}

impl<S> std::ops::Deref for Checked<S> {
    type Target = S;
    fn deref(&self) -> &S {
        &self.spec
    }
}

impl<S: Spec> Checked<S> {
    /// Checks texts against the fields of `S`, one by one and then together.
    ///
    /// # Errors
    /// Every problem found.
    pub fn new(raw: &Raw) -> Result<Self, Vec<InputError>> {
        let fields = S::fields();
        let values = check_values(fields, raw)?;
        let spec = S::read(&values);
        let problems = spec.problems();
        if problems.is_empty() {
            Ok(Self { spec, values })
        } else {
            Err(problems.into_iter().map(|problem| problem.labelled(fields)).collect())
        }
    }

    /// Reads values that [`Self::new`] has checked.
    pub fn of_values(values: &Values) -> Self {
        Self { spec: S::read(values), values: values.clone() }
    }

    /// Returns all values, defaults filled in.
    pub fn values(&self) -> &Values {
        &self.values
    }
}

/// Checks each text against its field; unknown keys are problems too. Every text has to be valid, even where it has no effect.
///
/// # Errors
/// Every problem found.
fn check_values(fields: &[Field], raw: &Raw) -> Result<Values, Vec<InputError>> {
    let mut problems = Vec::new();
    let mut values = Vec::new();
    let text = |key: &str| raw.get(key).map(String::as_str);
    for field in fields {
        let read = field.read(text(field.key).unwrap_or(field.default));
        let applied =
            read.and_then(
                |value| {
                    if field.applies(fields, text) { Ok(value) } else { field.read(field.default) }
                },
            );
        match applied {
            Ok(value) => values.push((field.key.to_owned(), value)),
            Err(problem) => problems.push(problem),
        }
    }
    for (key, text) in raw.iter().filter(|(key, _)| fields.iter().all(|f| f.key != *key)) {
        let known: Vec<&str> = fields.iter().map(|f| f.key).collect();
        let why = format!("there is no such field, only {}", known.join(", "));
        problems.push(InputError::new(key, text).because(why));
    }
    if problems.is_empty() { Ok(Values::new(values)) } else { Err(problems) }
}

/// Returns the nearest specification that `check` accepts, and what had to be changed for it.
pub fn mend(raw: &Raw, check: impl Fn(&Raw) -> Result<(), Vec<InputError>>) -> (Raw, Vec<InputError>) {
    let mut raw = raw.clone();
    let mut changed = Vec::new();
    // Mending a field can only uncover a problem between fields, so two rounds settle what can be settled;
    // a third guards against a check whose advice it does not take itself.
    for _ in 0..3 {
        let Err(problems) = check(&raw) else { return (raw, changed) };
        for problem in problems {
            match &problem.nearest {
                Some(nearest) => drop(raw.insert(problem.field.clone(), nearest.clone())),
                None => drop(raw.remove(&problem.field)),
            }
            changed.push(problem);
        }
    }
    // The defaults are always valid.
    (if check(&raw).is_ok() { raw } else { Raw::new() }, changed)
}

#[cfg(test)]
mod tests {
    use super::super::typed::{flag, integer};
    use super::*;

    spec! {
        /// A test's.
        struct Sizes {
            /// N.
            inputs: usize = integer(1, 100).symbol("N").default("60"),
            /// K.
            hidden: usize = integer(1, 10).symbol("K").default("3"),
        }
    }

    spec! {
        /// A test's, with a part.
        struct Pair {
            ..sizes: Sizes { hidden = Sizes::FIELDS.hidden.default("2") },
            /// Of use to more than one hidden unit.
            shared: bool = flag().after(&Sizes::FIELDS.inputs) => hidden not ["1"],
        }
    }

    impl Spec for Pair {
        fn problems(&self) -> Vec<InputError> {
            if self.inputs.is_multiple_of(self.hidden) {
                return Vec::new();
            }
            let multiple = (self.inputs / self.hidden * self.hidden).max(self.hidden);
            let error = Sizes::FIELDS.inputs.error(self.inputs);
            vec![error.expected(format!("a multiple of K = {}", self.hidden)).nearest(multiple)]
        }
    }

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect()
    }

    #[test]
    fn fields_of_a_part_are_those_of_the_whole() {
        let fields = Pair::fields();
        let said: Vec<_> = fields.iter().map(|field| (field.key, field.default)).collect();
        assert_eq!(said, [("inputs", "60"), ("shared", "false"), ("hidden", "2")]);
        assert_eq!(Sizes::FIELDS.hidden.default, "3", "the part itself is as it was");
    }

    #[test]
    fn defaults_are_filled_in() {
        let spec = Checked::<Pair>::new(&raw(&[("hidden", "5"), ("shared", "on")])).unwrap();
        assert_eq!((spec.inputs, spec.hidden, spec.shared), (60, 5, true));
        assert_eq!(spec.values().to_raw(), raw(&[("hidden", "5"), ("inputs", "60"), ("shared", "true")]));
    }

    #[test]
    fn what_has_no_effect_has_its_default() {
        let spec = |shared| Checked::<Pair>::new(&raw(&[("hidden", "1"), ("shared", shared)]));
        assert_eq!(spec("true").unwrap().values(), spec("false").unwrap().values());
        assert!(!spec("true").unwrap().shared);
        assert_eq!(spec("perhaps").unwrap_err()[0].field, "shared", "but it has to be valid");
    }

    #[test]
    fn every_problem_is_named_at_once() {
        let problems =
            Checked::<Pair>::new(&raw(&[("hidden", "0"), ("inputs", "x"), ("colour", "red")])).unwrap_err();
        let fields: Vec<&str> = problems.iter().map(|p| p.field.as_str()).collect();
        assert_eq!(fields, ["inputs", "hidden", "colour"]);
    }

    #[test]
    fn mending_takes_the_nearest_and_says_so() {
        let check = |raw: &Raw| Checked::<Pair>::new(raw).map(|_| ());
        let (mended, changed) = mend(&raw(&[("hidden", "77"), ("inputs", "66"), ("colour", "red")]), check);
        assert_eq!(mended, raw(&[("hidden", "10"), ("inputs", "60")]));
        assert_eq!(changed.len(), 3);
        assert!(check(&mended).is_ok());
    }
}
