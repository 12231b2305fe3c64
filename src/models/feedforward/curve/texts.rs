//! Finding, caption and summary of the learning curve.

use super::spec::CurveVariances;
use super::{CurveMeans, CurveSnapshot, CurveSpec, TheoryRow};
use crate::data::counted;

/// Largest number of inputs N for which the finding is about the theory for N → ∞.
const FEW_INPUTS: usize = 20;

/// Largest difference of an estimate from the test error for which the question of the page is answered with yes.
const CLOSE: f64 = 0.03;

/// Returns the largest of the differences that are finite, rounded up to three decimals.
fn largest(differences: impl Iterator<Item = f64>) -> Option<f64> {
    let largest = differences.map(f64::abs).filter(|difference| difference.is_finite()).reduce(f64::max);
    largest.map(|difference| (difference * 1e3).ceil() / 1e3)
}

/// Returns a sentence on the largest difference between the leave-one-out estimate and the test error, and for few inputs on that
/// between the error and the theory for many.
pub(super) fn finding(spec: &CurveSpec, means: &[CurveMeans], theory: &[TheoryRow]) -> String {
    let test_error = |clean: f64| if spec.beta.is_finite() { spec.noisy(clean) } else { clean };
    let known = spec.ratios().zip(means).filter_map(|(ratio, at)| {
        let theory = theory.iter().find(|row| row.ratio == ratio)?;
        Some(at.bayes.mean - theory.bayes)
    });
    let from_theory = largest(known);
    let from_theory = from_theory.filter(|_| spec.is_matched() && spec.inputs <= FEW_INPUTS);
    let differences = means.iter().map(|at| at.loo_bayes.mean - test_error(at.bayes.mean));
    let which = if spec.beta.is_finite() { "their own error on noisy labels" } else { "their own error" };
    match (largest(differences), from_theory) {
        (None, _) => "No run is finished yet.".to_owned(),
        (Some(largest), _) if spec.ignores_correlation() => format!(
            "No: a learner that ignores the correlation of its inputs misjudges its own error, by up to {largest:.3} on average."
        ),
        (Some(largest), Some(from_theory)) => format!(
            "With only {} inputs, the error is within {from_theory:.3} of the theory for infinitely many. Learners estimate {which} to \
             within {largest:.3} on average.",
            spec.inputs
        ),
        (Some(largest), None) => {
            let answer = if largest <= CLOSE {
                "Yes, on average: learners"
            } else {
                "Only roughly: on average learners"
            };
            format!("{answer} estimate {which} to within {largest:.3} without test data.")
        }
    }
}

pub(super) fn caption(spec: &CurveSpec, runs: usize, threads: usize) -> String {
    let (truth, paper) = (spec.describe_truth(), spec.as_in_paper());
    let noisy = if spec.beta.is_finite() {
        " Squares: the same predictions scored on fresh noisy labels."
    } else {
        ""
    };
    let estimate = match (paper, spec.hidden) {
        (false, _) => "Rings",
        (true, 1) => "Dotted",
        (true, _) => "Dashed",
    };
    let own = match spec.variance {
        CurveVariances::Shared => "",
        CurveVariances::Own => {
            " Diamonds: the same estimate with a cavity variance for each example; examples near the decision boundary are left out by \
             learning again."
        }
    };
    let limit = if spec.ignores_correlation() { " It is valid for uncorrelated inputs only." } else { "" };
    let opt = match (spec.hidden, paper) {
        (1, _) => "",
        (_, false) => " Orange circles: the committee whose weights are the posterior mean ⟨w⟩.",
        (_, true) => {
            " Dotted: the committee whose weights are the posterior mean ⟨w⟩; dash-dotted: its leave-one-out estimate."
        }
    };
    let theory = match (spec.is_matched(), paper && spec.hidden > 1) {
        (_, true) => String::new(),
        (true, false) => {
            format!(" Dashed: predicted beforehand by {}, for N → ∞, from no data.", spec.describe_theory())
        }
        (false, false) => " There is no theory for this teacher.".to_owned(),
    };
    let training = if paper { " Triangles: training error, scored on the noisy labels." } else { "" };
    format!(
        "Learning curve of the {}, {}, N\u{a0}=\u{a0}{}{}. Discs: error of the Bayes prediction against {truth}.{noisy} \
         {estimate}: the leave-one-out estimate of that error from the training set alone (the paper's “moving \
         control”).{own}{limit}{opt}{theory}{training}",
        spec.describe_machine(),
        spec.describe_circumstances(),
        spec.inputs,
        describe_runs(runs, if paper { 0 } else { threads }),
    )
}

/// Describes the runs: their number, the error bars, and the `threads` of single runs.
fn describe_runs(runs: usize, threads: usize) -> String {
    if runs == 0 {
        return "; no run is finished yet".to_owned();
    }
    let threads = match threads {
        0 => String::new(),
        _ if threads == runs => ". Thin lines: one learner each".to_owned(),
        _ => format!(". Thin lines: one learner each, the first {threads} of {runs}"),
    };
    format!(
        ", averaged over {}; bars are one standard error. Training sets of a run are nested, so neighbouring points are \
         correlated{threads}",
        counted(runs, "run")
    )
}

pub(super) fn summary(spec: &CurveSpec, snapshot: &CurveSnapshot, means: &[CurveMeans]) -> String {
    let (machine, noise) = (spec.describe_machine(), spec.describe_circumstances());
    let last = spec.ratios().enumerate().max_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((i, alpha)), false) = (last, snapshot.runs.is_empty()) else {
        return format!("Learning curve of the {machine}, {noise}: no run is finished yet.");
    };
    let clean = means[i].bayes;
    let theory = snapshot
        .theory
        .get(i)
        .map_or(String::new(), |t| format!("; {} gives {:.3}", spec.describe_theory(), t.bayes));
    let (truth, runs) = (spec.describe_truth(), counted(snapshot.runs.len(), "run"));
    let error = if clean.mean.is_finite() {
        format!("the error against {truth} is {:.3} over {runs}", clean.mean)
    } else {
        format!("none of {runs} has a solution")
    };
    format!("Learning curve of the {machine}, {noise}: with {alpha} examples per weight {error}{theory}.")
}
