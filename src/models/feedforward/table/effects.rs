//! Effect of each column on the log loss of held-out rows.

use super::TableSpec;
use super::rows::scale_onto_sphere;
use super::student::probability;
use crate::data::Dataset;
use crate::lab::labelled_table::{ColumnEffect, HeldOutInputs};
use crate::math::scores::log_loss;
use crate::models::feedforward::tap::likelihood::Likelihood;
use crate::models::feedforward::tap::search::BetaSolution;

/// Returns the effects on the rows `held_out` of `rows`. Permuted rows are scaled onto the sphere again if the table is.
pub(super) fn column_effects(
    spec: &TableSpec,
    rows: &Dataset,
    held_out: &[usize],
    found: &BetaSolution,
) -> Vec<ColumnEffect> {
    let (held_out, width) = (HeldOutInputs::of(rows, held_out), rows.width());
    let likelihood = Likelihood::new(spec.hidden, found.beta);
    held_out.effects(spec.seed, |inputs| {
        let loss = |(row, i): (&[f64], &usize)| {
            let mut row = row.to_vec();
            if spec.normalise {
                row.chunks_exact_mut(width / spec.hidden).for_each(scale_onto_sphere);
            }
            log_loss(probability(&likelihood, &found.solution.fields_at(&row)), rows.sign(*i) > 0.0)
        };
        inputs.chunks_exact(width).zip(held_out.rows()).map(loss).collect()
    })
}
