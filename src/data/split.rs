//! Which rows of a table are learnt from, and which are kept to be predicted.

use super::columns::{SplitValue, word_side};
use super::dataset::{ColumnChoices, Dataset, RowRole};
use super::{Column, ColumnError, Table};
use crate::math::random::Stream;
use crate::math::stats::order;

/// Test rows at most where they are drawn: their share of errors is then known to a third of a per cent.
pub const MOST_DRAWN: usize = 20_000;

impl Table {
    /// What each row is for, by column `c`: words such as train, validation and test, or 1 and 0. A 1 means training, but
    /// in a column with “test” in its name. Validation rows are kept out where there are test rows, and else are those.
    ///
    /// # Errors
    /// If a cell says neither.
    pub(super) fn sides(&self, c: usize, chosen: ColumnChoices<'_>) -> Result<Vec<RowRole>, ColumnError> {
        let name = &self.names[c];
        let [one, other] = if name.to_ascii_lowercase().contains("test") {
            [SplitValue::Test, SplitValue::Train]
        } else {
            [SplitValue::Train, SplitValue::Test]
        };
        let sides: Vec<Option<SplitValue>> = match &self.columns[c] {
            Column::Numbers(numbers) => numbers
                .iter()
                .map(|x| if *x == 1.0 { Some(one) } else { (*x == 0.0).then_some(other) })
                .collect(),
            Column::Text { levels, codes } => {
                let side = |word: &str| match word.to_ascii_lowercase().as_str() {
                    "true" | "yes" | "1" => Some(one),
                    "false" | "no" | "0" => Some(other),
                    word => word_side(word),
                };
                let levels: Vec<Option<SplitValue>> = levels.iter().map(|word| side(word)).collect();
                codes.iter().map(|code| levels[(*code)? as usize]).collect()
            }
        };
        let Some(row) = sides.iter().position(Option::is_none) else {
            let tested = sides.contains(&Some(SplitValue::Test));
            let part = |side: SplitValue| match side {
                SplitValue::Train => RowRole::Train,
                SplitValue::Validation if tested => RowRole::Validation,
                SplitValue::Validation | SplitValue::Test => RowRole::Test,
            };
            return Ok(sides.into_iter().flatten().map(part).collect());
        };
        let accepted = format!(
            "a column that says train or test (or 1 or 0) in every row; row {} says neither",
            self.lines[row]
        );
        Err(taken_for_a_split(name, accepted, chosen))
    }
}

/// What is wrong with the train/test column. Where nobody named it, naming none changes nothing.
pub(super) fn taken_for_a_split(name: &str, accepted: String, chosen: ColumnChoices<'_>) -> ColumnError {
    let (given, field) = (name.to_owned(), "split");
    if !chosen.split.is_empty() {
        return ColumnError { field, given, accepted, nearest: Some(String::new()) };
    }
    let accepted = format!(
        "{accepted}; “{name}” was taken as the train/test column because of its words, and is not if it is ignored"
    );
    ColumnError { field, given, accepted, nearest: None }
}

impl Dataset {
    /// Where no column says it, draws which rows are learnt from: the nearest number to `fraction` of those whose target is
    /// known, at least one, and of each class in proportion; and as many of the others for testing as are needed.
    pub fn draw(&mut self, fraction: f64, stream: Stream) {
        if self.split.is_none() {
            let known: Vec<usize> = self.of(RowRole::Train).collect();
            let classes: Vec<usize> = known.iter().map(|row| self.class(*row).unwrap_or(0)).collect();
            let drawn = drawn(&classes, fraction, stream);
            known.into_iter().zip(drawn).for_each(|(row, part)| self.parts[row] = part);
        }
    }
}

/// What each row is drawn for; `classes` are those of the rows.
fn drawn(classes: &[usize], fraction: f64, mut stream: Stream) -> Vec<RowRole> {
    let rows = classes.len();
    let wanted = ((fraction * rows as f64).round() as usize).clamp(1, rows.max(1));
    let mut left = vec![0; classes.iter().max().map_or(0, |last| last + 1)];
    for class in classes {
        left[*class] += 1;
    }
    // Of the first classes together the nearest number to their share, and of each one row at least.
    let (mut counted, mut given) = (0, 0);
    for count in left.iter_mut().filter(|count| **count > 0) {
        counted += *count;
        let all = (counted as f64 * wanted as f64 / rows as f64).round() as usize;
        *count = (all - given).max(1);
        given = all;
    }
    let drawn: Vec<f64> = (0..rows).map(|_| stream.uniform()).collect();
    let (mut parts, mut tested) = (vec![RowRole::Unused; rows], 0);
    for row in order(&drawn) {
        if left[classes[row]] > 0 {
            left[classes[row]] -= 1;
            parts[row] = RowRole::Train;
        } else if tested < MOST_DRAWN {
            tested += 1;
            parts[row] = RowRole::Test;
        }
    }
    parts
}

/// The largest fraction, of few digits, that draws no more than `most` of `rows`.
pub(super) fn fraction_for(most: usize, rows: usize) -> f64 {
    let share = most as f64 / rows as f64;
    let digits = (1..=12).map(|d| 10_f64.powi(d)).find(|unit| share * unit >= 1000.0).unwrap_or(1e12);
    (share * digits).floor() / digits
}

#[cfg(test)]
mod tests {
    use super::super::dataset::TargetKind;
    use super::*;

    fn set(text: &str, split: &str, label: &str) -> Result<Dataset, ColumnError> {
        let chosen = ColumnChoices { label, split, ..ColumnChoices::default() };
        Table::read(text.as_bytes()).unwrap().dataset(chosen, TargetKind::Classes)
    }

    /// The split, and its rows for testing.
    fn tests(text: &str, split: &str) -> (Option<String>, Vec<usize>) {
        let set = set(text, split, "").unwrap();
        (set.split.clone(), set.of(RowRole::Test).collect())
    }

    #[test]
    fn a_column_of_train_and_test_is_found() {
        let text = "a,part,y\n1,Train,0\n2,test,1\n3,train,1\n";
        assert_eq!(tests(text, ""), (Some("part".into()), vec![1]));
        assert_eq!(set(text, "b", "").unwrap_err().field, "split");
        // Of two such columns neither is taken.
        let twice = "a,part,set,y\n1,train,test,0\n2,test,train,1\n";
        assert_eq!(set(twice, "", "").unwrap().split, None);
        let three = "a,part,y\n1,train,0\n2,val,1\n3,test,1\n4,train,1\n";
        let kept = set(three, "", "").unwrap();
        let of = |part| kept.of(part).collect::<Vec<_>>();
        assert_eq!((of(RowRole::Validation), of(RowRole::Test)), (vec![1], vec![2]));
        assert_eq!(tests("a,part,y\n1,train,0\n2,val,1\n", "").1, [1], "for lack of another");
        assert_eq!(tests("a,set,y\n1,1,0\n2,0,1\n", "set"), (Some("set".into()), vec![1]));
        assert_eq!(tests("a,y\n1,0\n2,1\n", ""), (None, Vec::new()));
    }

    #[test]
    fn ones_and_zeros_go_by_the_name() {
        let rows = |text: &str, split| tests(text, split).1;
        assert_eq!(rows("a,use,y\n1,1,0\n2,0,1\n", "use"), [1]);
        assert_eq!(rows("a,is_test,y\n1,1,0\n2,0,1\n", "is_test"), [0]);
        assert_eq!(rows("a,test,y\n1,true,0\n2,false,1\n", "test"), [0]);
        let misfit = set("a,use,y\n1,1,0\n2,7,1\n", "use", "").unwrap_err();
        assert!(misfit.accepted.ends_with("row 3 says neither"), "{}", misfit.accepted);
        let found = set("a,use,y\n1,train,0\n2,test,1\n3,,1\n", "", "").unwrap_err();
        assert_eq!((found.field, found.nearest), ("split", None));
        assert!(found.accepted.contains("“use” was taken"), "{}", found.accepted);
    }

    #[test]
    fn a_drawn_share_is_as_large_as_asked_for_and_tests_are_not_more_than_needed() {
        let count = |rows, fraction| {
            let drawn = drawn(&vec![0; rows], fraction, Stream::of(1, 0));
            assert_eq!(drawn.len(), rows);
            [RowRole::Train, RowRole::Test].map(|part| drawn.iter().filter(|p| **p == part).count())
        };
        assert_eq!(
            [count(10, 1.0), count(10, 0.7), count(3, 0.01), count(0, 0.5)],
            [[10, 0], [7, 3], [1, 2], [0, 0]]
        );
        assert_eq!(count(30_000, 0.1), [3_000, MOST_DRAWN]);
        assert_ne!(drawn(&[0; 20], 0.5, Stream::of(1, 0)), drawn(&[0; 20], 0.5, Stream::of(2, 0)));
    }

    #[test]
    fn every_class_has_its_share_of_the_training_rows() {
        let classes: Vec<usize> = (0..1000).map(|i| usize::from(i % 20 == 0)).collect();
        let parts = drawn(&classes, 0.2, Stream::of(3, 0));
        let trained = |class| {
            parts.iter().zip(&classes).filter(|(part, c)| **part == RowRole::Train && **c == class).count()
        };
        assert_eq!([trained(0), trained(1)], [190, 10]);
        let rare: Vec<usize> = (0..100).map(|i| usize::from(i == 40) + 2 * usize::from(i > 97)).collect();
        let parts = drawn(&rare, 0.1, Stream::of(3, 0));
        for class in 0..3 {
            assert!((0..100).any(|i| rare[i] == class && parts[i] == RowRole::Train), "class {class}");
        }
    }

    #[test]
    fn the_fraction_that_is_advised_draws_no_more_than_allowed() {
        for rows in [4_001, 4_500, 24_000, 30_000, 399_999, 400_001, 9_999_999] {
            let fraction = fraction_for(4_000, rows);
            let drawn = (fraction * rows as f64).round() as usize;
            assert!((3_900..=4_000).contains(&drawn), "{rows}: {fraction} draws {drawn}");
            assert!(fraction.to_string().len() <= 12, "{fraction}");
        }
    }
}
