//! Settings of the playground.

use super::Method;
use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Preset, Role, Spec, choice, integer, labelled_points};
use crate::models::gp::fields::{
    COMBINE, KAPPA, KERNEL, KERNEL2, NOISE, PERIOD, PERIOD2, RATIO2, SIGMA2, covariance_settings,
};
use crate::models::gp::solver::kernel::{Combination, KernelKind};

/// Fewest points.
const MIN_POINTS: usize = 2;
/// Most points.
const MAX_POINTS: usize = 300;

/// Labels of the two classes.
const LABELS: &[(f64, &str)] = &[(1.0, "+1"), (-1.0, "−1")];

crate::choice! {
    /// A generator of points.
    pub enum PointSet {
        Moons = "moons" "two moons",
        Xor = "xor" "four clouds (XOR)",
        Rings = "rings" "a disc in a ring",
        Mixture = "mixture" "overlapping clouds",
        Draw = "draw" "a draw from the process itself",
        Own = "own" "your own",
    }
}

crate::choice! {
    /// Content of the large map.
    pub enum MapContent {
        Probability = "probability" "probability of +1",
        Error = "error" "error against exact",
    }
}

crate::spec! {
    /// Settings of the playground: points in the plane and a classifier for them.
    pub struct PlaySpec {
        /// Generator of the points.
        set: PointSet = choice().label("Points").help("How the points are drawn. Discs are +1, squares −1."),
        /// Number of points m.
        examples: usize = integer(MIN_POINTS as u64, MAX_POINTS as u64)
            .slider(4, 200)
            .label("Examples")
            .symbol("m")
            .help("Number of points.")
            .default("40")
            => set not [PointSet::Own.word()],
        /// The user's points: x, y and label of each.
        points: Vec<[f64; 3]> = labelled_points((-10.0, 10.0), (-10.0, 10.0), LABELS, (MIN_POINTS, MAX_POINTS))
            .label("Your own points")
            .help("s₁, s₂ and ±1 of each point. Drag, add and delete them in the map.")
            .more()
            => set is [PointSet::Own.word()],
        /// Covariance function.
        kernel: KernelKind = KERNEL,
        /// Period p of the periodic covariance function.
        period: f64 = PERIOD => kernel is [KernelKind::Periodic.word()],
        /// Combination with a second covariance function.
        combine: Combination = COMBINE,
        /// Second covariance function.
        kernel2: KernelKind = KERNEL2 => combine not [Combination::None.word()],
        /// Squared length scale of the second function, divided by that of the first.
        ratio2: f64 = RATIO2 => combine not [Combination::None.word()],
        /// Period of a periodic second function.
        period2: f64 = PERIOD2 => combine not [Combination::None.word()],
        /// Squared length scale σ² = 1/(N w).
        sigma2: f64 = SIGMA2,
        /// Probability κ that a label is flipped.
        kappa: f64 = KAPPA,
        /// Noise variance v of the latent function.
        v: f64 = NOISE,
        /// Method of the large map.
        method: Method = choice()
            .label("Method")
            .help("What the large map shows: TAP, naive mean field, or Laplace's approximation, which needs v > 0.")
            .group(Group::Method)
            .knob(),
        /// Content of the large map.
        content: MapContent = choice()
            .label("Map")
            .help("Content of the large map: the probability of +1 by the method, or its difference from the exact posterior.")
            .group(Group::Method)
            .role(Role::Display)
            .knob(),
        /// Moves of all Markov chains together.
        draws: usize = integer(100, 100_000)
            .slider(200, 10_000)
            .label("MCMC draws")
            .help("Steps of all Markov chains that sample the exact posterior, the reference for the other methods.")
            .group(Group::Run)
            .more()
            .default("2000"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new("Two moons", "A curved boundary between two half circles.", ""),
    Preset::new(
        "Naive against TAP",
        "Many overlapping points: naive probabilities are too close to 0 and 1, Laplace's too close to one half.",
        "set=mixture&examples=120&sigma2=0.2&v=0.3&method=naive",
    ),
    Preset::new(
        "No noise",
        "No noise: the boundary passes between all points of different classes.",
        "set=rings&examples=60&v=0&sigma2=0.1",
    ),
    Preset::new(
        "Wrong labels",
        "One label in ten is flipped, and the model knows this rate.",
        "set=xor&examples=80&kappa=0.1&v=0.05",
    ),
    Preset::new(
        "Straight boundary",
        "The linear kernel: a perceptron.",
        "set=mixture&kernel=linear&sigma2=1&v=0.5",
    ),
];

covariance_settings!(PlaySpec);

impl Spec for PlaySpec {
    fn problems(&self) -> Vec<InputError> {
        let fields = Self::FIELDS;
        if self.set == PointSet::Own && self.points.is_empty() {
            let why = format!("at least {MIN_POINTS} points of your own are required");
            return vec![fields.set.error(self.set).because(why).nearest(PointSet::Moons)];
        }
        if self.method == Method::Laplace && self.v == 0.0 {
            let expected = "a positive number for Laplace's approximation, whose likelihood is a probit";
            return vec![fields.v.error(0).expected(expected).nearest("0.02")];
        }
        Vec::new()
    }
}

impl PlaySpec {
    /// Returns the number of points m.
    pub fn count(&self) -> usize {
        if self.set == PointSet::Own { self.points.len() } else { self.examples }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Checked, Raw, mend};

    fn raw(pairs: &[(&str, &str)]) -> Raw {
        pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
    }

    #[test]
    fn invalid_points_are_reported_and_corrected() {
        let check = |raw: &Raw| Checked::<PlaySpec>::new(raw).map(|_| ());
        let problem = |points: &str, set: &str| {
            let raw = raw(&[("points", points), ("set", set), ("examples", "2")]);
            let problem = check(&raw).unwrap_err().remove(0);
            let (mended, _) = mend(&raw, check);
            (problem.field, mended["points"].clone(), mended["set"].clone())
        };
        let is = |field: &str, points: &str, set: &str| (field.to_owned(), points.to_owned(), set.to_owned());
        let two = "0,0,1,1,1,-1";
        assert_eq!(problem("0,0,1,1,1,-0.5", "own"), is("points", two, "own"), "an invalid label");
        assert_eq!(problem(&format!("{two},3,4"), "own"), is("points", two, "own"));
        assert_eq!(problem("1,2,1", "own"), is("points", "", "moons"), "too few points");
        assert!(check(&raw(&[("points", two), ("set", "own"), ("examples", "2")])).is_ok());
    }
}
