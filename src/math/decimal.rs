//! Parsing of decimal numbers.

/// Parses a decimal number to the nearest double, like `str::parse`: with a sign, a point, an exponent, or `inf`, `infinity` and `nan`
/// in upper or lower case.
///
/// The compact algorithm of `lexical` needs none of the standard library's tables, which take 10 kB in a program.
pub fn decimal(text: &str) -> Option<f64> {
    lexical_parse_float::FromLexical::from_lexical(text.as_bytes()).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn as_the_standard_library(text: &str) {
        assert_eq!(decimal(text).map(f64::to_bits), text.parse().ok().map(f64::to_bits), "{text:?}");
    }

    #[test]
    fn texts_are_parsed_as_by_the_standard_library() {
        let numbers = "0 -0 +0 1. .5 -.5 +1 007 1e5 1E+5 1e-5 1.e3 .1e3 5e-324 2e-324 3e-324 1e308 1.8e308 -1e999 1e-999 \
            1e99999999999999999999 1e-99999999999999999999 0e99999999999999999999 inf -inf +Infinity INF iNfInItY \
            9007199254740993 9007199254740992.99999999999999999999 2.2250738585072011e-308 \
            179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692\
            8879191980905803e0";
        let others = ". - + e5 1e 1e+ 1e- -- +-1 1_000 1,5 0x10 1f 1d 1.0.0 1e5.0 infinit in ∞ − −1 １";
        for text in numbers.split_whitespace() {
            assert!(decimal(text).is_some(), "{text}");
            as_the_standard_library(text);
        }
        for text in others.split_whitespace().chain(["", " 1", "1 ", "1\u{a0}", "\n", "1\0"]) {
            assert!(decimal(text).is_none(), "{text:?}");
            as_the_standard_library(text);
        }
        for text in ["nan", "NaN", "-NAN"] {
            assert!(decimal(text).is_some_and(f64::is_nan) && text.parse().is_ok_and(f64::is_nan), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn every_double_is_recovered(bits: u64) {
            let x = f64::from_bits(bits);
            if !x.is_nan() {
                for text in [format!("{x}"), format!("{x:e}"), format!("{x:.40e}"), format!("{x:.5e}")] {
                    as_the_standard_library(&text);
                }
            }
        }

        /// Halfway between two doubles and close to it, all digits matter.
        #[test]
        fn halfway_cases_are_rounded_as_by_the_standard_library(mantissa in 0_u64..1 << 52, digit in 0..=1_u8) {
            let half = u128::from(mantissa | 1 << 52) << 1 | 1;
            as_the_standard_library(&format!("{half}"));
            as_the_standard_library(&format!("{half}.{}{digit}", "0".repeat(60)));
            as_the_standard_library(&format!("{}.{}", half - 1, "9".repeat(60)));
        }

        #[test]
        fn any_text_is_parsed_as_by_the_standard_library(text in "[-+]?[0-9]{0,30}[.,]?[0-9]{0,30}([eE][-+]?[0-9]{0,6})?.?") {
            as_the_standard_library(&text);
        }
    }
}
