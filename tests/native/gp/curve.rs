//! Regression in one dimension: `gp.curve` and `mlp.curve` generate the same points, and fit the same network to them.

use meanfield::lab::{Checked, raw_of};
use meanfield::models::gp::curve::RegressionSpec;
use meanfield::models::mlp::curve::CurveSpec;
use serde_json::Value;

use crate::common::whole;

/// The notes of `gp.curve` link to `mlp.curve` for the same points.
#[test]
fn a_gaussian_process_and_a_network_get_the_same_points() {
    for set in ["waves", "steps", "gap"] {
        let of_process =
            Checked::<RegressionSpec>::new(&raw_of([("set", set), ("seed", "7"), ("examples", "20")]))
                .unwrap();
        let of_network =
            Checked::<CurveSpec>::new(&raw_of([("set", set), ("seed", "7"), ("examples", "20")])).unwrap();
        assert_eq!(of_process.points(), of_network.examples(), "{set}");
        assert_eq!(of_process.noise_free(0.3), of_network.noise_free(0.3), "{set}");
    }
}

/// The network beside the Gaussian process is the full-covariance fit of `mlp.curve` with its default settings.
#[test]
fn the_network_beside_the_gaussian_process_is_that_of_mlp_curve() {
    let points = "-1.6,0.3,-0.9,-0.7,-0.2,-0.4,0.4,0.8,1.1,0.5,1.7,-0.6";
    for (set, points) in [("waves", ""), ("own", points)] {
        let settings = |own: [(&'static str, &'static str); 2]| {
            let shared = [("set", set), ("points", points), ("predict", "-2.5,0.1,3"), ("seed", "3")];
            let examples = (set != "own").then_some(("examples", "12"));
            raw_of(shared.into_iter().chain(own).chain(examples).filter(|(_, text)| !text.is_empty()))
        };
        let task = |id: &str| meanfield::models::task(id).unwrap();
        let ours = whole(task("gp.curve"), &settings([("network", "2"), ("draws", "0")])).report();
        let theirs = whole(task("mlp.curve"), &settings([("hidden", "2"), ("hmc", "0")])).report();
        let ours = &ours["network"];
        let fits = theirs["fits"].as_array().unwrap();
        let full = fits.iter().find(|fit| fit["covariance"] == "full").unwrap();
        assert_eq!(ours["negative_elbo"], full["negative_elbo"], "{set}");
        assert_eq!(ours["noise"].as_f64().unwrap(), 1.0 / full["beta"].as_f64().unwrap().sqrt(), "{set}");
        let bounds = |starts: &Value| -> Vec<f64> {
            starts.as_array().unwrap().iter().map(|start| start["negative_elbo"].as_f64().unwrap()).collect()
        };
        assert_eq!(bounds(&ours["starts"]), bounds(&full["restarts"]), "{set}");
        let predictions = ours["predictions"].as_array().unwrap();
        assert_eq!(predictions.len(), 3);
        let others = theirs["predictions"].as_array().unwrap().iter();
        for (own, other) in predictions.iter().zip(others.filter(|row| row["covariance"] == "full")) {
            assert_eq!((&own["x"], &own["mean"]), (&other["x"], &other["mean"]), "{set}");
            let sd = own["sd"].as_f64().unwrap();
            assert_eq!(other["var"], sd * sd, "{set}");
        }
    }
}
