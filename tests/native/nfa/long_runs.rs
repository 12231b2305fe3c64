//! Results of learning on data sets of the papers' sizes: whole runs of presets, for `scripts/test --full` only.

use meanfield::lab::Link;
use meanfield::models::task;
use serde_json::Value;

use crate::common::whole;

/// Returns the `result` of the run of a link.
fn result(link: &str) -> Value {
    let link = Link::parse(link);
    whole(task(&link.task).unwrap(), &link.raw).report()
}

const MIXTURES: &str = "#/nfa?data=mixtures&sources=4&hidden=20&weight_sd=1&restarts=1";

#[test]
#[ignore = "takes a minute: scripts/test --full"]
fn nonlinear_ica_is_better_than_linear_ica_by_5_db() {
    let gains: Vec<f64> = (1..=3)
        .map(|seed| {
            let link = format!("{MIXTURES}&components=3&sweeps=600&mixture_sweeps=500&seed={seed}");
            result(&link)["gain_db"].as_f64().unwrap()
        })
        .collect();
    let mean = gains.iter().sum::<f64>() / 3.0;
    assert!(mean >= 5.0, "{gains:?}");
}

#[test]
#[ignore = "takes a minute: scripts/test --full"]
fn the_cost_finds_four_sources() {
    for seed in 1..=4 {
        let found = result(&format!("{MIXTURES}&compare=sources&seed={seed}"));
        assert_eq!(found["best_sources"], 4, "seed {seed}");
    }
}

#[test]
#[ignore = "takes a minute: scripts/test --full"]
fn eight_sources_in_twenty_channels() {
    let link = "#/nfa?data=paper_mixtures&sources=8&hidden=50&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1&restarts=1";
    let reached = result(link)["snr_db"]["mixtures"].as_f64().unwrap();
    assert!(reached >= 13.2, "{reached}");
}
