//! Fields and presets of the count of solutions.

use crate::lab::fields::SEED;
use crate::lab::{Group, InputError, Meaning, Preset, Spec, choice, integer, reals};
use crate::models::feedforward::fields::{StudentTeacher, TeacherKind};
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::theory::stability::{Labels, ReplicaStability, solve};

/// Maximum number of inputs; the Hessian has N² elements.
const MAX_INPUTS: u64 = 300;

crate::choice! {
    /// Rule that labels the examples.
    pub enum SolutionsTeacher {
        Random = "random" "none: random labels",
        Committee = "committee" "committee",
        Parity = "parity" "parity machine",
        Matched = "matched" "perceptron, same as the learner",
    }
}

crate::spec! {
    /// Settings of the count of solutions of a perceptron.
    pub struct SolutionsSpec {
        /// Inputs N.
        inputs: usize = integer(2, MAX_INPUTS)
            .slider(10, 100)
            .label("Inputs")
            .symbol("N")
            .help("Number of inputs and weights. The theory is for N → ∞.")
            .default("48"),
        /// Inverse temperature β of the noise that the learner assumes.
        beta: f64 = StudentTeacher::FIELDS
            .beta
            .label("Assumed reliability")
            .help("The learner assumes that each label is flipped with probability 1/(1+e^β); labels of a rule are flipped so, random labels are not.")
            .meaning(Some(Meaning::Logistic("of the labels are assumed flipped")))
            .default("4"),
        /// Rule that labels the examples.
        teacher: SolutionsTeacher = choice()
            .label("Teacher")
            .help("Rule that generates the labels. The learner is a perceptron."),
        /// Branches of the teacher.
        teacher_hidden: usize = integer(2, 101)
            .slider(2, 9)
            .label("Teacher's hidden units")
            .help("Branches of the committee or parity machine that generates the labels.")
            .default("3")
            => teacher is [SolutionsTeacher::Committee.word(), SolutionsTeacher::Parity.word()],
        /// Training-set sizes m/N.
        alphas: Vec<f64> = reals((0.02, 20.0), 40)
            .label("Examples per weight")
            .symbol("α")
            .help("Training-set sizes m/N, separated by commas.")
            .default("1,2,3,3.5,4,5,6,8"),
        /// Number of training sets at each α.
        sets: usize = integer(1, 1_000)
            .slider(1, 50)
            .label("Training sets")
            .help("Number of independent training sets at each α.")
            .group(Group::Run)
            .default("6"),
        /// Number of random starts for each training set.
        starts: usize = integer(1, 1_000)
            .slider(2, 50)
            .label("Starts")
            .help("Number of random initial weights from which the equations are iterated, for each training set.")
            .group(Group::Run)
            .default("8"),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Random labels",
        "Random labels. Beyond the dashed line, where theory predicts instability, no solution is found for most training sets.",
        "",
    ),
    Preset::new(
        "A matched learner",
        "Labels of a perceptron with the learner's noise: one solution at every α shown. In theory, for N → ∞, it is stable at every α (Nishimori).",
        "teacher=matched",
    ),
    Preset::new(
        "A committee teaches a perceptron",
        "The learner assumes more reliable labels than it can explain.",
        "teacher=committee&teacher_hidden=3",
    ),
    Preset::new(
        "More noise assumed",
        "Random labels with β = 1: the learner explains them by noise, and its solution stays unique.",
        "beta=1",
    ),
];

impl Spec for SolutionsSpec {
    fn problems(&self) -> Vec<InputError> {
        self.setting().problems()
    }
}

impl SolutionsSpec {
    /// Returns student and teacher.
    pub fn setting(&self) -> StudentTeacher {
        StudentTeacher {
            hidden: 1,
            inputs: self.inputs,
            beta: self.beta,
            teacher: match self.teacher {
                SolutionsTeacher::Random => TeacherKind::Random,
                SolutionsTeacher::Committee => TeacherKind::Committee,
                SolutionsTeacher::Parity => TeacherKind::Parity,
                SolutionsTeacher::Matched => TeacherKind::Matched,
            },
            teacher_hidden: self.teacher_hidden,
            rho: 0.0,
            whiten: true,
            normalise: false,
        }
    }

    /// Returns the likelihood that the learner assumes.
    pub fn likelihood(&self) -> Likelihood {
        Likelihood::new(1, self.beta)
    }

    /// Returns the number of examples m at the α of this index.
    pub fn examples(&self, index: usize) -> usize {
        self.setting().examples(self.alphas[index])
    }

    /// Returns m/N at the α of this index.
    pub fn ratio(&self, index: usize) -> f64 {
        self.setting().ratio(self.examples(index))
    }

    /// Returns replica theory at the α of this index; `None` if there is none for the teacher, or no solution.
    pub fn theory(&self, index: usize) -> Option<ReplicaStability> {
        let labels = match self.teacher {
            SolutionsTeacher::Random => Labels::Random,
            SolutionsTeacher::Matched => Labels::Matched,
            SolutionsTeacher::Committee | SolutionsTeacher::Parity => return None,
        };
        solve(&self.likelihood(), labels, self.ratio(index))
    }
}
