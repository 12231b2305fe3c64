//! The report of the task `sbn`.

use serde_json::{Map, Value, json};

use super::{BOUND_UNIT, LearnSnapshot, TestBlock, TrainedNetwork};
use crate::models::sbn::baselines::neighbours::NEIGHBOUR_COUNTS;
use crate::models::sbn::digits::preprocessing::rows;

/// Returns the report of the experiment. Bounds are divided by 100 ln 2, as in figure 2 of SJ98.
pub fn report(snapshot: &LearnSnapshot) -> Value {
    let (count, errors) = snapshot.errors();
    let share = |errors: usize| errors as f64 / count.max(1) as f64;
    let by_digit = |of: &dyn Fn(&TrainedNetwork) -> Value| -> Map<String, Value> {
        snapshot.trained.iter().map(|row| (row.digit.to_string(), of(row))).collect()
    };
    let confusion = snapshot.confusion();
    let confusion: Vec<&[u32]> = (0..10).map(|digit| confusion.row(digit)).collect();
    let sum = |of: fn(&TrainedNetwork) -> usize| snapshot.trained.iter().map(|row| of(row)).sum::<usize>();
    let tested = |of: fn(&TestBlock) -> usize| snapshot.tested.iter().map(of).sum::<usize>();
    let mixture = snapshot.mixture_errors();
    let neighbours = snapshot.neighbour_errors();
    let missing = snapshot.missing().into_iter().map(|row| {
        json!({
            "fraction": row.fraction, "network": share(row.network),
            "mixture": mixture.map(|_| share(row.mixture)), "knn": neighbours.map(|_| share(row.neighbours)),
        })
    });
    json!({
        "bound_per_epoch": by_digit(&|row| row.bounds.iter().map(|bound| bound / BOUND_UNIT).collect()),
        "training_images": by_digit(&|row| row.images.into()),
        "test_images": count, "test_errors": errors, "test_error": share(errors), "confusion": confusion,
        "mixture_error": mixture.map(share),
        "knn": neighbours.map(|errors| {
            NEIGHBOUR_COUNTS.iter().zip(errors).map(|(k, errors)| json!({ "k": k, "error": share(errors) })).collect::<Vec<_>>()
        }),
        "missing": missing.collect::<Vec<_>>(),
        "passes_mean": tested(|row| row.passes) as f64 / tested(|row| row.solves).max(1) as f64,
        "passes_mean_training": sum(|row| row.passes) as f64 / sum(|row| row.solves).max(1) as f64,
        "solves": sum(|row| row.solves) + tested(|row| row.solves),
        // Number of solves of one network for one image, for the time per image and network.
        "image_solves": sum(|row| row.solves) + tested(|row| row.solves * (1 + row.missing.len())),
        "unconverged": sum(|row| row.unconverged) + tested(|row| row.unconverged),
        "samples": by_digit(&|row| row.samples.iter().map(|sample| json!(rows(sample.bits))).collect()),
    })
}
