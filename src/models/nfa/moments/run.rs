//! The experiments: both rules at once, and draws until there are enough; then the same over a range of input variances.

use super::report;
use super::spec::PRESETS;
use super::{MomentsLab, MomentsSnapshot, MomentsSpec, Passed, Place, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Budget, Checked, HasLive, InputError, Meta, Plan, Prepared, Queue, Run, Status, Work};
use crate::math::random::{Purpose, Stream};
use crate::math::stats::median;
use crate::models::nfa::monte_carlo::{Inputs, Sampling};
use crate::models::nfa::solver::moments::{Moments, Propagated, propagate};

/// Draws while a control is dragged.
const LIVE: usize = 20_000;
/// Input variances are multiplied by these powers of ten.
const FACTORS: [f64; 9] = [-2.0, -1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 1.0];
/// Draws between looks at the budget.
const AT_ONCE: usize = 200;

const RULES: [Moments; 2] = [Moments::Taylor, Moments::GaussHermite];

impl Run for MomentsLab {
    const META: Meta = Meta {
        id: "nfa.moments",
        title: "Moments through a network",
        subtitle: "Mean and variance of the network output for uncertain inputs and weights: two rules compared with Monte Carlo.",
        pair: false,
        tab: Some("Moments lab"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
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
            merged.inputs.extend(part.inputs);
            merged.grid.extend(part.grid);
        }
        merged.grid.sort_by(|a, b| a.factor.total_cmp(&b.factor));
        merged
    }

    fn status(_spec: &Checked<MomentsSpec>, _snapshot: &MomentsSnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot), figures::grid(snapshot)]
    }

    fn report(_spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> serde_json::Value {
        report::moments(snapshot)
    }

    fn prepare(
        spec: &Checked<MomentsSpec>,
        data: &Store,
        _before: Option<MomentsSnapshot>,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        Ok(Box::new(Lab::new(spec.inputs(data)?, spec.seed, spec.draws)))
    }
}

impl HasLive for MomentsLab {
    const LIVE_ID: &'static str = "nfa.moments_live";
    const LIVE_TITLE: &'static str = "Moments (live)";

    fn prepare_live(
        spec: &Checked<MomentsSpec>,
        data: &Store,
    ) -> Result<Prepared<MomentsSnapshot>, Vec<InputError>> {
        let mut inputs = spec.inputs(data)?;
        // Only the first one is drawn.
        inputs.truncate(1);
        Ok(Box::new(Lab::new(inputs, spec.seed, LIVE.min(spec.draws))))
    }

    fn live_figures(spec: &Checked<MomentsSpec>, snapshot: &MomentsSnapshot) -> Vec<Figure> {
        vec![figures::histogram(spec, snapshot)]
    }
}

/// Unit 0 is the specification's own inputs, one after the other; the others are those of the grid, at the first of them.
struct Lab {
    all: Vec<Inputs>,
    seed: u64,
    most: usize,
    inputs: Inputs,
    factor: Option<f64>,
    sampling: Sampling,
    seen: MomentsSnapshot,
}

impl Lab {
    fn new(all: Vec<Inputs>, seed: u64, most: usize) -> Self {
        let inputs = all[0].clone();
        let sampling =
            Sampling::new(inputs.network.channels, Stream::for_purpose(seed, Purpose::NfaMoments, 0));
        Self { all, seed, most, inputs, factor: None, sampling, seen: MomentsSnapshot::default() }
    }

    fn at(inputs: &Inputs, moments: Moments, interference: bool) -> Propagated {
        propagate(&inputs.network, moments, interference, &inputs.mean, &inputs.var)
    }

    /// Begins with the next of the specification's own inputs, all with the same random numbers.
    fn begin_input(&mut self) {
        self.inputs = self.all[self.seen.inputs.len()].clone();
        self.sampling = Sampling::new(
            self.inputs.network.channels,
            Stream::for_purpose(self.seed, Purpose::NfaMoments, 0),
        );
        let inputs = &self.inputs;
        self.seen.inputs.push(Passed {
            rules: RULES.map(|rule| Self::at(inputs, rule, true)),
            without: RULES.map(|rule| Self::at(inputs, rule, false).f_var),
            sampled: self.sampling.sampled(),
        });
    }

    /// One place of the grid.
    fn place(&self, factor: f64) -> Place {
        let (inputs, sampled) = (&self.inputs, self.sampling.sampled());
        let rule = |rule| {
            let with = Self::at(inputs, rule, true);
            [with.f_mean[0], with.f_var[0], Self::at(inputs, rule, false).f_var[0]]
        };
        Place {
            factor,
            y_var: median(Self::at(inputs, Moments::Taylor, true).y_var.into_iter()),
            sampled: [sampled.mean[0], sampled.var[0], sampled.var_se[0]],
            taylor: rule(Moments::Taylor),
            gauss_hermite: rule(Moments::GaussHermite),
        }
    }
}

impl Work for Lab {
    type Snapshot = MomentsSnapshot;

    fn begin(&mut self, unit: usize) {
        self.factor = unit.checked_sub(1).map(|place| libm::pow(10.0, FACTORS[place]));
        let Some(factor) = self.factor else {
            self.begin_input();
            return;
        };
        let first = &self.all[0];
        let var = first.var.iter().map(|var| var * factor).collect();
        self.inputs = Inputs { var, ..first.clone() };
        self.sampling = Sampling::new(
            self.inputs.network.channels,
            Stream::for_purpose(self.seed, Purpose::NfaMoments, unit as u64),
        );
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        for _ in 0..AT_ONCE {
            self.sampling.draw(&self.inputs);
        }
        budget.spend(AT_ONCE as u64 * Sampling::cost(&self.inputs));
        if self.sampling.draws() < self.most {
            return false;
        }
        if let Some(factor) = self.factor {
            self.seen.grid.push(self.place(factor));
            return true;
        }
        self.seen = self.snapshot();
        let done = self.seen.inputs.len() == self.all.len();
        if !done {
            self.begin_input();
        }
        done
    }

    fn fraction(&self) -> f64 {
        let now = self.sampling.draws() as f64 / self.most as f64;
        match self.factor {
            Some(_) => now,
            None => (self.seen.inputs.len() as f64 - 1.0 + now).max(0.0) / self.all.len() as f64,
        }
    }

    fn note(&self) -> String {
        format!("{} of {} draws", self.sampling.draws(), self.most)
    }

    fn snapshot(&self) -> MomentsSnapshot {
        let mut seen = self.seen.clone();
        if self.factor.is_none()
            && let Some(last) = seen.inputs.last_mut()
        {
            last.sampled = self.sampling.sampled();
        }
        seen
    }
}
