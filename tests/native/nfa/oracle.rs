//! `nfa` against exact small cases that were computed independently (`tests/data/nfa.json`), and against finite differences.

use meanfield::data::DataRef;
use meanfield::math::Budget;
use meanfield::models::nfa::solver::approximate_posterior::{
    ApproximatePosterior, Family, TopHyperparameters,
};
use meanfield::models::nfa::solver::blocks::Blocks;
use meanfield::models::nfa::solver::cost::{
    component_terms, cost_parts, data_cost, entropy_term, prior_term, softmax,
};
use meanfield::models::nfa::solver::evaluation::{CostEvaluation, DataGradient, EvaluationOptions};
use meanfield::models::nfa::solver::moments::{Moments, propagate};
use meanfield::models::nfa::solver::network::{Gaussian, Gaussians, Network};
use meanfield::models::nfa::solver::observations::Observations;
use meanfield::models::nfa::solver::sources::Sources;
use serde_json::Value;

use crate::common::oracle::{self, number, numbers, rows};
use crate::common::run_on;

const RULES: [(Moments, &str); 2] = [(Moments::Taylor, "taylor"), (Moments::GaussHermite, "gh")];

fn gaussians(value: &Value, mean: &str, var: &str) -> Gaussians {
    Gaussians { mean: numbers(&value[mean]), var: numbers(&value[var]) }
}

fn gaussian(value: &Value, name: &str) -> Gaussian {
    Gaussian { mean: number(&value[name]), var: number(&value[&format!("{name}v")]) }
}

fn network(value: &Value) -> Network {
    let (hidden, channels) = (rows(&value["A"]).len(), rows(&value["B"]).len());
    Network {
        sources: rows(&value["A"])[0].len(),
        hidden,
        channels,
        first: gaussians(value, "A", "Av"),
        first_bias: gaussians(value, "a", "av"),
        second: gaussians(value, "B", "Bv"),
        second_bias: gaussians(value, "b", "bv"),
    }
}

/// Sources with one Gaussian component each.
fn sources(means: &[Vec<f64>], vars: &[Vec<f64>]) -> Sources {
    let mut sources = Sources::new(means, 1.0);
    for (t, row) in vars.iter().enumerate() {
        for (i, var) in row.iter().enumerate() {
            sources.ln_var.set(t, i, var.ln());
        }
    }
    sources.update_moments();
    sources
}

#[track_caller]
fn near(ours: &[f64], theirs: &Value, tolerance: f64, what: &str) {
    let theirs = numbers(theirs);
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (ours, theirs) in ours.iter().zip(theirs) {
        assert!((ours - theirs).abs() <= tolerance * theirs.abs().max(1.0), "{what}: {ours} is not {theirs}");
    }
}

#[test]
fn moments_through_a_network() {
    let reference = &oracle::nfa()["propagation"];
    let inputs = &reference["inputs"];
    let (network, means, vars) = (network(inputs), rows(&inputs["s_mean"]), rows(&inputs["s_var"]));
    for (moments, name) in RULES {
        for t in 0..means.len() {
            let ours = propagate(&network, moments, true, &means[t], &vars[t]);
            let theirs = &reference[name];
            let check =
                |ours: &[f64], key: &str| near(ours, &theirs[key][t], 1e-10, &format!("{name} {key}"));
            check(&ours.y_mean, "ybar(21)");
            check(&ours.y_var, "ytilde(22)");
            check(&ours.y_star, "ytilde_star(30)");
            check(&ours.g_mean, "gbar(25)");
            check(&ours.g_var, "gtilde(26)");
            check(&ours.g_star, "gtilde_star(31)");
            check(&ours.f_mean, "fbar(27)");
            check(&ours.f_var, "ftilde(28)");
            check(&ours.jacobian, "df_ds(29)[t][k][i]");
        }
    }
}

/// Returns the state that the inputs of the reference define.
fn propagation_state(inputs: &Value) -> ApproximatePosterior {
    let sources = sources(&rows(&inputs["s_mean"]), &rows(&inputs["s_var"]));
    let noise = &inputs["likelihood"];
    ApproximatePosterior {
        noise: Gaussians { mean: numbers(&noise["v_n_mean"]), var: numbers(&noise["v_n_var"]) },
        ..ApproximatePosterior::new(network(inputs), sources, 1.0)
    }
}

fn evaluated(
    state: &ApproximatePosterior,
    observations: &Observations,
    wanted: EvaluationOptions,
) -> DataGradient {
    let mut state = state.clone();
    let mut evaluation = CostEvaluation::new(&state, wanted);
    assert!(evaluation.advance(&mut state, observations, &mut Budget::new(u64::MAX)));
    evaluation.gradient().clone()
}

fn plain(moments: Moments) -> EvaluationOptions {
    EvaluationOptions { moments, solve_output: false, curvature: false, clip: false }
}

fn flat(blocks: &Blocks, samples: usize) -> Vec<f64> {
    (0..samples).flat_map(|t| blocks.sample(t)).collect()
}

#[test]
fn gradients_of_the_data() {
    let reference = &oracle::nfa()["propagation"];
    for (moments, name) in RULES {
        let mut inputs = reference["inputs"].clone();
        inputs["likelihood"] = reference[name]["likelihood"].clone();
        let theirs = &inputs["likelihood"];
        let state = propagation_state(&inputs);
        let observations = Observations::new(&rows(&theirs["x"]));
        let exact = evaluated(&state, &observations, plain(moments));
        let cost = data_cost(&observations, &state.noise, &exact.residuals);
        near(&[cost], &theirs["C_x"], 1e-10, name);
        let pairs =
            [(&exact.first, "A"), (&exact.first_bias, "a"), (&exact.second, "B"), (&exact.second_bias, "b")];
        for (ours, key) in pairs {
            near(&ours.mean, &theirs["grad"][&format!("d/d{key}")], 1e-10, &format!("{name} d/d{key}"));
            near(&ours.var, &theirs["grad"][&format!("d/d{key}v")], 1e-10, &format!("{name} d/d{key}v"));
        }
        near(&flat(&exact.by_mean, 2), &theirs["grad"]["d/ds_mean"], 1e-10, name);
        near(&flat(&exact.by_var, 2), &theirs["grad"]["d/ds_var"], 1e-10, name);
        let clipped = evaluated(&state, &observations, EvaluationOptions { clip: true, ..plain(moments) });
        let theirs = &theirs["grad_clipped_variances"];
        near(&flat(&clipped.by_var, 2), &theirs["d/ds_var"], 1e-10, name);
        near(&clipped.first.var, &theirs["d/dAv"], 1e-10, name);
        near(&clipped.first_bias.var, &theirs["d/dav"], 1e-10, name);
    }
}

#[test]
fn single_terms() {
    let reference = oracle::nfa();
    let terms = &reference["terms"];
    near(&[entropy_term(0.3)], &terms["q_term(var=0.3)"], 1e-12, "entropy");
    let at = |mean, var| Gaussian { mean, var };
    let prior = prior_term(at(0.7, 0.2), at(0.1, 0.05), at(-0.3, 0.02));
    near(&[prior], &terms["p_term(mean=0.7,var=0.2,m=0.1,mv=0.05,v=-0.3,vv=0.02)"], 1e-12, "prior");
    let mixture = &reference["mog"];
    let logits = gaussians(mixture, "c_mean", "c_var");
    near(&softmax(&logits.mean), &mixture["kappa"], 1e-12, "κ");
    near(&component_terms(&logits), &mixture["E[-ln P(M=l)]"], 1e-12, "E[−ln P]");
    let mut sources = Sources::new(&[vec![0.0]], 1.0).split(3, |_, _| numbers(&mixture["w"]));
    for l in 0..3 {
        sources.mean.set(0, l, numbers(&mixture["comp_mean"])[l]);
        sources.ln_var.set(0, l, numbers(&mixture["comp_var"])[l].ln());
    }
    sources.update_moments();
    near(&sources.means(0), &mixture["s_mean(19)"], 1e-12, "(19)");
    near(&sources.vars(0), &mixture["s_var(20)"], 1e-12, "(20)");
}

/// Returns the whole state of the reference's cost.
fn cost_state(inputs: &Value) -> (ApproximatePosterior, Observations) {
    let column =
        |key: &str| -> Vec<Vec<f64>> { inputs[key].as_array().unwrap().iter().map(numbers).collect() };
    let family = |name: &str| Family {
        mean: gaussian(inputs, &format!("m_{name}")),
        log_sd: gaussian(inputs, &format!("v_{name}")),
    };
    let state = ApproximatePosterior {
        noise: gaussians(inputs, "v_x", "v_xv"),
        columns: gaussians(inputs, "v_B", "v_Bv"),
        scales: gaussians(inputs, "v_s", "v_sv"),
        centres: gaussians(inputs, "m_s", "m_sv"),
        top: TopHyperparameters {
            first_bias: family("a"),
            second_bias: family("b"),
            noise: family("vx"),
            scales: family("vs"),
            columns: family("vB"),
            ..TopHyperparameters::default()
        },
        ..ApproximatePosterior::new(network(inputs), sources(&column("s_l_mean"), &column("s_l_var")), 1.0)
    };
    (state, Observations::new(&rows(&inputs["x"])))
}

#[test]
fn the_cost_is_the_sum_of_its_terms() {
    let reference = oracle::nfa();
    let (inputs, theirs) = (&reference["cost_gaussian"]["inputs"], &reference["cost_gaussian"]);
    let (state, observations) = cost_state(inputs);
    let gradient = evaluated(&state, &observations, plain(Moments::Taylor));
    let ours = cost_parts(&state, &observations, &gradient.residuals);
    let sum = |keys: &[&str]| keys.iter().map(|key| number(&theirs["parts"][key])).sum::<f64>();
    for (ours, theirs, what) in [
        (ours.total(), number(&theirs["cost"]), "cost"),
        (ours.data, sum(&["x"]), "data"),
        (ours.sources, sum(&["s"]), "sources"),
        (ours.weights, sum(&["A", "a", "B", "b"]), "weights"),
        (ours.hyper, sum(&["v_x", "v_s", "v_B", "top"]), "hyper"),
    ] {
        assert!((ours - theirs).abs() <= 1e-8 * theirs.abs(), "{what}: {ours} is not {theirs}");
    }
}

/// A network and its inputs, read from a file, have the moments of the reference.
#[test]
fn the_moments_lab_takes_a_network_from_a_file() {
    let reference = oracle::nfa();
    let inputs = &reference["propagation"]["inputs"];
    let text = inputs.to_string();
    let named = DataRef::file("net.json", text.as_bytes());
    let link = format!("#/nfa.moments?draws=2000&network={named}");
    let report = run_on(&link, text.as_bytes()).unwrap_or_else(|why| panic!("{why:?}")).report();
    for (key, rule) in [("taylor", "taylor"), ("gauss_hermite", "gh")] {
        let theirs = &reference["propagation"][rule];
        for (ours, equation) in [
            ("y_mean", "ybar(21)"),
            ("y_var", "ytilde(22)"),
            ("g_mean", "gbar(25)"),
            ("g_var", "gtilde(26)"),
            ("f_mean", "fbar(27)"),
            ("f_var", "ftilde(28)"),
        ] {
            for t in 0..2 {
                near(&numbers(&report[key][ours][t]), &theirs[equation][t], 1e-10, &format!("{key} {ours}"));
            }
        }
        let jacobian = rows(&theirs["df_ds(29)[t][k][i]"][0]).concat();
        near(&numbers(&report[key]["jacobian"][0]), &serde_json::json!(jacobian), 1e-10, "jacobian");
    }
    assert_eq!(rows(&report["monte_carlo"]["f_mean"]).len(), 2);
}

#[test]
fn a_file_without_a_network_is_refused_with_a_reason() {
    let whole = r#"{"A": [[1], [2]], "a": [0, 0], "B": [[1, 1]], "b": [0], "s_mean": [0], "s_var": [1]}"#;
    let refused = |from: &str, to: &str| {
        let text = whole.replace(from, to);
        let named = DataRef::file("net.json", text.as_bytes());
        let problems = run_on(&format!("#/nfa.moments?network={named}"), text.as_bytes()).err().unwrap();
        assert_eq!(problems[0].field, "network");
        problems[0].to_string().to_lowercase()
    };
    // Each reason names the list, or the place in the file.
    assert!(refused("\"b\": [0], ", "").contains("`b`"));
    let shape = refused("[[1], [2]]", "[[1], [2, 3]]");
    assert!(shape.contains("a must") && shape.contains("2 lists of 1 "), "{shape}");
    assert!(refused("\"s_var\": [1]", "\"s_var\": [-1]").contains("variance"));
    assert!(refused("\"s_var\": [1]", "\"s_var\": [1, 2]").contains("s_var"));
    assert!(refused("\"a\": [0, 0]", "\"a\": []").contains("a has 0 "));
    assert!(refused("{", "{{").contains("line 1"));
    assert!(refused(whole, "x,y\n1,2\n").contains("json"));
}
