//! Regression in one dimension: `gp.curve` and `mlp.curve` generate the same points.

use meanfield::lab::{Checked, raw_of};
use meanfield::models::gp::curve::RegressionSpec;
use meanfield::models::mlp::curve::CurveSpec;

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
