//! The default learning curve, whole and a single solve. Each bench checks its answer before it is timed.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use meanfield::data::Store;
use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::lab::{Progress, Raw};
use meanfield::math::Ending;
use meanfield::math::random::Stream;
use meanfield::models::feedforward::tap::likelihood::Likelihood;
use meanfield::models::feedforward::tap::{Tap, TrainingSet};
use meanfield::models::feedforward::theory;
use meanfield::models::task;

fn curve() -> serde_json::Value {
    let task = task("feedforward").unwrap();
    let values = task.check(&Raw::new()).unwrap();
    let units = task.plan(&values, None).units();
    let mut run = task.start(&task.check(&Raw::new()).unwrap(), 0..units, &Store::default(), &[]).unwrap();
    while run.advance() != Progress::Done {}
    task.result(&values, &[&run.snapshot()]).unwrap().report()
}

fn learning_curve(c: &mut Criterion) {
    for row in curve()["curve"].as_array().unwrap() {
        let (ours, theory, se) = (&row["bayes"], &row["theory_bayes"], &row["bayes_se"]);
        let z = (ours.as_f64().unwrap() - theory.as_f64().unwrap()) / se.as_f64().unwrap();
        assert!(z.abs() < 4.0 && row["unconverged"] == 0, "{row}");
    }
    c.benchmark_group("feedforward")
        .sample_size(10)
        .bench_function("figure 1, 1800 solves", |b| b.iter(curve));
}

fn solve(c: &mut Criterion) {
    let likelihood = Likelihood::new(1, 0.5);
    let mut teacher = Teacher::draw(
        TeacherRule::Committee(1),
        InputDistribution::white(50),
        likelihood.flip_probability(),
        Stream::of(1, 0),
    );
    let mut examples = LabelledExamples::new(50);
    teacher.extend(&mut examples, 500);
    let problem = TrainingSet::new(&examples, 500, likelihood);
    assert_eq!(Tap::default().solve(&problem).1, Ending::Converged);
    c.bench_function("feedforward/solve N=50 m=500", |b| {
        b.iter(|| Tap::default().solve(black_box(&problem)));
    });
}

fn replica_theory(c: &mut Criterion) {
    let likelihood = Likelihood::new(1, 0.5);
    assert!((theory::solve(&likelihood, 10.0, 0.5).bayes - 0.320_237_738_692).abs() < 1e-9);
    c.bench_function("feedforward/theory at one α", |b| {
        b.iter(|| theory::solve(&likelihood, black_box(10.0), 0.5));
    });
}

criterion_group!(benches, learning_curve, solve, replica_theory);
criterion_main!(benches);
