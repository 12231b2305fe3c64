//! Predictions of every row of a table, and their CSV file.

use serde::{Deserialize, Serialize};

use super::TableSettings;
use crate::data::{DataRef, TableSummary};
use crate::figure::Records;

/// Predictions of the rows of a table, each part in the order of its lines.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowPredictions<P> {
    /// Leave-one-out predictions of the training rows, m.
    pub left_out: Vec<P>,
    /// Predictions of the test rows.
    pub test: Vec<P>,
    /// Predictions of the rows without a label.
    pub unlabelled: Vec<P>,
    /// Predictions of the rows of the second file.
    pub second: Vec<P>,
}

impl<P> RowPredictions<P> {
    /// Applies `f` to the prediction of each row.
    pub fn map<Q>(&self, f: impl Fn(&P) -> Q) -> RowPredictions<Q> {
        let part = |rows: &[P]| rows.iter().map(&f).collect();
        RowPredictions {
            left_out: part(&self.left_out),
            test: part(&self.test),
            unlabelled: part(&self.unlabelled),
            second: part(&self.second),
        }
    }

    /// Returns the rows of the first file: training rows, test rows, and rows without a label.
    pub fn first_file(&self) -> impl Iterator<Item = &P> + Clone {
        self.left_out.iter().chain(&self.test).chain(&self.unlabelled)
    }
}

/// Prediction of a row in the file.
pub struct RecordRow {
    /// Probability of each class, K.
    pub p: Vec<f64>,
    /// Mean and standard deviation of the latent function, if the method has one.
    pub latent: Option<(f64, f64)>,
}

/// Returns the CSV file of the predictions: a line for each row, with its line in the table, its identifier, part, true class, most
/// probable class, and the probability of each class. `names` are those of the K classes; `classes` are the true classes of the
/// training and of the test rows.
pub fn prediction_records(
    settings: &TableSettings,
    table: &TableSummary,
    names: &[String],
    classes: [&[usize]; 2],
    rows: &RowPredictions<RecordRow>,
) -> Records {
    let parts: [(_, _, &[usize], _); 4] = [
        ("training row (left out)", &table.lines, classes[0], &rows.left_out),
        ("test row", &table.test_lines, classes[1], &rows.test),
        ("no label", &table.unlabelled_lines, &[], &rows.unlabelled),
        ("second file", &table.second_lines, &[], &rows.second),
    ];
    let latent = rows.first_file().chain(&rows.second).any(|row| row.latent.is_some());
    let mut columns = vec!["line".to_owned()];
    columns.extend(table.ids.iter().map(|ids| ids.name.clone()));
    columns.extend(["part", &table.label, "most probable"].map(str::to_owned));
    columns.extend(names.iter().map(|name| format!("p({name})")));
    if latent {
        columns.extend(["latent mean", "latent sd"].map(str::to_owned));
    }
    let name = |class: Option<usize>| class.and_then(|class| names.get(class)).cloned().unwrap_or_default();
    let mut ids = table.ids.iter().flat_map(|ids| &ids.cells);
    let mut lines = Vec::new();
    for (part, numbers, classes, rows) in parts {
        for (i, (number, row)) in numbers.iter().zip(rows).enumerate() {
            let most = (0..row.p.len()).max_by(|a, b| row.p[*a].total_cmp(&row.p[*b]));
            let mut cells = vec![number.to_string()];
            cells.extend(ids.next().cloned());
            cells.extend([part.to_owned(), name(classes.get(i).copied()), name(most)]);
            cells.extend(row.p.iter().map(f64::to_string));
            if let Some((mean, sd)) = row.latent {
                cells.extend([mean.to_string(), sd.to_string()]);
            }
            lines.push(cells);
        }
    }
    let file = format!("{}-predictions.csv", DataRef::stem(settings.data.as_ref()));
    Records::new(file, columns, lines, settings.escape)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::RowIds;
    use crate::{Checked, Raw, Spec};

    impl Spec for TableSettings {}

    #[test]
    fn every_row_has_a_line_with_its_class_and_probabilities() {
        let table = TableSummary {
            label: "ill, or not".into(),
            lines: vec![2, 4],
            test_lines: vec![3],
            ..TableSummary::default()
        };
        let p = RowPredictions { left_out: vec![0.25, 0.5], test: vec![0.875], ..RowPredictions::default() };
        let rows = p.map(|p| RecordRow { p: vec![1.0 - p, *p], latent: Some((0.5, 2.0)) });
        let settings = Checked::<TableSettings>::new(&Raw::new()).unwrap();
        let data = Some(DataRef { name: "my.patients.csv".into(), hash: None });
        let settings = TableSettings { data, ..(*settings).clone() };
        let names = ["no".to_owned(), "\"yes\"".to_owned()];
        let records =
            |table: &TableSummary| prediction_records(&settings, table, &names, [&[0, 1], &[1]], &rows);
        assert_eq!(records(&table).file, "my.patients-predictions.csv");
        assert_eq!(
            records(&table).csv,
            "line,part,\"ill, or not\",most probable,p(no),\"p(\"\"yes\"\")\",latent mean,latent sd\n\
             2,training row (left out),no,no,0.75,0.25,0.5,2\n\
             4,training row (left out),\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.5,0.5,0.5,2\n\
             3,test row,\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.125,0.875,0.5,2\n"
        );
        let ids = RowIds { name: "who".into(), cells: ["ann", "bob", "cid"].map(str::to_owned).to_vec() };
        let named = records(&TableSummary { ids: Some(ids), ..table });
        let begins: Vec<&str> = named.csv.lines().map(|line| &line[..9]).collect();
        assert_eq!(begins, ["line,who,", "2,ann,tra", "4,bob,tra", "3,cid,tes"]);
    }
}
