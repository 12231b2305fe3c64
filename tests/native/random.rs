//! Random settings: all that are accepted are computed, drawn and reported without a panic; all others are refused
//! with a field.

use std::panic::{AssertUnwindSafe, catch_unwind};

use meanfield::data::{Hash, Store};
use meanfield::lab::{Kind, Link, Outcome, Progress, Raw, Task, mend};
use meanfield::math::random::{Purpose, Stream};
use meanfield::models::TASKS;
use meanfield::render::{Layer, Theme, overlay, svg};

use crate::common::store;

/// Largest memory of a run that is tried, in bytes.
const MEMORY: u64 = 100_000_000;

fn pick<'a, T: ?Sized>(stream: &mut Stream, from: &[&'a T]) -> &'a T {
    from[((stream.uniform() * from.len() as f64) as usize).min(from.len() - 1)]
}

/// Draws a number from a range, half of the time on a logarithmic scale.
fn between(stream: &mut Stream, low: f64, high: f64) -> f64 {
    let u = stream.uniform();
    let linear = low + u * (high - low);
    if low > 0.0 && stream.uniform() < 0.5 { low * (high / low).powf(u) } else { linear }
}

/// Draws a text for a field: its default, an end of its range, or a value in between.
fn text(stream: &mut Stream, kind: &Kind, default: &str, data: &[String]) -> String {
    if stream.uniform() < 0.3 {
        return default.to_owned();
    }
    match *kind {
        Kind::Integer { min, max, slider } => {
            let end = slider.map_or(max.min(min.saturating_add(50)), |(_, high)| high);
            let drawn = between(stream, min as f64, end as f64) as u64;
            pick(stream, &[&min, &drawn, &drawn, &drawn, &max]).to_string()
        }
        Kind::Real { min, max, slider: (low, high, _), infinity } => {
            let drawn = between(stream, low, high);
            let far = if infinity { f64::INFINITY } else { max };
            pick(stream, &[&min, &drawn, &drawn, &drawn, &drawn, &max, &far]).to_string()
        }
        Kind::Reals { min, max, most } => {
            let count = (stream.uniform() * most.min(5) as f64) as usize;
            let drawn: Vec<String> = (0..count).map(|_| between(stream, min, max).to_string()).collect();
            drawn.join(",")
        }
        Kind::Points { x, y, labels, number: (least, most) } => {
            let count = least.max(3) + (stream.uniform() * most.min(12) as f64) as usize;
            let drawn = (0..count.min(most)).flat_map(|_| {
                let place = [between(stream, x.0, x.1), between(stream, y.0, y.1)];
                let label = (!labels.is_empty())
                    .then(|| labels[(stream.uniform() * labels.len() as f64) as usize % labels.len()].0);
                place.into_iter().chain(label)
            });
            drawn.map(|number| number.to_string()).collect::<Vec<_>>().join(",")
        }
        Kind::Flag => pick(stream, &["false", "true"]).to_owned(),
        Kind::Choice(words) => {
            words[(stream.uniform() * words.len() as f64) as usize % words.len()].0.to_owned()
        }
        Kind::Text { .. } => pick(stream, &["", "", "age", "yes", "nothing"]).to_owned(),
        Kind::Data => data[(stream.uniform() * data.len() as f64) as usize % data.len()].clone(),
        Kind::Pixels { .. } => default.to_owned(),
    }
}

/// Computes a few slices of one unit and draws its figures; true if the settings were accepted.
pub fn try_out(task: &dyn Task, raw: &Raw, store: &Store, slices: usize, u: f64) -> bool {
    let values = task.check(raw).expect("mended settings are valid");
    let facts = values.data().and_then(|named| store.facts(named.content()?));
    if values.takes_data() && facts.is_none() && values.data().is_none_or(|named| !named.needs_no_file()) {
        return false;
    }
    let plan = task.plan(&values, facts);
    let Some(stage) = plan.stages().into_iter().next() else { return true };
    if plan.memory_per_worker() > MEMORY {
        return false;
    }
    let unit = stage.start + (u * stage.len() as f64) as usize;
    let mut run = match task.start(&task.check(raw).unwrap(), unit..unit + 1, store, &[]) {
        Ok(run) => run,
        Err(problems) => {
            assert!(problems.iter().all(|problem| !problem.describe().is_empty()), "{problems:?}");
            return false;
        }
    };
    let mut done = false;
    for _ in 0..slices {
        done = run.advance() == Progress::Done;
        if done {
            break;
        }
    }
    let snapshot = run.snapshot();
    let result = task.result(&values, &[&snapshot]).unwrap();
    let status = result.status();
    if done && stage.len() == 1 && status.outcome != Outcome::Converged {
        assert!(status.reason.is_some_and(|why| !why.contains("NaN")), "it says why");
    }
    let figures = overlay(result.figures().into_iter().map(|figure| Layer { figure, stale: false }));
    for drawing in &figures {
        let text = format!("{} {}", drawing.figure.finding, drawing.figure.caption);
        assert!(!text.contains("NaN"), "{text}");
        let drawn = svg(drawing, 300, 200, Theme::Light);
        let near = drawn.find("NaN").map(|at| &drawn[at.saturating_sub(60)..at + 3]);
        assert_eq!(near, None, "{} has no number at this place", drawing.figure.id);
    }
    result.records();
    assert!(result.report().is_object());
    true
}

fn try_many(count: usize, slices: usize, seed: u64) {
    let mut store = store();
    let small = format!("own.csv@{}", Hash::of(include_bytes!("../data/own.csv")));
    for example in
        [&include_bytes!("../../assets/data/example.csv")[..], include_bytes!("../../assets/data/yield.csv")]
    {
        store.load(example).unwrap();
    }
    let data = [small, "example".to_owned(), "yield".to_owned(), String::new()];
    let (mut computed, mut failed) = (0, Vec::new());
    for i in 0..count {
        let task = TASKS[i % TASKS.len()];
        let mut stream = Stream::for_purpose(seed, Purpose::Test(1), i as u64);
        let draw = |field: &meanfield::lab::Field| {
            (field.key.to_owned(), text(&mut stream, &field.kind, field.default, &data))
        };
        let raw: Raw = task.fields().iter().map(draw).collect();
        let (raw, _) = mend(&raw, |raw| task.check(raw).map(|_| ()));
        let link = Link { task: task.meta().id.to_owned(), raw: raw.clone() }.to_string();
        let u = stream.uniform();
        match catch_unwind(AssertUnwindSafe(|| try_out(task, &raw, &store, slices, u))) {
            Ok(accepted) => computed += usize::from(accepted),
            Err(_) => failed.push(link),
        }
    }
    assert!(failed.is_empty(), "{} of {count}:\n{}", failed.len(), failed.join("\n"));
    assert!(computed > count / 4, "only {computed} of {count} could be computed");
}

#[test]
fn random_settings_end_in_a_result_or_a_refusal() {
    try_many(500, 4, 1);
}

#[test]
#[ignore = "takes ten minutes; scripts/test --full runs it"]
fn ten_thousand_random_settings_end_in_a_result_or_a_refusal() {
    try_many(10_000, 10, 2);
}
