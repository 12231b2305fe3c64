//! The experiments: both rules at once, and draws until there are enough; then the same over a range of input variances.

#[cfg(feature = "report")]
use super::report;
use super::sampling::Sampling;
use super::spec::{Inputs, PRESETS};
use super::{LiveMoments, MomentsLab, MomentsSnapshot, MomentsSpec, Place, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Budget, Checked, InputError, Meta, Plan, Prepared, Queue, Run, Status, Work};
use crate::math::random::Stream;
use crate::math::stats::median;
use crate::models::nfa::solver::moments::{Moments, propagate};

/// Draws while a control is dragged.
const LIVE: usize = 20_000;
/// Input variances are multiplied by these powers of ten.
const FACTORS: [f64; 9] = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0];
/// Draws between looks at the budget.
const AT_ONCE: usize = 200;
/// Purpose of a random stream.
const DRAWS: u64 = 2;

const RULES: [Moments; 2] = [Moments::Taylor, Moments::GaussHermite];

impl Run for MomentsLab {
    const META: Meta = Meta {
        id: "nfa.moments",
        title: "Moments through a network",
        subtitle: "Mean and variance of the network output for uncertain inputs and weights: two rules compared with Monte Carlo.",
        pair: false,
        tab: Some("Moments lab"),
        queue: Queue::Run,
        live: Some("nfa.moments_live"),
        presets: PRESETS,
    };
    type Spec = MomentsSpec;
    type Snapshot = MomentsSnapshot;

    fn plan(_spec: &Checked<MomentsSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1 + FACTORS.len())
    }

    fn merge(parts: Vec<MomentsSnapshot>) -> MomentsSnapshot {
        let mut merged = MomentsSnapshot::default();
        for part in parts {
            if part.rules.is_some() {
                (merged.rules, merged.without, merged.sampled) = (part.rules, part.without, part.sampled);
            }
            merged.grid.extend(part.grid);
        }
        merged.grid.sort_by(|a, b| a.factor.total_cmp(&b.factor));
        merged
    }

    fn status(_spec: &Checked<MomentsSpec>, _snapshot: &MomentsSnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot), figures::grid(spec, snapshot)]
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> serde_json::Value {
        report::moments(snapshot)
    }

    fn prepare(
        spec: &Checked<MomentsSpec>,
        _data: &Store,
        _before: Option<MomentsSnapshot>,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        Ok(Box::new(Lab::new(spec, spec.draws)))
    }
}

impl Run for LiveMoments {
    const META: Meta = Meta::companion("nfa.moments_live", "Moments (live)");
    type Spec = MomentsSpec;
    type Snapshot = MomentsSnapshot;

    fn plan(_spec: &Checked<MomentsSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn merge(parts: Vec<MomentsSnapshot>) -> MomentsSnapshot {
        MomentsLab::merge(parts)
    }

    fn status(_spec: &Checked<MomentsSpec>, _snapshot: &MomentsSnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot)]
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> serde_json::Value {
        report::moments(snapshot)
    }

    fn prepare(
        spec: &Checked<MomentsSpec>,
        _data: &Store,
        _before: Option<MomentsSnapshot>,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        Ok(Box::new(Lab::new(spec, LIVE.min(spec.draws))))
    }
}

/// Unit 0 is the specification's own input; the others are those of the grid.
struct Lab {
    own: Inputs,
    seed: u64,
    most: usize,
    inputs: Inputs,
    factor: Option<f64>,
    sampling: Sampling,
    seen: MomentsSnapshot,
}

impl Lab {
    fn new(spec: &MomentsSpec, most: usize) -> Self {
        let (own, inputs) = (spec.inputs(), spec.inputs());
        let sampling = Sampling::new(own.network.channels, Stream::aside(spec.seed, 0, DRAWS));
        Self { own, seed: spec.seed, most, inputs, factor: None, sampling, seen: MomentsSnapshot::default() }
    }

    fn at(
        inputs: &Inputs,
        moments: Moments,
        interference: bool,
    ) -> crate::models::nfa::solver::moments::Propagated {
        propagate(&inputs.network, moments, interference, &inputs.mean, &inputs.var)
    }

    /// What is known of the unit so far.
    fn look(&mut self) {
        let inputs = &self.inputs;
        let sampled = self.sampling.sampled();
        let Some(factor) = self.factor else {
            self.seen.rules = Some(RULES.map(|rule| Self::at(inputs, rule, true)));
            self.seen.without = RULES.map(|rule| Self::at(inputs, rule, false).f_var);
            self.seen.sampled = sampled;
            return;
        };
        let rule = |rule| {
            let with = Self::at(inputs, rule, true);
            [with.f_mean[0], with.f_var[0], Self::at(inputs, rule, false).f_var[0]]
        };
        self.seen.grid.push(Place {
            factor,
            y_var: median(Self::at(inputs, Moments::Taylor, true).y_var.into_iter()),
            sampled: [sampled.mean[0], sampled.var[0], sampled.var_se[0]],
            taylor: rule(Moments::Taylor),
            gauss_hermite: rule(Moments::GaussHermite),
        });
    }
}

impl Work for Lab {
    type Snapshot = MomentsSnapshot;

    fn begin(&mut self, unit: usize) {
        self.factor = unit.checked_sub(1).map(|place| libm::pow(10.0, FACTORS[place]));
        let factor = self.factor.unwrap_or(1.0);
        self.inputs = Inputs {
            network: self.own.network.clone(),
            mean: self.own.mean.clone(),
            var: self.own.var.iter().map(|var| var * factor).collect(),
        };
        self.sampling =
            Sampling::new(self.own.network.channels, Stream::aside(self.seed, unit as u64, DRAWS));
        if self.factor.is_none() {
            self.look();
        }
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        for _ in 0..AT_ONCE {
            self.sampling.draw(&self.inputs);
        }
        budget.spend(AT_ONCE as u64 * Sampling::cost(&self.inputs));
        let done = self.sampling.draws() >= self.most;
        if done {
            self.look();
        }
        done
    }

    fn fraction(&self) -> f64 {
        self.sampling.draws() as f64 / self.most as f64
    }

    fn note(&self) -> String {
        format!("{} of {} draws", self.sampling.draws(), self.most)
    }

    fn snapshot(&self) -> MomentsSnapshot {
        let mut seen = self.seen.clone();
        if self.factor.is_none() {
            seen.sampled = self.sampling.sampled();
        }
        seen
    }
}
