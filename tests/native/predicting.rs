//! Rows of a second file, predicted by the models of a finished run: as if the run had been given them from the beginning, without a fit.

use std::fmt::Write as _;

use meanfield::data::{DataRef, Store};
use meanfield::lab::{ErasedExperiment, ErasedResult, Field, InputError, Link, Progress, Role, Task, Values};
use meanfield::math::random::Stream;
use meanfield::models::{TASKS, task};

/// Returns a table of `rows` rows with labels of two and of three values and a number.
fn table(rows: usize, seed: u64) -> String {
    let mut stream = Stream::of(seed, 0);
    let mut text = String::from("a,b,c,ill,kind,dose\n");
    for _ in 0..rows {
        let [a, b, c, noise] = std::array::from_fn(|_| (stream.normal() * 1000.0).round() / 1000.0);
        let kind = ["low", "middle", "high"][usize::from(a > -0.4) + usize::from(a + 0.3 * noise > 0.5)];
        let ill = if a - b + 0.5 * noise > 0.0 { "yes" } else { "no" };
        let dose = ((a * b + c + 0.2 * noise) * 1000.0).round() / 1000.0;
        writeln!(text, "{a},{b},{c},{ill},{kind},{dose}").unwrap();
    }
    text
}

/// A run on files, with the number of slices that its work took.
struct Run {
    result: Box<dyn ErasedResult>,
    snapshots: Vec<Vec<u8>>,
    slices: usize,
}

fn finish(mut work: Box<dyn ErasedExperiment>, slices: &mut usize) -> Vec<u8> {
    loop {
        *slices += 1;
        if work.advance() == Progress::Done {
            return work.snapshot();
        }
    }
}

fn slices(parts: &[Vec<u8>]) -> Vec<&[u8]> {
    parts.iter().map(Vec::as_slice).collect()
}

fn run(task: &dyn Task, values: &Values, store: &Store) -> Run {
    let facts = values.data().and_then(|named| store.facts(named.content()?));
    let (mut snapshots, mut count) = (Vec::new(), 0);
    for stage in task.plan(values, facts).stages() {
        let work = task.start(values, stage, store, &slices(&snapshots)).unwrap();
        snapshots.push(finish(work, &mut count));
    }
    Run { result: task.result(values, &slices(&snapshots)).unwrap(), snapshots, slices: count }
}

fn predict(task: &dyn Task, values: &Values, store: &Store, finished: &Run) -> Result<Run, Vec<InputError>> {
    let mut count = 0;
    let work = task.predict(values, store, &slices(&finished.snapshots))?;
    let snapshots = vec![finish(work, &mut count)];
    Ok(Run { result: task.result(values, &slices(&snapshots)).unwrap(), snapshots, slices: count })
}

/// Returns a store with a table of `rows` rows and a second file, and the settings that name them.
fn files(rows: usize, second: &str) -> (Store, [String; 2]) {
    let first = table(rows, 1);
    let mut store = Store::default();
    let mut name = |text: &str, name: &str| {
        store.load(text.as_bytes()).unwrap();
        DataRef::file(name, text.as_bytes()).to_string()
    };
    let names = [name(&first, "first.csv"), name(second, "second.csv")];
    (store, names)
}

fn check(link: &str, names: &[String; 2], with_second: bool) -> (&'static dyn Task, Values) {
    let Link { task: id, mut raw } = Link::parse(link);
    raw.insert("data".to_owned(), names[0].clone());
    if with_second {
        raw.insert("predict".to_owned(), names[1].clone());
    }
    let task = task(&id).unwrap();
    (task, task.check(&raw).unwrap())
}

/// Returns true if the main table of a task is a file.
fn takes_table(task: &dyn Task) -> bool {
    task.fields().iter().any(|field| field.key == "data" && field.role == Role::Data)
}

/// Settings of every kind of model.
const RUNS: [&str; 23] = [
    "#/gp.data?label=ill&ignore=kind,dose&fit=evidence",
    "#/gp.data?label=ill&ignore=kind,dose&fit=evidence&fit_ard=true&train_fraction=0.6&kappa=0.02",
    "#/gp.data?label=ill&ignore=kind,dose&fit=loo&method=naive",
    "#/gp.data?label=ill&ignore=kind,dose&fit=none&method=laplace&standardise=false",
    "#/gp.data?label=ill&ignore=kind,dose&fit=none&method=parallel",
    "#/gp.data?label=ill&ignore=kind,dose&fit=none&method=sequential",
    "#/gp.data?label=ill&ignore=kind,dose&fit=none&inducing=20",
    "#/gp.data?label=kind&ignore=ill,dose&fit=evidence",
    "#/feedforward.data?label=ill&ignore=kind,dose&fit=evidence",
    "#/feedforward.data?label=ill&ignore=kind,dose&fit=none&variance=shared&train_fraction=0.7",
    "#/feedforward.data?label=ill&ignore=kind,dose&beta=1&fit=none&normalise=true",
    "#/gp.regression?label=dose&ignore=ill,kind",
    "#/gp.regression?label=dose&ignore=ill,kind&fit_ard=true&train_fraction=0.5",
    "#/gp.regression?label=dose&ignore=ill,kind&fit=none&folds=3&kernel=matern32",
    "#/gp.regression?label=dose&ignore=ill,kind&inducing=20",
    "#/gp.regression?label=dose&ignore=ill,kind&train_fraction=0.5&inducing=12&standardise=false",
    "#/mlp.data?label=dose&ignore=ill,kind&hidden=2&restarts=2&train_fraction=1",
    "#/mlp.data?label=dose&ignore=ill,kind&hidden=1&restarts=1&train_fraction=1&hyper=fixed&bias=false",
    "#/nfa.data?ignore=ill,kind&sources=1&hidden=4&sweeps=120&restarts=2",
    "#/nfa.data?ignore=ill,kind&sources=2&hidden=3&sweeps=120&components=2&mixture_sweeps=40&standardise=false",
    "#/nfa.data?ignore=ill,kind&sources=1&hidden=3&sweeps=120&moments=gauss_hermite",
    // These fit one network to all labelled rows as well.
    "#/mlp.data?label=dose&ignore=ill,kind&hidden=2&restarts=2",
    "#/mlp.data?label=dose&ignore=ill,kind&hidden=2&restarts=1&splits=2&standardise=false",
];

/// Returns a second file of 11 rows: other columns in another order, and labels, which are scored.
fn second_file() -> String {
    let reordered = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [cells[2], cells[3], cells[0], cells[5], cells[1], cells[4]].join(",")
    };
    table(11, 2).lines().map(reordered).collect::<Vec<_>>().join("\n")
}

/// Predicts the rows of the second file by a finished run, checks that the bits are those of a run from the beginning, and returns both.
fn compare(link: &str, store: &Store, names: &[String; 2]) -> [Run; 2] {
    let (task, before) = check(link, names, false);
    let (_, values) = check(link, names, true);
    assert!(task.predicts_by(&values, &before) && !task.predicts_by(&before, &values), "{link}");
    let finished = run(task, &before, store);
    let direct = run(task, &values, store);
    let predicted = predict(task, &values, store, &finished).unwrap();
    assert!(predicted.result.report() == direct.result.report(), "{link}");
    assert!(predicted.result.figures() == direct.result.figures(), "{link}");
    assert_eq!(predicted.result.status().outcome, direct.result.status().outcome, "{link}");
    let [ours, theirs] =
        [&predicted, &direct].map(|run| run.result.records().unwrap_or_else(|| panic!("{link}")).csv);
    assert!(ours == theirs, "{link}");
    assert_eq!(ours.lines().filter(|line| line.contains("second file")).count(), 11, "{link}");
    assert!(predicted.slices <= direct.slices, "{link}: {} slices", predicted.slices);
    [predicted, direct]
}

#[test]
fn predictions_by_a_finished_run_are_those_of_a_run_from_the_beginning() {
    let (store, names) = files(60, &second_file());
    let mut total = [0, 0];
    for link in RUNS {
        let [predicted, direct] = compare(link, &store, &names);
        total = [total[0] + predicted.slices, total[1] + direct.slices];
        // These predictions are a finished run, too.
        let (task, values) = check(link, &names, true);
        let again = predict(task, &values, &store, &predicted).unwrap();
        assert_eq!(again.snapshots, predicted.snapshots, "{link}");
    }
    assert!(5 * total[0] < total[1], "predictions take {} slices of work, runs {}", total[0], total[1]);
}

/// Above 4,000 rows a result by few inducing points comes first, and the solve with all of them begins at its sites: predictions must follow
/// the same path.
#[test]
fn predictions_by_a_finished_run_of_many_rows_have_the_same_bits() {
    let (store, names) = files(4_010, &second_file());
    let link = "#/gp.data?label=ill&ignore=kind,dose&fit=none&inducing=128&sigma2=4&v=1";
    let [predicted, _] = compare(link, &store, &names);
    assert_eq!(predicted.result.report()["inducing_points"], 128);
}

#[test]
fn a_second_file_that_does_not_fit_is_refused_by_its_field() {
    for (second, expected) in
        [("a,b\n1,2\n", "is not in"), ("a,b,c\n1,2,x\n", "holds words"), ("a,b,c\n1,2,\n3,4,5\n", "missing")]
    {
        let (store, names) = files(60, second);
        for link in [RUNS[0], RUNS[8], RUNS[11], RUNS[16]] {
            let (task, before) = check(link, &names, false);
            let (_, values) = check(link, &names, true);
            let finished = run(task, &before, &store);
            let Err(problems) = predict(task, &values, &store, &finished) else { panic!("{link}") };
            let [problem] = problems.as_slice() else { panic!("{problems:?}") };
            assert!(["predict", "missing"].contains(&problem.field.as_str()), "{link}: {problem}");
            assert!(problem.expected.contains(expected) && !problem.label.is_empty(), "{link}: {problem}");
        }
    }
}

#[test]
fn only_another_second_file_is_predicted_by_a_finished_run() {
    let (_, names) = files(60, "a,b,c\n1,2,3\n");
    for task in TASKS.iter().filter(|task| takes_table(**task)) {
        let field = Field::with_role(task.fields(), Role::SecondData);
        let link = format!("#/{}", task.meta().id);
        let values = check(&link, &names, field.is_some()).1;
        let without = check(&link, &names, false).1;
        assert!(field.is_some() || !task.predicts_by(&values, &without), "{link}");
        assert!(!task.predicts_by(&values, &values), "{link}");
    }
    let (task, values) = check(RUNS[0], &names, true);
    let (_, other) = check(&(RUNS[0].to_owned() + "&seed=2"), &names, false);
    assert!(!task.predicts_by(&values, &other), "the rows of a draw with another seed");
}
