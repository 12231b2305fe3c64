//! Enumerations whose variants have a word for links and files and a label for people.

/// An enumeration declared by [`choice!`](crate::choice!).
pub trait Choice: Copy + 'static {
    /// Word and label of each variant that a form offers, in the order of declaration.
    const WORDS: &'static [(&'static str, &'static str)];

    /// Returns the offered variant with that word.
    fn from_word(word: &str) -> Option<Self>;
}

/// Declares an enumeration. Each variant has the word that links and files use, and the label that a form shows:
///
/// ```
/// use meanfield_math::Choice;
///
/// meanfield_math::choice! {
///     /// Covariance function of a Gaussian process.
///     pub enum Kernel {
///         Rbf = "rbf" "squared exponential",
///         Linear = "linear" "linear",
///     }
/// }
/// assert_eq!(Kernel::Rbf.word(), "rbf");
/// assert_eq!(Kernel::Rbf.label(), "squared exponential");
/// assert!(Kernel::from_word("linear").is_some());
/// ```
///
/// Variants after a `+` have a word and a label too, but are not offered: [`Choice::from_word`] does not return them.
#[macro_export]
macro_rules! choice {
    (
        $(#[$outer:meta])*
        $vis:vis enum $name:ident {
            $( $(#[$doc:meta])* $variant:ident = $word:literal $label:literal, )+
            $( + $( $(#[$more_doc:meta])* $more:ident = $more_word:literal $more_label:literal, )+ )?
        }
    ) => {
        $(#[$outer])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $( #[doc = $label] #[doc = "\n"] $(#[$doc])* $variant, )+
            $( $( #[doc = $more_label] #[doc = "\n"] $(#[$more_doc])* $more, )+ )?
        }

        impl $name {
            /// Returns the word used in links, specifications and reports.
            $vis const fn word(self) -> &'static str {
                match self {
                    $( Self::$variant => $word, )+
                    $( $( Self::$more => $more_word, )+ )?
                }
            }

            /// Returns the label shown to people.
            #[allow(dead_code, reason = "not every choice is shown outside its form")]
            $vis const fn label(self) -> &'static str {
                match self {
                    $( Self::$variant => $label, )+
                    $( $( Self::$more => $more_label, )+ )?
                }
            }
        }

        impl $crate::Choice for $name {
            const WORDS: &'static [(&'static str, &'static str)] = &[$( ($word, $label) ),+];

            fn from_word(word: &str) -> Option<Self> {
                match word {
                    $( $word => Some(Self::$variant), )+
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
    use super::*;

    choice! {
        /// Direction of a turn.
        enum Direction {
            Left = "left" "to the left",
            Right = "right" "to the right",
            + Neither = "neither" "straight on",
        }
    }

    #[test]
    fn offered_words_read_back_to_their_variants() {
        for (word, label) in Direction::WORDS {
            let direction = Direction::from_word(word).unwrap();
            assert_eq!((direction.word(), direction.label()), (*word, *label));
        }
        assert_eq!(Direction::WORDS.len(), 2);
        assert_eq!(Direction::from_word(&Direction::Neither.to_string()), None, "not offered");
    }
}
