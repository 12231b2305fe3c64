//! Fields and presets of the comparison of log evidences.

use crate::lab::fields::SEED;
use crate::lab::{Group, Preset, Spec, choice, integer, real, reals};
use crate::models::gp::fields::{
    COMBINE, KAPPA, KERNEL, KERNEL2, NOISE, PERIOD, PERIOD2, RATIO2, covariance_settings,
};
use crate::models::gp::fit;
use crate::models::gp::play::{MapContent, Method, PlayPoints, PlaySpec, PointSet};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::kernel::{Combination, KernelKind};

crate::choice! {
    /// A generator of points.
    pub enum EvidencePoints {
        Moons = "moons" "two moons",
        Xor = "xor" "four clouds (XOR)",
        Rings = "rings" "a disc in a ring",
        Mixture = "mixture" "overlapping clouds",
        Draw = "draw" "a draw from the process itself",
    }
}

crate::spec! {
    /// Settings of the comparison: points in the plane, and values of σ².
    pub struct EvidenceSpec {
        /// Generator of the points.
        set: EvidencePoints = choice().label("Points").help("How the points are drawn. Discs are +1, squares −1."),
        /// Number of points m.
        examples: usize = integer(2, 200)
            .slider(4, 80)
            .label("Examples")
            .symbol("m")
            .help("Number of points.")
            .default("40").knob(),
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
        /// Values of the squared length scale σ².
        sigma2_grid: Vec<f64> = reals(fit::SIGMA2, 40)
            .label("Smoothness")
            .symbol("σ²")
            .help("Values of the smoothness, the squared length scale, at which the log evidence is computed, separated by commas.")
            .group(Group::Method)
            .default("0.02,0.04,0.07,0.1,0.15,0.2,0.3,0.5,0.8,1.2,2,4"),
        /// σ² of the process from which the labels are drawn.
        sigma2: f64 = real(fit::SIGMA2, (0.02, 3.0, 0.02))
            .label("True smoothness")
            .symbol("σ²")
            .help("Smoothness of the process from which the labels are drawn.")
            .default("0.3")
            => set is [EvidencePoints::Draw.word()],
        /// Probability κ that a label is flipped.
        kappa: f64 = KAPPA,
        /// Noise variance v of the latent function.
        v: f64 = NOISE,
        /// Number of annealed chains for each σ².
        chains: usize = integer(0, 5_000)
            .slider(0, 400)
            .label("Annealed chains")
            .help("Number of chains from the prior to the posterior for each σ². Their mean weight estimates the evidence; 0 makes none.")
            .group(Group::Run)
            .default("64"),
        /// Number of log odds of the ladder.
        steps: usize = integer(8, 20_000)
            .slider(50, 2_000)
            .label("Steps of a chain")
            .help("Number of steps in which the log odds of a correct label increase from 0. More steps give a smaller error.")
            .group(Group::Run)
            .default("200").more(),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Two moons",
        "TAP follows the reference closely. The naive evidence is far too low where σ² is large.",
        "",
    ),
    Preset::new(
        "Overlapping clouds",
        "Labels that overlap: the naive evidence is far from the reference.",
        "set=mixture&examples=60&v=0.3",
    ),
    Preset::new(
        "Known σ²",
        "Labels drawn from the process with σ² = 0.3: the evidence is largest near it, up to the chance of one draw.",
        "set=draw&examples=60&sigma2=0.3&v=0.1",
    ),
    Preset::new(
        "Flipped labels",
        "One label in ten is flipped: the likelihood is not log-concave, and TAP is less accurate.",
        "set=xor&examples=40&kappa=0.1&v=0.05",
    ),
];

covariance_settings!(EvidenceSpec);

impl Spec for EvidenceSpec {}

impl EvidenceSpec {
    /// Returns the points, which do not depend on the values of σ² that are compared.
    pub fn points(&self) -> PlayPoints {
        PlayPoints::new(&PlaySpec {
            set: match self.set {
                EvidencePoints::Moons => PointSet::Moons,
                EvidencePoints::Xor => PointSet::Xor,
                EvidencePoints::Rings => PointSet::Rings,
                EvidencePoints::Mixture => PointSet::Mixture,
                EvidencePoints::Draw => PointSet::Draw,
            },
            examples: self.examples,
            points: Vec::new(),
            kernel: self.kernel,
            period: self.period,
            combine: self.combine,
            kernel2: self.kernel2,
            ratio2: self.ratio2,
            period2: self.period2,
            sigma2: self.sigma2,
            kappa: self.kappa,
            v: self.v,
            method: Method::Tap,
            content: MapContent::Probability,
            draws: 0,
            seed: self.seed,
        })
    }

    /// Returns the points with the hyperparameters of the σ² of this index.
    pub fn points_at(&self, index: usize) -> PlayPoints {
        let sigma2 = self.sigma2_grid[index];
        let kernel = self.isotropic_kernel(2, sigma2);
        let points = self.points();
        let hyperparameters = Hyperparameters { kernel, sigma2, ..points.hyperparameters };
        PlayPoints { hyperparameters, ..points }
    }
}
