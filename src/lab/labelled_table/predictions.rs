//! Predictions of every row of a table, and their CSV file.

use serde::{Deserialize, Serialize};

use super::TableSettings;
use crate::data::{DataRef, TableSummary};
use crate::figure::{Cell, Records};
use crate::math::special::NORMAL_95;

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
    /// Class that is decided for, if there is a threshold.
    pub decision: Option<usize>,
}

/// Returns the CSV file of the predictions: a line for each row, with its line in the table, its identifier, part, true class, most
/// probable class, the probability of each class, the latent function with its 95 % limits, the decision at the threshold, and the original
/// columns on request. `names` are those of the K classes; `classes` are the true classes of the
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
    let carried = &table.carried;
    columns.extend(carried.ids.iter().map(|ids| ids.name.clone()));
    columns.extend(["part", &table.label, "most probable"].map(str::to_owned));
    columns.extend(names.iter().map(|name| format!("p({name})")));
    if latent {
        let names = ["latent mean", "latent sd", "latent lower 95 %", "latent upper 95 %"];
        columns.extend(names.map(str::to_owned));
    }
    let decides = rows.first_file().chain(&rows.second).any(|row| row.decision.is_some());
    columns.extend(decides.then(|| "decision".to_owned()));
    columns.extend(carried.originals.iter().map(|column| column.name.clone()));
    let name = |class: Option<usize>| class.and_then(|class| names.get(class)).cloned().unwrap_or_default();
    let mut lines = Vec::new();
    for (part, numbers, classes, rows) in parts {
        for (i, (number, row)) in numbers.iter().zip(rows).enumerate() {
            let most = (0..row.p.len()).max_by(|a, b| row.p[*a].total_cmp(&row.p[*b]));
            let at = lines.len();
            let mut cells = vec![Cell::number(number)];
            cells.extend(carried.ids.iter().map(|ids| Cell::text(&ids.cells[at])));
            cells.extend([part.to_owned(), name(classes.get(i).copied()), name(most)].map(Cell::Text));
            cells.extend(row.p.iter().map(Cell::number));
            if let Some((mean, sd)) = row.latent {
                cells.extend([mean, sd, mean - NORMAL_95 * sd, mean + NORMAL_95 * sd].map(Cell::number));
            }
            cells.extend(decides.then(|| Cell::Text(name(row.decision))));
            cells.extend(carried.originals.iter().map(|column| Cell::text(&column.cells[at])));
            lines.push(cells);
        }
    }
    let file = format!("{}-predictions.csv", DataRef::stem(settings.data.as_ref()));
    let notation = settings.export_format.notation(carried, settings.escape);
    Records::new(file, columns, lines, notation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{CarriedColumns, RowTexts};
    use crate::fields::ExportFormat;
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
        let decide = |p: f64| Some(usize::from(p > 0.3));
        let rows =
            p.map(|p| RecordRow { p: vec![1.0 - p, *p], latent: Some((0.0, 1.0)), decision: decide(*p) });
        let settings = Checked::<TableSettings>::new(&Raw::new()).unwrap();
        let data = Some(DataRef { name: "my.patients.csv".into(), hash: None });
        let settings = TableSettings { data, ..(*settings).clone() };
        let names = ["no".to_owned(), "\"yes\"".to_owned()];
        let records =
            |table: &TableSummary| prediction_records(&settings, table, &names, [&[0, 1], &[1]], &rows);
        assert_eq!(records(&table).file, "my.patients-predictions.csv");
        assert_eq!(
            records(&table).csv,
            "line,part,\"ill, or not\",most probable,p(no),\"p(\"\"yes\"\")\",latent mean,latent sd,latent lower 95 %,latent upper 95 %,\
             decision\n\
             2,training row (left out),no,no,0.75,0.25,0,1,-1.959963984540054,1.959963984540054,no\n\
             4,training row (left out),\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.5,0.5,0,1,-1.959963984540054,1.959963984540054,\"\"\"yes\"\"\"\n\
             3,test row,\"\"\"yes\"\"\",\"\"\"yes\"\"\",0.125,0.875,0,1,-1.959963984540054,1.959963984540054,\"\"\"yes\"\"\"\n"
        );
        let texts = |name: &str, cells: [&str; 3]| RowTexts {
            name: name.into(),
            cells: cells.map(str::to_owned).to_vec(),
        };
        let carried = CarriedColumns {
            ids: Some(texts("who", ["ann", "bob", "cid"])),
            originals: vec![texts("dose", ["1,50", "2,00", ""])],
            separator: ';',
            decimal: ',',
        };
        let table = TableSummary { carried, ..table };
        let named = records(&table);
        let begins: Vec<&str> = named.csv.lines().map(|line| &line[..9]).collect();
        assert_eq!(begins, ["line,who,", "2,ann,tra", "4,bob,tra", "3,cid,tes"]);
        let ends: Vec<&str> = named.csv.lines().map(|line| &line[line.len() - 6..]).collect();
        assert_eq!(ends[0], "n,dose");
        assert_eq!(ends[1], "\"1,50\"");
        let as_table = TableSettings { export_format: ExportFormat::Table, ..settings.clone() };
        let csv = prediction_records(&as_table, &table, &names, [&[0, 1], &[1]], &rows).csv;
        assert!(
            csv.contains("\n2;ann;training row (left out);no;no;0,75;0,25;0;1;-1,959963984540054;"),
            "{csv}"
        );
        assert!(csv.contains(";no;1,50\n"), "{csv}");
    }
}
