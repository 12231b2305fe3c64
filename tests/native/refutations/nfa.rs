//! Wrong methods in place of those of VL00 and LH00.

use meanfield::models::nfa::simulated::{Mixing, helix, mixtures};
use meanfield::models::nfa::solver::linear::linear_reconstruction;

use super::{Wrong, refute};

/// Returns the root mean squared residual of the first principal components, averaged over the channels.
fn residual(rows: &[Vec<f64>], components: usize) -> f64 {
    let fitted = linear_reconstruction(rows, components);
    let channels = rows[0].len();
    let rms = |channel: usize| {
        let squares = rows.iter().zip(&fitted).map(|(row, fit)| (row[channel] - fit[channel]).powi(2));
        (squares.sum::<f64>() / rows.len() as f64).sqrt()
    };
    (0..channels).map(rms).sum::<f64>() / channels as f64
}

#[test]
fn wrong_methods_fail_the_claims_on_nonlinear_factor_analysis() {
    refute(
        "nfa",
        &[
            // The variance without (29) in place of the one with it.
            Wrong::stated(
                ("VL00, eqs. (28), (29)", "interference of paths in the variance of an output"),
                |_, _| Some(0.0),
            ),
            Wrong::stated(("LH00", "the helix: noise found in three channels"), |_, _| {
                Some(residual(&helix(1000, 1).rows, 1))
            }),
            // PCA and FastICA gain nothing over themselves.
            Wrong::stated(
                ("LH00", "nonlinear beside linear component analysis, 4 sources in 10 channels"),
                |_, _| Some(0.0),
            ),
            // The smallest residual of principal components.
            Wrong::stated(("LH00", "the cost chooses the number of sources"), |_, _| {
                let rows = mixtures(1000, 2, Mixing::monotonic(15), 10, 1).rows;
                let best = (1..=8).min_by(|a, b| residual(&rows, *a).total_cmp(&residual(&rows, *b)));
                best.map(|count| count as f64)
            }),
        ],
    );
}
