//! Choices among a few words: an enum that is its own list of words.

/// An enum of the words that a field accepts. [`choice!`](crate::choice!) declares one.
pub trait Choice: Copy + 'static {
    /// Every word and how it reads in the form, in its order.
    const WORDS: &'static [(&'static str, &'static str)];
    /// The variants in the same order.
    const OFFERED: &'static [Self];
}

/// Declares an enum together with its words. Each variant has the word that links and files use, and the text that the form shows:
///
/// ```
/// meanfield_lab::choice! {
///     /// Covariance function of a Gaussian process.
///     pub enum Kernel {
///         Rbf = "rbf" "squared exponential",
///         Linear = "linear" "linear",
///     }
/// }
/// assert_eq!(Kernel::Rbf.word(), "rbf");
/// assert_eq!(Kernel::Rbf.reads(), "squared exponential");
/// ```
///
/// Variants after a `+` are accepted as well, but the form does not offer them.
#[macro_export]
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $( $(#[$doc:meta])* $variant:ident = $word:literal $reads:literal, )+
            $( + $( $(#[$more_doc:meta])* $more:ident = $more_word:literal $more_reads:literal, )+ )?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $( #[doc = $reads] #[doc = "\n"] $(#[$doc])* $variant, )+
            $( $( #[doc = $more_reads] #[doc = "\n"] $(#[$more_doc])* $more, )+ )?
        }

        impl $name {
            /// Its word in links, specifications and reports.
            $vis const fn word(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )+
                    $( $( Self::$more => $more_word, )+ )?
                }
            }

            /// How it reads.
            #[allow(dead_code, reason = "not every choice is named outside its form")]
            $vis const fn reads(self) -> &'static str {
                match self {
                    $( Self::$variant => $reads, )+
                    $( $( Self::$more => $more_reads, )+ )?
                }
            }
        }

        impl $crate::Choice for $name {
            const WORDS: &'static [(&'static str, &'static str)] = &[$( ($word, $reads) ),+];
            const OFFERED: &'static [Self] = &[$( Self::$variant ),+];
        }

        impl $crate::FieldType for $name {
            fn of(value: &$crate::Value) -> Option<Self> {
                match value {
                    $crate::Value::Choice(word) => match word.as_str() {
                        $( $word => Some(Self::$variant), )+
                        _ => None,
                    },
                    _ => None,
                }
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::super::{FieldType, Value};
    use super::*;

    choice! {
        /// A test's.
        enum Side {
            Left = "left" "to the left",
            Right = "right" "to the right",
            + Neither = "neither" "straight on",
        }
    }

    #[test]
    fn every_word_offered_reads_back_to_its_variant() {
        for (side, (word, reads)) in Side::OFFERED.iter().zip(Side::WORDS) {
            assert_eq!((side.word(), side.reads()), (*word, *reads));
            assert_eq!(Side::of(&Value::Choice((*word).into())), Some(*side));
        }
        assert_eq!(Side::WORDS.len(), 2);
        assert_eq!(Side::of(&Value::Choice(Side::Neither.to_string())), None, "not offered");
        assert_eq!(Side::of(&Value::Flag(true)), None);
    }
}
