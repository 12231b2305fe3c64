//! Words for differences of log probabilities.

use crate::figure::{percent, rounded};

/// Describes a difference of log probabilities in nats: `22 % less probable`, `3.1 times more probable`.
pub fn likelier(nats: f64) -> String {
    let which = if nats < 0.0 { "less" } else { "more" };
    match size(nats) {
        RatioSize::Share(share) => format!("{} {which} probable", percent(share)),
        RatioSize::Factor(times) => format!("{} times {which} probable", rounded(times)),
    }
}

/// Describes the relative error of a probability, given the error of its logarithm in nats: `22 % too low`, `too high by a factor of 3.1`.
pub fn misjudged(nats: f64) -> String {
    let which = if nats < 0.0 { "too low" } else { "too high" };
    match size(nats) {
        RatioSize::Share(share) => format!("{} {which}", percent(share)),
        RatioSize::Factor(times) => format!("{which} by a factor of {}", rounded(times)),
    }
}

/// Size of a ratio of probabilities.
enum RatioSize {
    /// Share by which the first is smaller or larger.
    Share(f64),
    /// Factor between both.
    Factor(f64),
}

fn size(nats: f64) -> RatioSize {
    let times = libm::exp(nats.abs());
    let share = if nats < 0.0 { 1.0 - 1.0 / times } else { times - 1.0 };
    if share < 0.995 { RatioSize::Share(share) } else { RatioSize::Factor(times) }
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
        assert_eq!([-0.25, 2.0].map(misjudged), ["22 % too low", "too high by a factor of 7.39"]);
    }
}
