//! `feedforward` with one cavity variance per example: compared with the Gaussian process with a linear covariance function, which is
//! the same model with another solver; stationarity of its free energy; invariances.

use meanfield::data::teacher::LabelledExamples;
use meanfield::math::random::Stream;
use meanfield::math::{Budget, Ending};
use meanfield::models::feedforward::tap::Tap;
use meanfield::models::feedforward::tap::adaptive::ExampleRows;
use meanfield::models::feedforward::tap::leave_one_out::LeaveOneOut;
use meanfield::models::feedforward::tap::likelihood::Likelihood;
use meanfield::models::feedforward::tap::search::{BetaSearch, BetaSolution, TrainingData, Variances};
use meanfield::models::feedforward::tap::votes::mean_output;
use meanfield::models::gp::solver::kernel::{Kernel, KernelKind};
use meanfield::models::gp::solver::training_set::TrainingSet as GpTrainingSet;
use meanfield::models::gp::solver::{mean_field::MeanFieldSolver, theory::MeanFieldTheory};
use serde_json::Value;

use crate::common::assert::{ORACLE, all_near, near};
use crate::common::headless::headless;
use crate::common::needs::data_set;
use crate::common::oracle::numbers;

/// A table of correlated columns, labelled by a committee of `hidden` branches and flipped with probability 1/(1+e^β).
struct Table {
    rows: Vec<Vec<f64>>,
    labels: Vec<f64>,
}

impl Table {
    fn draw(m: usize, inputs: usize, hidden: usize, beta: f64, seed: u64) -> Self {
        let mut stream = Stream::of(seed, 0);
        let w: Vec<f64> = (0..inputs).map(|_| stream.normal()).collect();
        let flip = Likelihood::new(hidden, beta).flip_probability();
        let (mut rows, mut labels) = (Vec::new(), Vec::new());
        for _ in 0..m {
            let common = stream.normal();
            let row: Vec<f64> = (0..inputs).map(|_| 0.6 * common + 0.8 * stream.normal()).collect();
            let votes = row
                .chunks(inputs / hidden)
                .zip(w.chunks(inputs / hidden))
                .map(|(s, w)| s.iter().zip(w).map(|(s, w)| s * w).sum::<f64>().signum());
            let sum: f64 = votes.sum();
            let clean = if sum == 0.0 { stream.sign() } else { sum.signum() };
            labels.push(if stream.uniform() < flip { -clean } else { clean });
            rows.push(row);
        }
        Self { rows, labels }
    }

    /// Runs a search in slices of so much work and returns its ending.
    fn search(&self, variances: Variances, hidden: usize, beta: Option<f64>, slice: u64) -> BetaSearch {
        let mut examples = LabelledExamples::new(self.rows[0].len());
        self.rows.iter().zip(&self.labels).for_each(|(row, y)| examples.push(row, *y));
        let (inputs, places) = (self.rows.concat(), (0..self.labels.len()).collect::<Vec<_>>());
        let rows = ExampleRows {
            inputs: &inputs,
            width: self.rows[0].len(),
            indices: &places,
            labels: &self.labels,
        };
        let data = TrainingData { examples: &examples, rows };
        let mut search = BetaSearch::new(Tap { tolerance: 1e-12 }, variances, hidden, beta);
        while !search.advance(&data, &mut Budget::new(slice), |_| {}) {}
        search
    }

    fn solve(&self, variances: Variances, hidden: usize, beta: f64) -> BetaSolution {
        let search = self.search(variances, hidden, Some(beta), u64::MAX);
        search.best().unwrap_or_else(|| panic!("β = {beta}: {:?}", search.ending())).clone()
    }
}

#[test]
fn one_branch_is_the_gaussian_process_with_a_linear_kernel() {
    let places =
        [(40, 3, 1.5, 1), (30, 12, 3.0, 2), (25, 40, 2.0, 3), (60, 2, 1.0, 4), (30, 30, f64::INFINITY, 5)];
    for (m, inputs, beta, seed) in places {
        let table = Table::draw(m, inputs, 1, beta, seed);
        let ours = table.solve(Variances::Adaptive, 1, beta);
        let kappa = Likelihood::new(1, beta).flip_probability();
        let kernel = Kernel::isotropic(KernelKind::Linear, inputs, 1.0);
        let problem = GpTrainingSet::new(&table.rows, &table.labels, &kernel, 0.0, kappa);
        let solver = MeanFieldSolver::new(MeanFieldTheory::Tap);
        let (state, ending) = solver.solve(&problem);
        assert_eq!(ending, Ending::Converged, "{m}×{inputs}, β = {beta}");
        let theirs = state.solution(&problem, MeanFieldTheory::Tap).unwrap();
        let what = format!("{m}×{inputs}, β = {beta}");
        near(ours.ln_evidence, theirs.minus_g, ORACLE, &what);
        let likelihood = Likelihood::new(1, beta);
        near(ours.solution.ln_left_out(&table.labels, &likelihood), theirs.ln_loo, ORACLE, &what);
        let z: Vec<f64> = theirs.gamma.iter().zip(&theirs.lambda).map(|(g, l)| g / l.sqrt()).collect();
        all_near(&ours.solution.z, &z, ORACLE, &what);
        all_near(&ours.solution.adaptive.as_ref().unwrap().cavity, &theirs.lambda, ORACLE, &what);
        // A row outside the training set.
        let mut stream = Stream::of(seed, 1);
        let input: Vec<f64> = (0..inputs).map(|_| stream.normal()).collect();
        let k: Vec<f64> = table.rows.iter().map(|row| kernel.covariance(row, &input)).collect();
        let (mean, var) = theirs.predict(&k, kernel.covariance(&input, &input));
        near(ours.solution.fields_at(&input)[0], mean / var.sqrt(), ORACLE, &what);
    }
}

/// At a fixed point the total derivative of the free energy by β is the partial one: it is stationary in all other variables.
#[test]
fn the_log_evidence_is_stationary_in_everything_but_beta() {
    let mut largest = 0.0;
    for variances in [Variances::Adaptive, Variances::Shared] {
        for hidden in [1, 2, 3] {
            let table = Table::draw(40, 18, hidden, 1.5, 7);
            let at = |beta: f64| table.solve(variances, hidden, beta);
            let (beta, h) = (0.9, 1e-4);
            let found = at(beta);
            let total = (at(beta + h).ln_evidence - at(beta - h).ln_evidence) / (2.0 * h);
            let likelihood =
                |beta: f64| found.solution.ln_left_out(&table.labels, &Likelihood::new(hidden, beta));
            let partial = (likelihood(beta + h) - likelihood(beta - h)) / (2.0 * h);
            near(total, partial, 1e-6, &format!("{variances:?}, K = {hidden}"));
            largest = f64::max(largest, partial.abs());
        }
    }
    assert!(largest > 0.1, "derivatives of {largest} tell nothing");
}

#[test]
fn neither_the_order_of_examples_nor_the_slices_of_work_matter() {
    let table = Table::draw(30, 6, 3, 2.0, 11);
    let whole = table.search(Variances::Adaptive, 3, Some(2.0), u64::MAX);
    let sliced = table.search(Variances::Adaptive, 3, Some(2.0), 1);
    let solution = |search: &BetaSearch| search.best().unwrap().solution.clone();
    assert_eq!((solution(&whole).z, whole.sweeps()), (solution(&sliced).z, sliced.sweeps()), "bit for bit");
    let rows = table.rows.iter().rev().cloned().collect();
    let reversed = Table { rows, labels: table.labels.iter().rev().copied().collect() };
    let other = reversed.solve(Variances::Adaptive, 3, 2.0).solution;
    all_near(&other.weights, &solution(&whole).weights, ORACLE, "the last example first");
}

/// Returns the error of leave-one-out predictions by `LeaveOneOut` in slices of so much work.
fn leave_one_out_error(table: &Table, found: &BetaSolution, hidden: usize, slice: u64) -> f64 {
    let (inputs, indices) = (table.rows.concat(), (0..table.labels.len()).collect::<Vec<_>>());
    let width = table.rows[0].len();
    let rows = ExampleRows { inputs: &inputs, width, indices: &indices, labels: &table.labels };
    let mut predictions = LeaveOneOut::new(found, hidden).unwrap();
    while !predictions.advance(&rows, &mut Budget::new(slice)) {}
    predictions.bayes_error(&table.labels)
}

#[test]
fn leave_one_out_has_the_errors_of_solves_without_each_example() {
    let mut cavity_errors_differ = 0;
    for seed in 0..60 {
        let (hidden, inputs, beta) = if seed < 40 { (1, 10, 0.5) } else { (3, 15, 1.0) };
        let table = Table::draw(30, inputs, hidden, beta, seed);
        let found = table.solve(Variances::Adaptive, hidden, beta);
        let is_error = |i: usize| {
            let mut others = Table { rows: table.rows.clone(), labels: table.labels.clone() };
            let (row, label) = (others.rows.remove(i), others.labels.remove(i));
            let solution = others.solve(Variances::Adaptive, hidden, beta).solution;
            mean_output(&solution.fields_at(&row)) * label < 0.0
        };
        let expected = (0..30).filter(|i| is_error(*i)).count() as f64 / 30.0;
        let errors = [1, 100_000, u64::MAX].map(|slice| leave_one_out_error(&table, &found, hidden, slice));
        assert!(errors.iter().all(|error| (error - expected).abs() < 1e-12), "{seed}: {errors:?} {expected}");
        cavity_errors_differ +=
            i32::from((found.solution.loo_bayes_error(&table.labels) - expected).abs() > 1e-12);
    }
    assert!(cavity_errors_differ >= 2, "{cavity_errors_differ}");
}

#[test]
fn leave_one_out_of_a_single_example_is_undecided() {
    let table = Table::draw(1, 4, 1, 1.0, 1);
    let found = table.solve(Variances::Adaptive, 1, 1.0);
    assert_eq!(leave_one_out_error(&table, &found, 1, u64::MAX), 0.5);
}

#[test]
fn the_evidence_finds_the_noise_of_the_labels() {
    let table = Table::draw(400, 20, 1, 2.0, 31);
    let search = table.search(Variances::Adaptive, 1, None, u64::MAX);
    let found = search.best().unwrap();
    assert!((found.beta - 2.0).abs() < 0.6 && !search.largest_at_last_solution(), "{}", found.beta);
    for beta in [found.beta - 0.1, found.beta + 0.1] {
        assert!(table.solve(Variances::Adaptive, 1, beta).ln_evidence < found.ln_evidence, "{beta}");
    }
    near(
        table.solve(Variances::Adaptive, 1, found.beta).ln_evidence,
        found.ln_evidence,
        ORACLE,
        "from nothing",
    );
}

/// Returns a run on Ripley's synthetic data: with two inputs, one variance for all examples is a poor approximation. β is fitted only if
/// the query says so.
fn ripley(query: &str) -> Option<Value> {
    let path = data_set("ripley_synth.csv")?;
    let fit = if query.contains("fit=") { "" } else { "&fit=none" };
    let link = format!("#/feedforward.data?data={}&label=label&{query}{fit}", path.display());
    let (line, status) = headless(&link);
    assert_eq!(status, i32::from(line["status"] == "no_result"), "{line}");
    Some(line)
}

#[test]
fn two_inputs_and_hundreds_of_rows_have_a_solution() {
    for rows in ["", "&ignore=split"] {
        let Some(line) = ripley(&format!("beta=2{rows}")) else { return };
        assert_eq!(
            (line["status"].as_str(), line["result"]["variance"].as_str()),
            (Some("converged"), Some("own"))
        );
        let left_out = numbers(&line["result"]["loo_predictions"]);
        let flip = 1.0 / (1.0 + 2.0_f64.exp());
        assert!(left_out.iter().all(|p| (flip..=1.0 - flip).contains(p)));
        if rows.is_empty() {
            // The optimal classifier has 8 % of errors, the best plane about 10 %.
            assert!(line["result"]["test_errors"].as_f64().unwrap() < 115.0, "{line}");
        }
    }
    let Some(shared) = ripley("beta=2&ignore=split&variance=shared") else { return };
    assert_eq!(shared["status"], "no_result");
}

/// The double loop of `gp` reaches the same numbers in the space of the examples.
#[test]
fn ripleys_data_have_the_evidence_of_the_gaussian_process() {
    let Some(ours) = ripley("beta=2") else { return };
    let kappa = Likelihood::new(1, 2.0).flip_probability();
    let Some(path) = data_set("ripley_synth.csv") else { return };
    let settings = format!("label=label&kernel=linear&sigma2=1&v=0&kappa={kappa}");
    let (theirs, _) = headless(&format!("#/gp.data?data={}&{settings}", path.display()));
    let (ours, theirs) = (&ours["result"], &theirs["result"]);
    for key in ["ln_evidence", "ln_loo"] {
        near(ours[key].as_f64().unwrap(), theirs[key].as_f64().unwrap(), ORACLE, key);
    }
    for key in ["loo_errors", "train_errors", "test_errors"] {
        assert_eq!(ours[key].as_f64(), theirs[key].as_f64(), "{key}");
    }
    let p = |row: &Value| row["p"].as_f64().unwrap();
    let theirs_left_out: Vec<f64> = theirs["loo_predictions"].as_array().unwrap().iter().map(p).collect();
    all_near(&numbers(&ours["loo_predictions"]), &theirs_left_out, ORACLE, "left out");
    let test =
        |result: &Value| -> Vec<f64> { result["predictions"].as_array().unwrap().iter().map(p).collect() };
    all_near(&test(ours), &test(theirs), ORACLE, "test rows");
}

#[test]
fn where_ripleys_data_have_no_solution_the_advice_has_one() {
    for query in ["beta=3", "beta=inf", "beta=2&variance=shared&ignore=split"] {
        let Some(line) = ripley(query) else { return };
        assert_ne!(line["status"], "converged", "{query}");
        let advised = line["result"]["advised_beta"].as_f64().unwrap();
        assert!(line["reason"].as_str().unwrap().contains(&advised.to_string()), "{line}");
        let rest = query.split_once('&').map_or("", |(_, rest)| rest);
        let followed = ripley(&format!("beta={advised}&{rest}")).unwrap();
        assert_eq!(followed["status"], "converged", "{query}: {advised}");
        let fitted = ripley(&format!("fit=evidence&{rest}")).unwrap();
        assert!(fitted["result"]["weights"].is_array(), "{query}");
    }
    let Some(fitted) = ripley("fit=evidence") else { return };
    assert_eq!(fitted["status"], "converged");
    let beta = fitted["result"]["beta"].as_f64().unwrap();
    // A flip probability of .13: about the error of the best plane.
    assert!((1.5..2.5).contains(&beta), "{beta}");
}
