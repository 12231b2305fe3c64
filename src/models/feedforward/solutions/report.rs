//! Report of the count of solutions.

use serde_json::{Value, json};

use super::{SolutionsSnapshot, SolutionsSpec};

/// Returns the results at each α: number of different solutions, stability, and theory.
pub fn report(spec: &SolutionsSpec, snapshot: &SolutionsSnapshot) -> Value {
    let rows = snapshot.summaries(spec).into_iter().filter(|at| at.sets > 0).map(|at| {
        json!({
            "alpha": at.alpha, "solutions": at.different.mean, "solutions_se": at.different.se,
            "solved": at.solved.mean, "smallest_eigenvalue": at.smallest.mean,
            "smallest_eigenvalue_se": at.smallest.se, "margin": at.margin.mean, "margin_se": at.margin.se,
            "theory_q": at.theory.map(|theory| theory.q), "theory_margin": at.theory.map(|theory| theory.margin),
        })
    });
    json!({ "rows": rows.collect::<Vec<_>>(), "sets": snapshot.rows })
}
