//! `feedforward`: effects and invariances of the settings of student, teacher and inputs.

use crate::common;
use crate::common::assert::{TIGHT, near};
use meanfield::data::teacher::{InputDistribution, LabelledExamples, Teacher, TeacherRule};
use meanfield::figure::{Figure, Mark};
use meanfield::lab::{Link, Outcome, Progress};
use meanfield::math::Ending;
use meanfield::math::covariance::InputCovariance;
use meanfield::math::random::Stream;
use meanfield::models::feedforward::single::SingleSnapshot;
use meanfield::models::feedforward::tap::likelihood::Likelihood;
use meanfield::models::feedforward::tap::{Tap, TrainingSet};
use meanfield::models::task;

const SOLVER: Tap = Tap { tolerance: 1e-14 };

/// Correlated inputs whose covariance is known are the white problem in other coordinates.
#[test]
fn knowing_the_correlation_is_whitening() {
    for hidden in [1, 3] {
        let draw = |rho| {
            let covariance = InputCovariance::ar1(rho);
            let inputs =
                InputDistribution { covariance, branch: 24 / hidden, ..InputDistribution::white(24) };
            let mut teacher = Teacher::draw(TeacherRule::Committee(hidden), inputs, 0.1, Stream::of(8, 1));
            let mut examples = LabelledExamples::new(24);
            teacher.extend(&mut examples, 60);
            let problem = TrainingSet::new(&examples, 60, Likelihood::new(hidden, 2.0))
                .with_assumed_covariance(covariance);
            let (state, ending) = SOLVER.solve(&problem);
            assert_eq!(ending, Ending::Converged);
            let mut solution = state.solution(&problem);
            inputs.whiten_weights(&mut solution.weights);
            solution
        };
        let (white, correlated) = (draw(0.0), draw(0.9));
        for (ours, theirs) in [
            (&correlated.weights, &white.weights),
            (&correlated.lambda, &white.lambda),
            (&correlated.g, &white.g),
            (&correlated.z, &white.z),
        ] {
            for (ours, theirs) in ours.iter().zip(theirs) {
                near(*ours, *theirs, 1e-11, "correlated");
            }
        }
    }
}

#[test]
fn a_warm_start_ends_at_the_same_fixed_point() {
    for (hidden, beta) in [(1, 0.5), (3, f64::INFINITY)] {
        let likelihood = Likelihood::new(hidden, beta);
        let flips = likelihood.flip_probability();
        let inputs = InputDistribution::white(30);
        let mut teacher = Teacher::draw(TeacherRule::Committee(hidden), inputs, flips, Stream::of(2, 0));
        let mut examples = LabelledExamples::new(30);
        teacher.extend(&mut examples, 90);
        let (few, all) =
            (TrainingSet::new(&examples, 37, likelihood), TrainingSet::new(&examples, 90, likelihood));
        let mut state = SOLVER.warm_start(&all, SOLVER.solve(&few).0);
        let ending = loop {
            if let Some(ending) = SOLVER.advance(&all, &mut state) {
                break ending;
            }
        };
        assert_eq!(ending, Ending::Converged);
        let (warm, cold) = (state.solution(&all), SOLVER.solve(&all).0.solution(&all));
        for (ours, theirs) in warm.weights.iter().zip(&cold.weights) {
            near(*ours, *theirs, TIGHT, "warm start");
        }
    }
}

/// A noise-free perceptron cannot fit a parity machine's labels: most solves fail, and the report has null for them.
#[test]
fn unlearnable_labels_diverge_with_advice() {
    let Link { task: id, raw } =
        Link::parse("#/feedforward?beta=inf&teacher=parity&teacher_hidden=2&inputs=20&alphas=1,4&runs=6");
    let task = task(&id).unwrap();
    let result = common::whole(task, &raw);
    let status = result.status();
    assert_eq!(status.outcome, Outcome::Partial, "α = 1 has numbers");
    let reason = status.reason.unwrap();
    assert!(reason.contains("α = 4") && reason.contains('β'), "{reason}");
    let report = result.report();
    assert!(report["curve"][1]["bayes"].is_null() && report["curve"][1]["unconverged"] == 6);
    assert!(report["curve"][0]["bayes"].is_number() && report["curve"][0]["theory_bayes"].is_null());
}

/// A failed run shows its residual first, and the caption of every figure gives advice on β.
#[test]
fn the_residual_of_a_diverged_run_is_the_first_figure() {
    for grow in [false, true] {
        let link = format!("#/feedforward.run?beta=inf&inputs=20&teacher=parity&alpha=4&warm_start={grow}");
        let Link { task: id, raw } = Link::parse(&link);
        let result = common::whole(task(&id).unwrap(), &raw);
        assert_eq!(result.status().outcome, Outcome::NoResult);
        let figures = result.figures();
        let ids: Vec<&str> = figures.iter().map(|f| f.id.as_str()).collect();
        // No figure of weights and fields that do not exist.
        let expected: &[&str] = if grow { &["residual", "growth"] } else { &["residual"] };
        assert_eq!(ids, expected);
        assert!(figures[0].finding.contains("no solution"), "{}", figures[0].finding);
        assert!(figures[0].find("residual").is_some_and(|mark| mark.len() > 100));
        for figure in &figures {
            assert!(figure.caption.contains('β'), "{} gives advice: {}", figure.id, figure.caption);
        }
    }
    let Link { task: id, raw } = Link::parse("#/feedforward.run?inputs=20&alpha=1&exact=none");
    let figures = common::whole(task(&id).unwrap(), &raw).figures();
    assert_eq!((figures[0].id.as_str(), figures.last().unwrap().id.as_str()), ("weights", "residual"));
}

fn figures(link: &str) -> Vec<Figure> {
    let Link { task: id, raw } = Link::parse(link);
    let task = task(&id).unwrap();
    common::whole(task, &raw).figures()
}

/// A leave-one-out estimate above one half, and a student worse than chance: neither is clipped.
#[test]
fn every_point_and_its_bar_is_on_the_axis() {
    for (link, beyond) in [
        ("#/feedforward?rho=0.9&whiten=false&runs=12&alphas=0.5,1,2", true),
        ("#/feedforward?hidden=3&inputs=6&alphas=0.5,1,4&runs=12", true),
        ("#/feedforward?runs=12&alphas=4,10&beta=2", false),
    ] {
        let figure = figures(link).remove(0);
        let top = figure.y.range.1;
        assert_eq!(top != 0.55, beyond, "{link}: up to {top}");
        // The estimates of single learners are far from their mean, and hidden at first.
        let on_axis = figure.marks.iter().filter(|mark| mark.key() != "estimates");
        for datum in on_axis.flat_map(Mark::data) {
            assert!(datum.y >= 0.0 && datum.y + datum.get("se").unwrap_or(0.0) <= top, "{link}: {datum:?}");
        }
    }
    let figures = figures("#/feedforward.run?teacher=random&alpha=1&exact=none");
    let growth = figures.iter().find(|figure| figure.id == "growth").unwrap();
    let lowest = growth.marks.iter().flat_map(Mark::data).fold(f64::INFINITY, |low, datum| low.min(datum.y));
    assert!(lowest < -0.05 && growth.y.range.0 < lowest, "{lowest} {:?}", growth.y.range);
}

/// Captions describe only marks that are drawn, and name the student of the theory.
#[test]
fn captions_match_the_figure() {
    for (link, present, absent) in [
        ("#/feedforward?rho=0.5&whiten=false&runs=1&alphas=1", "a learner who knows ρ", ""),
        ("#/feedforward?rho=0.5&runs=1&alphas=1", "averaged over 1 run;", "who knows"),
        (
            "#/feedforward?rho=0.9&whiten=false&runs=2&alphas=1",
            "It is valid for uncorrelated inputs only.",
            "who does not",
        ),
        (
            "#/feedforward?rho=0.9&whiten=false&beta=inf&runs=2&alphas=0.5",
            "It is valid for uncorrelated inputs only.",
            "Squares",
        ),
        ("#/feedforward?rho=0.9&runs=2&alphas=1", "the leave-one-out estimate of that error", "valid"),
        ("#/feedforward?teacher=random&runs=2&alphas=1", "against fresh coins", "noiseless teacher"),
        (
            "#/feedforward.run?teacher=random&beta=inf&alpha=1&exact=none",
            "no label depends on",
            "the teacher's weights",
        ),
    ] {
        let caption = figures(link).remove(0).caption.clone();
        assert!(caption.contains(present), "{link}: {caption}");
        assert!(absent.is_empty() || !caption.contains(absent), "{link}: {caption}");
    }
    for (query, dashed) in [("", true), ("&teacher=random", false), ("&rho=0.5&whiten=false", true)] {
        let figures = figures(&format!("#/feedforward.run?alpha=1&exact=none{query}"));
        let growth = figures.iter().find(|figure| figure.id == "growth").unwrap();
        let drawn = growth.marks.iter().any(|mark| mark.key().starts_with("theory"));
        assert_eq!((growth.caption.contains("Dashed"), drawn), (dashed, dashed), "{query}");
        assert_eq!(growth.caption.contains("infer its own error"), query.is_empty(), "{query}");
    }
}

#[test]
fn no_average_is_shown_before_a_run_is_finished() {
    let Link { task: id, raw } = Link::parse("#/feedforward?runs=2&alphas=1");
    let figure = common::result(task(&id).unwrap(), &raw, std::iter::once(0..1)).figures().remove(0);
    assert!(figure.caption.contains("no run is finished"), "{}", figure.caption);
    assert!(!figure.caption.contains("averaged"), "{}", figure.caption);
}

/// With one branch a field below 0 is an error; with several branches their vote decides.
#[test]
fn cavity_fields_of_several_branches_are_votes() {
    for (hidden, votes) in [(1, false), (3, true)] {
        let figures = figures(&format!(
            "#/feedforward.run?hidden={hidden}&inputs=15&alpha=2&exact=none&warm_start=false"
        ));
        let caption = &figures.iter().find(|figure| figure.id == "cavity").unwrap().caption;
        assert_eq!(caption.contains("their fraction is the leave-one-out error"), !votes, "{caption}");
        assert_eq!(caption.contains("has 3 fields"), votes, "{caption}");
    }
}

/// Theory is drawn at every sixth size of a growing set and at the last, and solved nowhere else.
#[test]
fn theory_beside_a_growing_training_set_is_that_of_the_drawn_sizes() {
    let Link { task: id, raw } = Link::parse("#/feedforward.run?hidden=3&inputs=12&alpha=2&exact=none");
    let result = common::whole(task(&id).unwrap(), &raw);
    let seen = result.as_any().downcast_ref::<SingleSnapshot>().unwrap();
    let ratios: Vec<f64> = seen.theory.iter().map(|t| t.alpha).collect();
    assert_eq!(ratios, [1.0, 7.0, 13.0, 19.0, 24.0].map(|m| m / 12.0));
    assert_eq!(seen.growth.len(), 24);
    assert_eq!(result.report()["solution"]["theory_q"], seen.theory.last().unwrap().q);
}

/// With all inputs on the sphere, leave-one-out loses its bias at small N.
#[test]
fn normalised_inputs_correct_leave_one_out_at_small_n() {
    let number = |v: &serde_json::Value| v.as_f64().unwrap();
    let bias = |query: &str| {
        let Link { task: id, raw } = Link::parse(query);
        let task = task(&id).unwrap();
        let report = common::whole(task, &raw).report();
        let row = &report["curve"][0];
        (number(&row["loo_bayes"]) - number(&row["bayes_noisy"])) / number(&row["loo_bayes_se"])
    };
    assert!(bias("#/feedforward?inputs=10&alphas=1&runs=1000") > 4.0);
    assert!(bias("#/feedforward?inputs=10&alphas=1&runs=1000&normalise=true").abs() < 3.0);
}

/// TAP against the sampled exact posterior: with all inputs on the sphere even N = 5 is nearly exact.
#[test]
fn on_the_sphere_tap_is_near_the_exact_posterior() {
    let cosine = |query: &str| {
        let Link { task: id, raw } = Link::parse(query);
        let report = common::whole(task(&id).unwrap(), &raw).report();
        report["exact"]["cosine"].as_f64()
    };
    let (mut short, mut count) = ([0.0; 2], 0.0);
    for seed in 1..=24 {
        let run = |normalise| {
            cosine(&format!(
                "#/feedforward.run?inputs=4&beta=inf&alpha=2&warm_start=false&draws=5000&seed={seed}&normalise={normalise}"
            ))
        };
        // At N = 4 some runs have no fixed point.
        if let (Some(gauss), Some(sphere)) = (run(false), run(true)) {
            short[0] += 1.0 - gauss;
            short[1] += 1.0 - sphere;
            count += 1.0;
        }
    }
    assert!(count > 15.0 && short[1] / count < 0.002 && short[0] > 3.0 * short[1], "{short:?} of {count}");
}

/// Both samplers of the exact posterior, as runs of the task.
#[test]
fn weighted_draws_and_the_chain_agree_on_every_prediction() {
    let exact = |how: &str| {
        let query = format!("#/feedforward.run?hidden=3&inputs=9&beta=1.5&alpha=1.2&exact={how}");
        let Link { task: id, raw } = Link::parse(&query);
        let result = common::whole(task(&id).unwrap(), &raw);
        result.as_any().downcast_ref::<SingleSnapshot>().unwrap().exact().unwrap().averages
    };
    let (weighted, chain) = (exact("weighted&draws=300000"), exact("chain&draws=20000"));
    assert!(
        weighted.effective > 1000.0 && chain.effective > 1000.0,
        "{} {}",
        weighted.effective,
        chain.effective
    );
    for (a, b) in weighted.outputs.iter().zip(&chain.outputs) {
        assert!((a - b).abs() < 0.06, "{a} {b}");
    }
    for (j, (a, b)) in weighted.mean.iter().zip(&chain.mean).enumerate() {
        let se = (weighted.se[j] * weighted.se[j] + chain.se[j] * chain.se[j]).sqrt();
        assert!((a - b).abs() < 4.5 * se, "w_{j}: {a} {b} ± {se}");
    }
    assert!(chain.has_mixed());
}

/// Where the posterior has separate modes, a chain stays in one: many pooled chains agree with the exact averages within their errors.
#[test]
fn chains_that_have_not_mixed_are_reported_and_pooled() {
    for problem in ["hidden=3&inputs=6&beta=12&alpha=1&seed=4", "hidden=2&inputs=4&beta=inf&alpha=2&seed=1"] {
        let exact = |how: &str| {
            let query = format!("#/feedforward.run?warm_start=false&{problem}&exact={how}");
            let Link { task: id, raw } = Link::parse(&query);
            let result = common::whole(task(&id).unwrap(), &raw);
            result.as_any().downcast_ref::<SingleSnapshot>().unwrap().exact().unwrap().averages
        };
        let (weighted, few, many) =
            (exact("weighted&draws=400000"), exact("chain&draws=1000"), exact("chain&draws=60000"));
        assert!(!few.has_mixed() && !many.has_mixed() && few.effective < 100.0 && many.effective > 100.0);
        for (j, truth) in weighted.mean.iter().enumerate() {
            for chains in [&few, &many] {
                let z = (chains.mean[j] - truth).abs() / weighted.se[j].hypot(chains.se[j]);
                assert!(z < 4.0, "{problem} w_{j}: {truth}, {} ± {}", chains.mean[j], chains.se[j]);
            }
        }
    }
}

/// A run may have no solution: values that it lacks are reported as missing.
#[test]
fn texts_never_contain_nan() {
    let unsolved = figures("#/feedforward?inputs=2&beta=50&teacher=random&alphas=0.5,20&runs=2").remove(0);
    assert!(
        unsolved.marks.iter().any(|mark| mark.len() < 2),
        "this link is meant to have no solution at α = 20"
    );
    let description = unsolved.described();
    assert!(description.contains("none of 2 runs") && !description.contains("NaN"), "{description}");
    assert!(!unsolved.caption.contains("NaN"), "{}", unsolved.caption);
}

/// While the training set grows, the progress and the caption have the same number of examples.
#[test]
fn progress_counts_the_examples_of_the_solution_that_is_shown() {
    let Link { task: id, raw } = Link::parse("#/feedforward.run?inputs=100&alpha=4&exact=none");
    let task = task(&id).unwrap();
    let values = task.check(&raw).unwrap();
    let mut run = task.start(&values, 0..1, &common::store(), &[]).unwrap();
    let mut compared = 0;
    while let Progress::Running { note, .. } = run.advance() {
        let Some((count, "examples")) = note.split_once(' ') else { continue };
        let figures = task.result(&values, &[&run.snapshot()]).unwrap().figures();
        let caption = &figures[0].caption;
        assert!(caption.contains(&format!(" after {count} examples")), "{note}: {caption}");
        compared += 1;
    }
    assert!(compared > 1, "{compared} looks");
}

/// Regression: the preset had the headline of the default settings.
#[test]
fn the_headline_for_few_inputs_compares_them_with_the_theory_for_many() {
    let curve = |inputs: u32| {
        let link = Link::parse(&format!("#/feedforward?inputs={inputs}&beta=0.5&alphas=1,2,4&runs=20"));
        common::whole(task(&link.task).unwrap(), &link.raw).figures().remove(0)
    };
    let figure = curve(15);
    let points = |key: &str| figure.curve(key).unwrap().points.iter();
    let differences = points("clean").map(|ours| {
        let theory = points("theory_clean").find(|theory| theory.x == ours.x).unwrap();
        (ours.y - theory.y).abs()
    });
    // “Within” is rounded up.
    let largest = format!("{:.3}", (1e3 * differences.fold(0.0, f64::max)).ceil() / 1e3);
    assert!(figure.finding.contains("15 inputs") && figure.finding.contains(&largest), "{}", figure.finding);
    assert!(!curve(40).finding.contains("40 inputs"));
}
