//! What the playground can be told.

use super::Method;
use crate::lab::{Field, Group, InputError, Kind, Preset, Spec, Values};
use crate::models::gp::fields::{KAPPA, KERNEL, KernelKind, NOISE, SIGMA2};

/// Specification of the playground: points of the plane and a classifier for them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaySpec {
    /// How the points are drawn.
    pub set: PointSet,
    /// How many.
    pub examples: usize,
    /// A person's own points: x, y and label of each. They count where the set is [`PointSet::Own`].
    pub points: Vec<[f64; 3]>,
    /// Numbers after the last whole point, 0 to 2: there must be none.
    pub rest: usize,
    /// Covariance function.
    pub kernel: KernelKind,
    /// σ²: the inverse of N times the inputs' weight.
    pub sigma2: f64,
    /// Probability that a label is flipped.
    pub kappa: f64,
    /// Noise variance of the fields.
    pub v: f64,
    /// Which method the live map shows.
    pub method: Method,
    /// Moves of the sampler.
    pub draws: usize,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum PointSet {
    Moons,
    Xor,
    Rings,
    Mixture,
    /// Labels from the Gaussian process itself.
    Draw,
    /// Put there by hand.
    Own,
}

/// Fewest and most points.
pub(super) const FEWEST: usize = 2;
pub(super) const MOST: usize = 300;

static FIELDS: [Field; 10] = [
    Field {
        key: "set",
        label: "Points",
        symbol: "",
        help: "What is to be told apart: circles are +1, squares −1.",
        group: Group::Problem,
        kind: Kind::Choice(&[
            ("moons", "two moons"),
            ("xor", "four clouds (XOR)"),
            ("rings", "a disc in a ring"),
            ("mixture", "overlapping clouds"),
            ("draw", "a draw from the process itself"),
            ("own", "your own"),
        ]),
        default: "moons",
    },
    Field {
        key: "examples",
        label: "Examples",
        symbol: "m",
        help: "Number of points.",
        group: Group::Problem,
        kind: Kind::Integer { min: FEWEST as u64, max: MOST as u64, slider: Some((4, 200)) },
        default: "40",
    },
    Field {
        key: "points",
        label: "Your own points",
        symbol: "",
        help: "Drag, click and delete them in the large map. Here: s₁, s₂ and ±1 of each.",
        group: Group::Problem,
        kind: Kind::Reals { min: -10.0, max: 10.0, most: 3 * MOST },
        default: "",
    },
    KERNEL,
    SIGMA2,
    KAPPA,
    NOISE,
    Field {
        key: "method",
        label: "Method of the large map",
        symbol: "",
        help: "TAP, the naive mean field, or Laplace's approximation, which needs v > 0.",
        group: Group::Method,
        kind: Kind::Choice(&[("tap", "TAP"), ("naive", "naive mean field"), ("laplace", "Laplace")]),
        default: "tap",
    },
    Field {
        key: "draws",
        label: "Moves of the sampler",
        symbol: "",
        help: "Of all Markov chains through the exact posterior, the truth that the others are compared with.",
        group: Group::Run,
        kind: Kind::Integer { min: 100, max: 100_000, slider: Some((200, 10_000)) },
        default: "2000",
    },
    Field {
        key: "seed",
        label: "Seed",
        symbol: "",
        help: "The same seed gives the same points and the same chains, on every machine.",
        group: Group::Run,
        kind: Kind::Integer { min: 0, max: u64::MAX, slider: None },
        default: "1",
    },
];

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset { label: "Two moons", help: "A curved border between two half circles.", query: "" },
    Preset {
        label: "Naive against TAP",
        help: "Many overlapping points: the naive theory is far too sure of itself.",
        query: "set=mixture&examples=120&sigma2=0.2&v=0.3&method=naive",
    },
    Preset {
        label: "Hard labels",
        help: "No noise at all: every point is obeyed, and the border wriggles between them.",
        query: "set=rings&examples=60&v=0&sigma2=0.1",
    },
    Preset {
        label: "Wrong labels",
        help: "One label in ten is flipped, and the classifier knows it may be.",
        query: "set=xor&examples=80&kappa=0.1&v=0.05",
    },
    Preset {
        label: "A straight line",
        help: "The linear kernel: a perceptron.",
        query: "set=mixture&kernel=linear&sigma2=1&v=0.5",
    },
];

impl Spec for PlaySpec {
    fn fields() -> &'static [Field] {
        &FIELDS
    }

    fn read(values: &Values) -> Self {
        Self {
            set: match values.choice("set") {
                "xor" => PointSet::Xor,
                "rings" => PointSet::Rings,
                "mixture" => PointSet::Mixture,
                "draw" => PointSet::Draw,
                "own" => PointSet::Own,
                _ => PointSet::Moons,
            },
            examples: values.integer("examples") as usize,
            points: values.reals("points").as_chunks().0.to_vec(),
            rest: values.reals("points").len() % 3,
            kernel: KernelKind::read(values),
            sigma2: values.real("sigma2"),
            kappa: values.real("kappa"),
            v: values.real("v"),
            method: match values.choice("method") {
                "naive" => Method::Naive,
                "laplace" => Method::Laplace,
                _ => Method::Tap,
            },
            draws: values.integer("draws") as usize,
            seed: values.integer("seed"),
        }
    }

    fn problems(&self) -> Vec<InputError> {
        let points = self.points.len();
        if let Some(given) = self.wrong_points() {
            let whole = self.points.iter().map(|[x, y, label]| format!("{x},{y},{}", label.signum()));
            return vec![InputError {
                field: "points".into(),
                given,
                accepted: "three numbers a point: s₁, s₂ and a label 1 or −1".into(),
                nearest: Some(whole.collect::<Vec<_>>().join(",")),
            }];
        }
        if self.set == PointSet::Own {
            if points < FEWEST {
                return vec![InputError {
                    field: "set".into(),
                    given: "own".into(),
                    accepted: format!("a set to draw, or own with at least {FEWEST} points"),
                    nearest: Some("moons".into()),
                }];
            }
            if points != self.examples {
                return vec![InputError {
                    field: "examples".into(),
                    given: self.examples.to_string(),
                    accepted: format!("{points}, as many as your own points; choose a set to draw others"),
                    nearest: Some(points.to_string()),
                }];
            }
        }
        if self.method == Method::Laplace && self.v == 0.0 {
            return vec![InputError {
                field: "v".into(),
                given: "0".into(),
                accepted: "a positive number for Laplace's approximation, whose likelihood is a probit"
                    .into(),
                nearest: Some("0.02".into()),
            }];
        }
        Vec::new()
    }
}

impl PlaySpec {
    /// What of a person's points is none: a label that is neither 1 nor −1, or numbers left over.
    fn wrong_points(&self) -> Option<String> {
        let unlike = self.points.iter().position(|p| p[2].abs() != 1.0);
        let label = unlike.map(|i| format!("label {} of point {}", self.points[i][2], i + 1));
        label.or_else(|| (self.rest > 0).then(|| format!("{} numbers", 3 * self.points.len() + self.rest)))
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
    fn points_that_are_none_are_named_and_mended() {
        let check = |raw: &Raw| Checked::<PlaySpec>::new(raw).map(|_| ());
        let problem = |points: &str, set: &str| {
            let raw = raw(&[("points", points), ("set", set), ("examples", "2")]);
            let problem = check(&raw).unwrap_err().remove(0);
            let (mended, _) = mend(&raw, check);
            (problem.field, problem.given, mended["points"].clone(), mended["set"].clone())
        };
        let is = |field: &str, given: &str, points: &str, set: &str| {
            (field.to_owned(), given.to_owned(), points.to_owned(), set.to_owned())
        };
        let two = "0,0,1,1,1,-1";
        assert_eq!(
            problem("0,0,1,1,1,-0.5", "own"),
            is("points", "label -0.5 of point 2", two, "own"),
            "a label that is none"
        );
        assert_eq!(problem(&format!("{two},3,4"), "own"), is("points", "8 numbers", two, "own"));
        // Even where they are not used: what stands in the address makes sense.
        assert_eq!(problem("1,2", "moons"), is("points", "2 numbers", "", "moons"));
        assert_eq!(problem("1,2,1", "own"), is("set", "own", "1,2,1", "moons"), "one is too few");
        assert!(check(&raw(&[("points", two), ("set", "own"), ("examples", "2")])).is_ok());
    }
}
