//! The predictions of every row of a table as one CSV file.

use crate::data::{DataRef, TableSummary};
use crate::figure::Records;

/// What is predicted of a row.
pub struct PredictedRow {
    /// Its class, if that is known.
    pub class: Option<usize>,
    /// Probability of each class, K.
    pub p: Vec<f64>,
    /// Mean and standard deviation of its latent function, where there is one.
    pub latent: Option<(f64, f64)>,
}

/// What is predicted of the rows of each part of a table, in the order of their lines.
pub struct PredictedParts {
    /// Training rows, each predicted from the others.
    pub left_out: Vec<PredictedRow>,
    /// Test rows.
    pub test: Vec<PredictedRow>,
    /// Rows without a label.
    pub unlabelled: Vec<PredictedRow>,
    /// Rows of the second file.
    pub second: Vec<PredictedRow>,
}

impl PredictedRow {
    /// Rows of two classes: the probability of +1 and what `latent` says of each; `labels` are ±1, none where they are not known.
    pub fn of_two_classes(
        labels: &[f64],
        rows: impl Iterator<Item = (f64, Option<(f64, f64)>)>,
    ) -> Vec<Self> {
        let row = |(i, (p, latent)): (usize, (f64, Option<(f64, f64)>))| Self {
            class: labels.get(i).map(|label| usize::from(*label > 0.0)),
            p: vec![1.0 - p, p],
            latent,
        };
        rows.enumerate().map(row).collect()
    }
}

/// The file of the predictions of the table `data`, whose classes have these `names`: one line per row, with its line in the file,
/// what identifies it, its part, its true class, the most probable one, and the probability of each.
pub fn prediction_records(
    data: Option<&DataRef>,
    escape: bool,
    table: &TableSummary,
    names: &[String],
    parts: &PredictedParts,
) -> Records {
    let parts = [
        ("training row (left out)", &table.lines, &parts.left_out),
        ("test row", &table.test_lines, &parts.test),
        ("no label", &table.unlabelled_lines, &parts.unlabelled),
        ("second file", &table.second_lines, &parts.second),
    ];
    let mut latent = false;
    for (.., rows) in parts {
        latent |= rows.iter().any(|row| row.latent.is_some());
    }
    let mut columns = vec!["line".to_owned()];
    columns.extend(table.ids.iter().map(|ids| ids.name.clone()));
    columns.extend(["part", &table.label, "most probable"].map(str::to_owned));
    columns.extend(names.iter().map(|name| format!("p({name})")));
    if latent {
        columns.extend(["latent mean", "latent sd"].map(str::to_owned));
    }
    let mut all = Vec::new();
    let name = |class: Option<usize>| class.and_then(|class| names.get(class)).cloned().unwrap_or_default();
    let mut ids = table.ids.iter().flat_map(|ids| &ids.cells);
    for (part, lines, rows) in parts {
        for (line, row) in lines.iter().zip(rows) {
            let most = (0..row.p.len()).max_by(|a, b| row.p[*a].total_cmp(&row.p[*b]));
            let mut cells = vec![line.to_string()];
            cells.extend(ids.next().cloned());
            cells.extend([part.to_owned(), name(row.class), name(most)]);
            cells.extend(row.p.iter().map(f64::to_string));
            if let Some((mean, sd)) = row.latent {
                cells.extend([mean.to_string(), sd.to_string()]);
            }
            all.push(cells);
        }
    }
    let file = format!("{}-predictions.csv", DataRef::stem(data));
    Records::new(file, columns, all, escape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::RowIds;

    #[test]
    fn every_row_has_a_line_with_its_truth_and_probabilities() {
        let table = TableSummary {
            label: "ill, or not".into(),
            lines: vec![2, 4],
            test_lines: vec![3],
            ..TableSummary::default()
        };
        let rows = |labels: &[f64], p: &[f64]| {
            PredictedRow::of_two_classes(labels, p.iter().map(|p| (*p, Some((0.5, 2.0)))))
        };
        let parts = PredictedParts {
            left_out: rows(&[-1.0, 1.0], &[0.25, 0.5]),
            test: rows(&[1.0], &[0.875]),
            unlabelled: Vec::new(),
            second: Vec::new(),
        };
        let data = Some(DataRef { name: "my.patients.csv".into(), hash: None });
        let names = ["no".to_owned(), "\"yes\"".to_owned()];
        let records = prediction_records(data.as_ref(), false, &table, &names, &parts);
        assert_eq!(records.file, "my.patients-predictions.csv");
        assert_eq!(
            records.csv,
            "line,part,\"ill, or not\",most probable,p(no),\"p(\"\"yes\"\")\",latent mean,latent sd\n\
             2,training row (left out),no,no,0.75,0.25,0.5,2\n\
             4,training row (left out),\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.5,0.5,0.5,2\n\
             3,test row,\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.125,0.875,0.5,2\n"
        );
        let ids = RowIds { name: "who".into(), cells: ["ann", "bob", "cid"].map(str::to_owned).to_vec() };
        let named = prediction_records(
            data.as_ref(),
            false,
            &TableSummary { ids: Some(ids), ..table },
            &names,
            &parts,
        );
        let begins: Vec<&str> = named.csv.lines().map(|line| &line[..9]).collect();
        assert_eq!(begins, ["line,who,", "2,ann,tra", "4,bob,tra", "3,cid,tes"]);
    }
}
