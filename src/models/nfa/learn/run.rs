//! The experiment: one fit a unit, then its comparison with the truth.

use std::rc::Rc;

use super::chain::{CHAINS, Chain};
use super::report;
use super::{
    CLOUD_POINTS, Learn, LearnSnapshot, LearnSpec, Row, Score, Scores, figures, records, spec::PRESETS,
};
use crate::data::{Facts, Store};
use crate::figure::{Figure, Records};
use crate::lab::{Budget, Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fit::{Fit, Fitted};
use crate::models::nfa::problems::Problem;
use crate::models::nfa::solver::linear::{fast_ica, linear_reconstruction, principal_components, unmixed};
use crate::models::nfa::solver::score::{Matching, decibel};

/// A fall of the cost that is as good as none, in nats a cell and sweep.
const SETTLED: f64 = 1e-4;

impl Run for Learn {
    const META: Meta = Meta {
        id: "nfa",
        title: "Nonlinear factor analysis",
        subtitle: "Estimates hidden sources of nonlinear measurements. Points: noisy data in three channels. Curve: network output as a \
                   function of the estimated source.",
        pair: false,
        tab: Some("Hidden sources"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = LearnSpec;
    type Snapshot = LearnSnapshot;

    fn plan(spec: &Checked<LearnSpec>, _facts: Option<&Facts>) -> Plan {
        let fits = (0..spec.restarts).fold(Plan::default(), |plan, _| {
            spec.variants().iter().fold(plan, |plan, variant| plan.and(1, (1 + variant.sources) as f64))
        });
        let plan = if spec.hmc > 0 { fits.then(CHAINS, (1 + spec.sources) as f64) } else { fits };
        plan.times((spec.sweeps * spec.samples * spec.hidden * spec.data.channels()) as f64)
    }

    fn merge(parts: Vec<LearnSnapshot>) -> LearnSnapshot {
        let mut all = LearnSnapshot::default();
        for part in parts {
            all.rows.extend(part.rows);
            all.chains.extend(part.chains);
        }
        all.rows.sort_by_key(|row| row.unit);
        all
    }

    fn status(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Status {
        status(snapshot.shown(spec).map(|row| &row.fitted), spec.samples * spec.data.channels())
    }

    fn records(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn figures(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    fn report(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> serde_json::Value {
        report::learnt(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<LearnSpec>,
        _data: &Store,
        before: Option<LearnSnapshot>,
    ) -> Result<Prepared<LearnSnapshot>, Vec<InputError>> {
        let problem = spec.problem();
        let rows = with_holes(spec, &problem);
        let shown = before.as_ref().and_then(|before| before.shown(spec)).map(|row| row.unit);
        Ok(Box::new(LearnWork {
            spec: (**spec).clone(),
            problem,
            rows,
            unit: 0,
            fit: None,
            chain: None,
            shown: shown.unwrap_or_default(),
            done: LearnSnapshot::default(),
        }))
    }
}

/// How a fit of `cells` numbers ended.
pub fn status(fitted: Option<&Fitted>, cells: usize) -> Status {
    let Some(fitted) = fitted else { return Status::CONVERGED };
    if fitted.failed {
        let reason = Some("the cost is not finite".to_owned());
        return Status { outcome: Outcome::Diverged, reason };
    }
    let fall = fitted.last_fall();
    if fall <= SETTLED * cells as f64 {
        return Status::CONVERGED;
    }
    let reason = if fall.is_finite() {
        format!("the cost still decreases by {fall:.2} nats per sweep; use more sweeps")
    } else {
        "too few sweeps to assess convergence of the cost".to_owned()
    };
    Status { outcome: Outcome::MaxIterations, reason: Some(reason) }
}

/// The measurements, without those that are taken away.
pub(super) fn with_holes(spec: &LearnSpec, problem: &Problem) -> Vec<Vec<f64>> {
    let mut rows = problem.rows.clone();
    let mut stream = Stream::for_purpose(spec.seed, Purpose::NfaMissingCells, 0);
    if spec.missing > 0.0 {
        for x in rows.iter_mut().flatten() {
            if stream.uniform() < spec.missing {
                *x = f64::NAN;
            }
        }
    }
    rows
}

struct LearnWork {
    spec: LearnSpec,
    problem: Problem,
    rows: Vec<Vec<f64>>,
    unit: usize,
    fit: Option<Fit>,
    chain: Option<Chain>,
    /// The unit whose posterior the chains go through.
    shown: usize,
    done: LearnSnapshot,
}

impl Work for LearnWork {
    type Snapshot = LearnSnapshot;

    fn begin(&mut self, unit: usize) {
        match unit.checked_sub(self.spec.restarts * self.spec.variants().len()) {
            None => self.fit = Some(self.fit_of(unit)),
            Some(index) => {
                let stream = Stream::for_purpose(self.spec.seed, Purpose::NfaChain, index as u64);
                self.chain = Some(Chain::new(self.fit_of(self.shown), self.spec.hmc, stream));
            }
        }
        self.unit = unit;
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(chain) = &mut self.chain {
            if !chain.step(budget) {
                return false;
            }
            let row = chain.row();
            self.done.chains.extend(row.map(Rc::new));
            self.chain = None;
            return true;
        }
        let Some(fit) = &mut self.fit else { return true };
        if !fit.advance(budget) {
            return false;
        }
        if let Some(fit) = self.fit.take() {
            let (unit, fitted, places) = (self.unit, fit.seen(), places(&fit));
            let scores = (!fitted.failed).then(|| self.scores(&fit));
            self.done.rows.push(Rc::new(Row { unit, fitted, places, scores }));
        }
        true
    }

    fn fraction(&self) -> f64 {
        let chain = self.chain.as_ref().map(Chain::fraction);
        chain.or_else(|| self.fit.as_ref().map(Fit::fraction)).unwrap_or(0.0)
    }

    fn note(&self) -> String {
        if self.chain.is_some() {
            return "sampling the posterior".to_owned();
        }
        self.fit.as_ref().map_or("comparing with the true sources".to_owned(), Fit::note)
    }

    fn snapshot(&self) -> LearnSnapshot {
        let mut all = self.done.clone();
        let row = |fit: &Fit| {
            Rc::new(Row { unit: self.unit, fitted: fit.seen(), places: places(fit), scores: None })
        };
        all.rows.extend(self.fit.as_ref().map(row));
        all.chains.extend(self.chain.as_ref().and_then(Chain::row).map(Rc::new));
        all
    }
}

/// One source has a curve instead.
fn places(fit: &Fit) -> Vec<[f32; 3]> {
    if fit.learning().state().sources.count == 1 { Vec::new() } else { fit.places(CLOUD_POINTS) }
}

impl LearnWork {
    fn fit_of(&self, unit: usize) -> Fit {
        let (variant, restart) = self.spec.unit(unit);
        let mut options = self.spec.options();
        (options.sources, options.updates) = (variant.sources, variant.updates);
        Fit::new(
            &self.rows,
            options,
            Stream::for_purpose(self.spec.seed, Purpose::NfaInitialState, restart as u64),
        )
    }

    fn scores(&self, fit: &Fit) -> Scores {
        let known = &self.problem.sources;
        let learning = fit.learning();
        let last = learning.means();
        let gaussian = learning.gaussian_means().unwrap_or(&last);
        let n = gaussian.first().map_or(0, Vec::len);
        let rotated = |means: &[Vec<f64>]| {
            let w = fast_ica(means, &mut Stream::for_purpose(self.spec.seed, Purpose::NfaIca, 0));
            w.map_or_else(|| means.to_vec(), |w| unmixed(means, &w))
        };
        let score = |found: &[Vec<f64>]| Score::new(known, found);
        let read_out = if n > 1 { rotated(&last) } else { last.clone() };
        let reconstruction: Vec<Vec<f64>> = (0..self.rows.len()).map(|t| fit.reconstruction(t).0).collect();
        Scores {
            linear_ica: score(&rotated(&principal_components(&self.rows, n))),
            nfa: score(gaussian),
            nfa_ica: score(&rotated(gaussian)),
            mixtures: learning.gaussian_means().map(|_| score(&read_out)),
            read_out: read_out.iter().flatten().map(|s| *s as f32).collect(),
            observation_pca: signal_to_noise(&self.problem.clean, &linear_reconstruction(&self.rows, n)),
            observation_nfa: signal_to_noise(&self.problem.clean, &reconstruction),
        }
    }
}

impl Score {
    fn new(known: &[Vec<f64>], found: &[Vec<f64>]) -> Self {
        let matching = Matching::new(known, found);
        Self {
            db: matching.db(),
            each: matching.each_db(),
            partner: matching.partner,
            correlation: matching.correlation,
        }
    }
}

/// Of measurements whose noise-free values are `clean`, in dB: their variance over the mean squared error.
fn signal_to_noise(clean: &[Vec<f64>], found: &[Vec<f64>]) -> f64 {
    let channels = clean.first().map_or(0, Vec::len);
    let count = clean.len() as f64;
    let (mut signal, mut noise) = (0.0, 0.0);
    for k in 0..channels {
        let mean = clean.iter().map(|row| row[k]).sum::<f64>() / count;
        for (clean, found) in clean.iter().zip(found) {
            signal += (clean[k] - mean) * (clean[k] - mean);
            noise += (clean[k] - found[k]) * (clean[k] - found[k]);
        }
    }
    decibel(noise / signal)
}
