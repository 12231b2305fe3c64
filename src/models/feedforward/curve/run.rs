//! `impl Run` of both tasks: plan, merge, status and report.

use serde_json::{Value, json};

use super::spec::{CurveSpec, CurveVariances, PRESETS};
use super::work::{CurveWork, TheoryWork};
use super::{CurveMeans, CurveSnapshot, LearningCurve, SolveSummary, TheoryCurve, TheorySnapshot, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::claim::{Criterion, Quantity};
use crate::lab::{
    Challenge, Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Requirement, Run,
    Status,
};
use crate::math::random::{Purpose, Stream};
use crate::math::resampling::{Estimate, bootstrap};
use crate::math::stats::{mean, median};

/// The leave-one-out estimate relies on a large number of uncorrelated inputs.
const CHALLENGE: Challenge = Challenge {
    text: "Make the learner misjudge its error by 0.1.",
    requirements: &[Requirement {
        name: "largest misjudgement:",
        value: Quantity::Max(&Quantity::Abs(&Quantity::Minus(
            &Quantity::At("/curve/*/loo_opt"),
            &Quantity::At("/curve/*/opt_noisy"),
        ))),
        accepts: Criterion::AtLeast(0.1),
        decimals: 3,
    }],
};

impl Run for LearningCurve {
    const META: Meta = Meta {
        id: "feedforward",
        title: "Learning curve",
        question: "Can a learner know how wrong it is without a test set?",
        subtitle: "Simulated learners are trained on noisy labels, and each estimates its own error from its training examples alone.",
        pair: false,
        tab: Some("Learning curve"),
        queue: Queue::Run,
        live: Some("feedforward.theory"),
        exercises: &[
            Exercise { text: "Raise β: fewer labels are flipped", goal: Goal::AtLeast("beta", 3.0) },
            Exercise { text: "Let a committee learn", goal: Goal::Preset("Figure 2: committee of three") },
            Exercise { text: "See where it fails", goal: Goal::Preset("Where it fails: correlated inputs") },
        ],
        challenge: Some(&CHALLENGE),
        presets: PRESETS,
    };
    type Spec = CurveSpec;
    type Snapshot = CurveSnapshot;

    fn plan(spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::default().and(spec.theory_units(), theory_cost(spec)).and(spec.runs, run_cost(spec))
    }

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        let mut all = CurveSnapshot::default();
        for part in parts {
            all.theory.extend(part.theory);
            all.runs.extend(part.runs);
        }
        all
    }

    fn status(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        let solves = || snapshot.runs.iter().flat_map(|run| &run.solves);
        let (all, failed) = (solves().count(), solves().filter(|s| !s.converged).count());
        if failed == 0 {
            return Status::CONVERGED;
        }
        let mostly_failed: Vec<String> = (spec.alphas.iter().enumerate())
            .filter(|(i, _)| !snapshot.mostly_converged(*i))
            .map(|(_, alpha)| alpha.to_string())
            .collect();
        // Gives advice if more than 2 % of the solves failed.
        let advice = if 50 * failed > all { spec.advice() } else { "" };
        let which = if mostly_failed.is_empty() {
            String::new()
        } else {
            format!("; most failed at α = {}, which gives no numbers", mostly_failed.join(", "))
        };
        let has_numbers = mostly_failed.len() < spec.alphas.len();
        let outcome = if has_numbers { Outcome::MaxIterations } else { Outcome::NoResult };
        let reason = format!("{failed} of {all} solves did not converge and are left out{which}{advice}");
        Status { outcome, reason: Some(reason) }
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::learning_curve(spec, snapshot)
    }

    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Value {
        let curve: Vec<_> = (0..spec.alphas.len()).map(|i| report_row(spec, snapshot, i)).collect();
        json!({
            "curve": curve, "runs": snapshot.runs.len(), "extremes": extremes(spec, snapshot),
        })
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(CurveWork::new(spec)))
    }
}

impl Run for TheoryCurve {
    const META: Meta = Meta::companion("feedforward.theory", "Replica theory of learning from a teacher");
    type Spec = CurveSpec;
    type Snapshot = TheorySnapshot;

    // One unit, even without a theory: its figure is empty.
    fn plan(_spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn merge(parts: Vec<TheorySnapshot>) -> TheorySnapshot {
        TheorySnapshot { rows: parts.into_iter().flat_map(|part| part.rows).collect() }
    }

    fn status(_spec: &Checked<CurveSpec>, _snapshot: &TheorySnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> Vec<Figure> {
        figures::theory_curve(spec, &snapshot.rows)
    }

    fn report(_spec: &Checked<CurveSpec>, snapshot: &TheorySnapshot) -> Value {
        json!({ "curve": snapshot.rows.iter().map(|t| json!({
            "alpha": t.ratio, "theory_bayes": t.bayes, "theory_opt": t.opt, "theory_q": t.q, "theory_train": t.training,
            "theory_bayes_large": t.bayes_large,
        })).collect::<Vec<_>>() })
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<TheorySnapshot>,
    ) -> Result<Prepared<TheorySnapshot>, Vec<InputError>> {
        Ok(Box::new(TheoryWork::new(spec)))
    }
}

/// Returns the report of the α of index `i`: means over the runs with their standard errors, and the theory.
fn report_row(spec: &CurveSpec, snapshot: &CurveSnapshot, i: usize) -> Value {
    let all = snapshot.means(i);
    let CurveMeans { bayes, opt, train_bayes, train_opt, train_tilted, loo_bayes, loo_opt, q, r, .. } = all;
    let theory = snapshot.theory.get(i);
    let [bias, gain] = snapshot.paired(spec, i);
    let mut row = json!({
        "alpha": spec.alphas[i], "examples": spec.setting.examples(spec.alphas[i]),
        "bayes": bayes.mean, "bayes_se": bayes.se, "opt": opt.mean, "opt_se": opt.se,
        "bayes_noisy": spec.noisy(bayes.mean), "opt_noisy": spec.noisy(opt.mean),
        "train_bayes": train_bayes.mean, "train_opt": train_opt.mean, "train_tilted": train_tilted.mean,
        "loo_bayes": loo_bayes.mean, "loo_bayes_se": loo_bayes.se,
        "loo_opt": loo_opt.mean, "loo_opt_se": loo_opt.se,
        "loo_bias": bias.mean, "loo_bias_se": bias.se, "opt_minus_bayes": gain.mean, "opt_minus_bayes_se": gain.se,
        "q": q.mean, "r": r.mean,
        "unconverged": snapshot.solves(i).filter(|s| !s.converged).count(),
        "iterations_median": median(snapshot.solves(i).map(|s| s.sweeps as f64)),
        "theory_bayes": theory.map(|t| t.bayes), "theory_opt": theory.map(|t| t.opt),
        "theory_q": theory.map(|t| t.q), "theory_train": theory.and_then(|t| t.training),
        "theory_bayes_finite": theory.and_then(|t| t.bayes_finite),
    });
    if spec.variance == CurveVariances::Own {
        let bias = snapshot.own_bias(spec, i);
        row["own"] = json!({
            "bayes": all.own_bayes.mean, "bayes_noisy": spec.noisy(all.own_bayes.mean), "loo_bayes": all.own_loo.mean,
            "loo_bayes_se": all.own_loo.se, "loo_bias": bias.mean, "loo_bias_se": bias.se, "solved": bias.count,
        });
    }
    row
}

/// Returns the extremes over α with bootstrap errors over the runs: an extreme of correlated means has an error of its own.
fn extremes(spec: &CurveSpec, snapshot: &CurveSnapshot) -> Value {
    let mut stream = Stream::for_purpose(spec.seed, Purpose::FeedforwardBootstrap, 0);
    let mut extreme = |of: &dyn Fn(usize, &SolveSummary) -> f64, fold: fn(f64, f64) -> f64| {
        let over = |sample: &[usize]| {
            let shown = (0..spec.alphas.len()).filter(|i| snapshot.mostly_converged(*i));
            let means = shown.map(|i| {
                let solves = sample.iter().filter_map(|run| snapshot.runs[*run].solves.get(i));
                mean(solves.filter(|s| s.converged).map(|s| of(i, s))).mean
            });
            means.filter(|mean| mean.is_finite()).reduce(fold).unwrap_or(f64::NAN)
        };
        let Estimate { value, se } = bootstrap(snapshot.runs.len(), &mut stream, over);
        json!({ "value": value, "se": se })
    };
    let larger = |a: f64, b: f64| if b.abs() > a.abs() { b } else { a };
    let from_theory =
        |i: usize, s: &SolveSummary| snapshot.theory.get(i).map_or(f64::NAN, |theory| s.bayes - theory.bayes);
    json!({
        "from_theory": extreme(&from_theory, larger),
        "loo_bias": extreme(&|_, s| s.loo_bayes - spec.noisy(s.bayes), larger),
        "opt_minus_bayes": extreme(&|_, s| s.opt - s.bayes, f64::min),
    })
}

/// Returns the multiply–adds of a unit of theory, about.
fn theory_cost(spec: &CurveSpec) -> f64 {
    match (spec.hidden, spec.theory_in_one_unit()) {
        (1, _) => 1e5,
        (_, false) => 1e7,
        (_, true) => 3e8,
    }
}

/// Returns the multiply–adds of a run, about: sixty sweeps at each size, more for K > 1.
fn run_cost(spec: &CurveSpec) -> f64 {
    let examples: usize = spec.examples().sum();
    let sweeps = if spec.hidden == 1 { 60.0 } else { 150.0 };
    let shared = sweeps * examples as f64 * (spec.inputs + 40 * spec.hidden) as f64;
    let own = match spec.variance {
        CurveVariances::Shared => 0.0,
        CurveVariances::Own => 60.0 * (examples * spec.inputs * spec.inputs / spec.hidden) as f64,
    };
    shared + own
}
