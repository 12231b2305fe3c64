//! Words for differences of log probabilities.

use crate::figure::{percent, rounded};

/// Describes a difference of log probabilities in nats: `22 % less probable`, `3.1 times more probable`.
pub fn likelier(nats: f64) -> String {
    compared(nats, ["less probable", "more probable"])
}

/// Describes an error of a log probability in nats: `22 % too low`, `3.1 times too high`.
pub fn misjudged(nats: f64) -> String {
    compared(nats, ["too low", "too high"])
}

fn compared(nats: f64, [lower, higher]: [&str; 2]) -> String {
    let which = if nats < 0.0 { lower } else { higher };
    let times = libm::exp(nats.abs());
    let share = if nats < 0.0 { 1.0 - 1.0 / times } else { times - 1.0 };
    if share < 0.995 {
        format!("{} {which}", percent(share))
    } else {
        format!("{} times {which}", rounded(times))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_read_as_ratios_of_probabilities() {
        let texts = [-0.25, 0.25, -core::f64::consts::LN_2, 2.0, -7.0].map(likelier);
        assert_eq!(
            texts,
            [
                "22 % less probable",
                "28 % more probable",
                "50 % less probable",
                "7.39 times more probable",
                "1097 times less probable"
            ]
        );
        assert_eq!([-0.25, 2.0].map(misjudged), ["22 % too low", "7.39 times too high"]);
    }
}
