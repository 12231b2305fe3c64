//! Confusion matrices of classifiers.

use crate::figure::{Axis, Colours, Figure, Grid};

/// Largest number of classes that a sentence lists one by one.
const MAX_NAMED: usize = 3;

/// Counts of rows by true class and predicted class, C×(C + 1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Confusion {
    /// A row for each true class; its last entry counts the undecided rows.
    counts: Vec<Vec<u32>>,
}

impl Confusion {
    /// Counts rows with a true class below `classes` and a predicted one, `None` if the prediction is undecided.
    pub fn new(classes: usize, rows: impl IntoIterator<Item = (usize, Option<usize>)>) -> Self {
        let mut counts = vec![vec![0; classes + 1]; classes];
        for (truth, predicted) in rows {
            counts[truth][predicted.unwrap_or(classes)] += 1;
        }
        Self { counts }
    }

    /// Counts rows of two classes, +1 first, from probabilities of +1 and true if the class is +1. A row is predicted +1 above the
    /// threshold and undecided at it.
    pub fn at(threshold: f64, rows: impl IntoIterator<Item = (f64, bool)>) -> Self {
        let predicted = |p: f64| (p != threshold).then_some(usize::from(p < threshold));
        Self::new(2, rows.into_iter().map(|(p, plus)| (usize::from(!plus), predicted(p))))
    }

    /// Returns true if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }

    /// Returns the counts of a true class by predicted class, without undecided rows.
    pub fn row(&self, truth: usize) -> &[u32] {
        &self.counts[truth][..self.counts.len()]
    }

    fn total(&self) -> u32 {
        self.counts.iter().flatten().sum()
    }

    fn correct(&self) -> u32 {
        (0..self.counts.len()).map(|class| self.counts[class][class]).sum()
    }

    /// Returns precision and recall of the first of two classes, if both are defined and all rows are decided.
    fn precision_and_recall(&self) -> Option<(f64, f64)> {
        let [first, second] = self.counts.as_slice() else { return None };
        let (predicted, all) = (first[0] + second[0], first.iter().sum::<u32>());
        let share = |of: u32| f64::from(first[0]) / f64::from(of);
        (predicted > 0 && all > 0 && self.undecided() == 0).then(|| (share(predicted), share(all)))
    }

    fn undecided(&self) -> u32 {
        self.counts.iter().filter_map(|row| row.last()).sum()
    }

    /// Returns the most frequent error: true class, predicted class and count.
    fn worst(&self) -> Option<(usize, usize, u32)> {
        let errors = (0..self.counts.len()).flat_map(|truth| {
            let others = self.row(truth).iter().enumerate().filter(move |(predicted, _)| *predicted != truth);
            others.map(move |(predicted, count)| (truth, predicted, *count))
        });
        errors.filter(|error| error.2 > 0).reduce(|a, b| if b.2 > a.2 { b } else { a })
    }

    /// Returns `Test rows: 19 of 24 classified correctly.`
    fn finding(&self, what: &str) -> String {
        format!("{what}: {} of {} classified correctly.", self.correct(), self.total())
    }

    /// Describes the correct rows of each class if there are few classes, otherwise the most frequent error.
    fn details(&self, what: &str, label: &str, classes: &[String]) -> String {
        let mut details: Vec<String> = Vec::new();
        if classes.len() <= MAX_NAMED {
            let each = classes.iter().enumerate().map(|(class, name)| {
                let all: u32 = self.counts[class].iter().sum();
                format!("{} of {all} with {label} = {name}", self.counts[class][class])
            });
            details.push(format!("correct are {}", each.collect::<Vec<_>>().join(" and ")));
            if let Some((precision, recall)) = self.precision_and_recall() {
                let (precision, recall) = (100.0 * precision, 100.0 * recall);
                details.push(format!(
                    "for {label} = {} precision is {precision:.1} % and recall {recall:.1} %",
                    classes[0]
                ));
            }
        } else if let Some((truth, predicted, count)) = self.worst() {
            let times = if count == 1 { "once".to_owned() } else { format!("{count} times") };
            details.push(format!(
                "the most frequent error is {} classified as {}, {times}",
                classes[truth], classes[predicted]
            ));
        }
        if self.undecided() > 0 {
            details.push(format!("undecided: {}", self.undecided()));
        }
        if details.is_empty() { String::new() } else { format!(" {what}: {}.", details.join("; ")) }
    }
}

/// Returns the figure of confusion matrices side by side, on that of `base`. Each source has a key, a name of its rows (`Test rows`) and
/// its counts; `label` names the variable that the classes are values of. Cells are shaded by their share of the true class; the
/// finding is the number of rows classified correctly.
pub fn confusion_figure(
    base: Figure,
    label: &str,
    classes: &[String],
    sources: &[(&str, &str, Confusion)],
) -> Figure {
    if sources.is_empty() {
        return base;
    }
    let undecided = sources.iter().any(|(_, _, table)| table.undecided() > 0);
    let (high, wide) = (classes.len(), classes.len() + usize::from(undecided));
    let names = || classes.iter().cloned().chain(undecided.then(|| "undecided".to_owned()));
    // An empty category separates two matrices.
    let mut across: Vec<String> = Vec::new();
    let mut figure = base;
    for (key, what, table) in sources {
        if !across.is_empty() {
            across.push(String::new());
        }
        let left = across.len() as f64 + 0.5;
        across.extend(names());
        // The rows of a grid start at the bottom, the true classes at the top.
        let rows = || table.counts.iter().rev();
        let shares = rows().flat_map(|row| {
            let all = row.iter().sum::<u32>().max(1) as f32;
            row[..wide].iter().map(move |count| *count as f32 / all)
        });
        let extent = ((left, left + wide as f64), (0.5, high as f64 + 0.5));
        let colours = Colours::Grey { low: 0.0, high: 1.0 };
        let grid = Grid::map(*key, *what, wide, shares.collect(), extent, colours);
        figure = figure.mark(grid.counts(rows().flat_map(|row| &row[..wide]).copied()));
    }
    let mut up = Axis::categories(format!("true {label}"), classes.iter().rev().cloned().collect());
    // Room for the names of the sources.
    up.range.1 += 0.2 * high as f64;
    let all = |of: &dyn Fn(&str, &Confusion) -> String| -> Vec<String> {
        sources.iter().map(|(_, what, table)| of(what, table)).collect()
    };
    let finding = all(&|what, table| table.finding(what)).join(" ");
    let details = all(&|what, table| table.details(what, label, classes)).concat();
    figure
        .x(Axis::categories(format!("predicted {label}"), across))
        .y(up)
        .equal()
        .summary(format!("{finding}{details}"))
        .finding(finding)
        .caption(format!(
            "Rows by true and predicted {label}, in numbers; the shade of a cell is its share of the rows of that true \
             {label}.{details}"
        ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{DataTable, tidy_csv};

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn matrices_are_side_by_side_with_a_row_for_each_class() {
        let test = Confusion::at(0.5, [(0.6, true), (0.9, true), (0.4, true), (0.1, false)]);
        let left_out = Confusion::at(0.5, [(0.8, true), (0.8, false), (0.2, false), (0.1, false)]);
        let sources = [("test", "Test rows", test), ("left_out", "Leave-one-out", left_out)];
        let base = Figure::new("c", "C");
        let figure = confusion_figure(base, "diagnosis", &names(&["ill", "well"]), &sources);
        let finding = "Test rows: 3 of 4 classified correctly. Leave-one-out: 3 of 4 classified correctly.";
        assert_eq!(figure.finding, finding);
        let details = " Test rows: correct are 2 of 3 with diagnosis = ill and 1 of 1 with diagnosis = well; for \
                       diagnosis = ill precision is 100.0 % and recall 66.7 %. Leave-one-out: correct are 1 of 1 with diagnosis = \
                       ill and 2 of 3 with diagnosis = well; for diagnosis = ill precision is 50.0 % and recall 100.0 %.";
        assert!(figure.caption.ends_with(details), "{}", figure.caption);
        let table = DataTable::of(&figure);
        assert_eq!(
            table.columns,
            [
                "true diagnosis",
                "Test rows, predicted diagnosis ill",
                "Test rows, predicted diagnosis well",
                "Leave-one-out, predicted diagnosis ill",
                "Leave-one-out, predicted diagnosis well"
            ]
        );
        let rows = [["ill", "2", "1", "1", "0"], ["well", "0", "1", "1", "2"]];
        assert_eq!(table.rows, rows.map(|row| row.map(|cell| Some(cell.to_owned())).to_vec()));
        let csv = tidy_csv(&figure);
        assert!(csv.starts_with("series,x,y,value,count\n"), "{csv}");
        assert!(csv.contains("\ntest,\"well\",\"ill\",0.3333333432674408,1\n"), "{csv}");
        assert_eq!(csv.lines().count(), 1 + 8);
        assert!(
            figure
                .described()
                .ends_with("Test rows: 4 values from 0 to 2. Leave-one-out: 4 values from 0 to 2.")
        );
    }

    #[test]
    fn undecided_rows_have_a_column_and_count_as_incorrect() {
        let table = Confusion::at(0.3, [(0.3, true), (0.1, false)]);
        let figure =
            confusion_figure(Figure::new("c", "C"), "y", &names(&["yes", "no"]), &[("t", "Rows", table)]);
        assert_eq!(figure.finding, "Rows: 1 of 2 classified correctly.");
        let details = " Rows: correct are 0 of 1 with y = yes and 1 of 1 with y = no; undecided: 1.";
        assert!(figure.caption.ends_with(details), "{}", figure.caption);
        let table = DataTable::of(&figure);
        assert_eq!(table.columns[3], "Rows, predicted y undecided");
        assert_eq!(table.rows[0][3].as_deref(), Some("1"));
    }

    #[test]
    fn the_most_frequent_error_of_many_classes_is_named() {
        let digits: Vec<String> = (0..10).map(|digit| digit.to_string()).collect();
        let rows =
            (0..10).map(|digit| (digit, Some(digit))).chain([(4, Some(9)), (4, Some(9)), (3, Some(8))]);
        let of =
            |table| confusion_figure(Figure::new("c", "C"), "digit", &digits, &[("t", "Test images", table)]);
        let table = Confusion::new(10, rows);
        assert_eq!((table.row(4)[9], table.row(4)[4]), (2, 1));
        let figure = of(table);
        let finding = "Test images: 10 of 13 classified correctly.";
        let details = " Test images: the most frequent error is 4 classified as 9, 2 times.";
        assert_eq!((&figure.finding, &figure.summary), (&finding.to_owned(), &format!("{finding}{details}")));
        assert_eq!(DataTable::of(&figure).rows.len(), 10);
        assert_eq!(of(Confusion::new(10, [])).summary, "Test images: 0 of 0 classified correctly.");
    }
}
