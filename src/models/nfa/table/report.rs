//! The report of the task `nfa.data`.

use serde_json::{Value, json};

use super::{TableSnapshot, channels};

/// Returns the report of the fit that is shown: sources, reconstruction, and predictions of the missing cells.
pub fn report(snapshot: &TableSnapshot) -> Value {
    let Some(row) = snapshot.shown() else { return json!({ "sources": null }) };
    let mut report = row.fitted.report();
    let (n, channels) = (row.fitted.sources.max(1), row.names.len().max(1));
    let table = |numbers: &[f32], width: usize| -> Value {
        numbers.chunks_exact(width).map(|row| json!(row)).collect()
    };
    report["columns"] = json!(row.names);
    report["constant_columns"] = json!(row.constant);
    report["columns_without_numbers"] = json!(row.without_numbers);
    report["treatment"] = json!(row.treated);
    report["lines"] = json!(row.lines);
    report["sources"] = json!({ "mean": table(&row.fitted.means, n), "sd": table(&row.fitted.sds, n) });
    report["reconstruction"] = json!({
        "mean": table(&row.reconstruction, channels), "sd": table(&row.reconstruction_sd, channels),
    });
    let filled = row.missing_cells().filter_map(|(t, k)| {
        let cell = t * channels + k;
        let (mean, sd) = (row.reconstruction.get(cell)?, row.reconstruction_sd.get(cell)?);
        Some(json!({ "line": row.lines[t], "column": row.names[k], "mean": mean, "sd": sd }))
    });
    let new = &row.second;
    report["new_rows"] = json!({
        "lines": new.lines,
        "sources": { "mean": table(&new.means, n), "sd": table(&new.sds, n) },
        "reconstruction": { "mean": table(&new.reconstruction, channels), "sd": table(&new.reconstruction_sd, channels) },
    });
    report["channels"] = channels::report(row);
    report["filled"] = filled.collect();
    let costs =
        snapshot.rows.iter().map(|row| json!({ "restart": row.restart, "cost": row.fitted.final_cost() }));
    report["fits"] = costs.collect();
    report
}
