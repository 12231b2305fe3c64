//! The default learning curve, a single solve, and the theory.

use std::hint::black_box;

use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::lab::Link;
use meanfield::math::Ending;
use meanfield::math::random::Stream;
use meanfield::models::feedforward::tap::likelihood::Likelihood;
use meanfield::models::feedforward::tap::{Tap, TrainingSet};
use meanfield::models::feedforward::theory;
use meanfield::models::task;

use super::{Case, Timed, close, snapshot, timed};

pub fn cases() -> Vec<Case> {
    vec![
        Case::new("feedforward/figure 1, 1800 solves", learning_curve).samples(10).slow(true),
        Case::new("feedforward/solve, N = 50, m = 500", solve),
        Case::new("feedforward/theory at one α", replica_theory),
    ]
}

fn learning_curve() -> Timed {
    let link = Link::parse("#/feedforward");
    let task = task(&link.task).unwrap();
    let report = task.result(&task.check(&link.raw).unwrap(), &[&snapshot(&link)]).unwrap().report();
    for row in report["curve"].as_array().unwrap() {
        let (ours, theory, se) = (&row["bayes"], &row["theory_bayes"], &row["bayes_se"]);
        let z = (ours.as_f64().unwrap() - theory.as_f64().unwrap()) / se.as_f64().unwrap();
        assert!(z.abs() < 4.0 && row["unconverged"] == 0, "{row}");
    }
    timed(move || snapshot(&link))
}

fn solve() -> Timed {
    let likelihood = Likelihood::new(1, 0.5);
    let mut teacher = Teacher::draw(
        TeacherRule::Committee(1),
        InputDistribution::white(50),
        likelihood.flip_probability(),
        Stream::of(1, 0),
    );
    let mut examples = LabelledExamples::new(50);
    teacher.extend(&mut examples, 500);
    // The kernel outlives this function.
    let problem = TrainingSet::new(Box::leak(Box::new(examples)), 500, likelihood);
    assert_eq!(Tap::default().solve(&problem).1, Ending::Converged);
    timed(move || Tap::default().solve(black_box(&problem)))
}

fn replica_theory() -> Timed {
    let likelihood = Likelihood::new(1, 0.5);
    close(theory::solve(&likelihood, 10.0, 0.5).bayes, 0.320_237_738_692, 1e-9);
    timed(move || theory::solve(&likelihood, black_box(10.0), 0.5))
}
