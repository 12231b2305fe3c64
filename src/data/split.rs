//! Division of the rows into training and test rows, by a column or at random.

use super::column_choices::ColumnChoices;
use super::default_roles::SplitValue;
use super::error::ColumnError;
use super::table::{Column, Table};
use crate::math::random::Stream;
use crate::math::stats::order;

/// Maximum number of test rows drawn at random. The standard error of an error rate is then at most a third of a per cent.
pub(super) const MAX_TEST_ROWS: usize = 20_000;

/// The role of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowRole {
    /// Training row.
    Train,
    /// Test row: its target is known and held out.
    Test,
    /// Validation row, held out for the choice of settings: neither used for training nor predicted.
    Validation,
    /// Row with an unknown target, which is predicted.
    Unlabelled,
    /// Row of the second file, which is predicted.
    Second,
    /// Row that is not used: there are enough test rows.
    Unused,
}

/// Returns the roles of the rows in split column `c`, with words such as train, validation and test, or 1 and 0. A 1 stands for
/// training, or for test if the name of the column contains “test”. Validation rows are test rows if there are no others.
///
/// # Errors
/// Returns an error of the field `split` if a cell has another value.
pub(super) fn row_roles(
    table: &Table,
    c: usize,
    choices: ColumnChoices<'_>,
) -> Result<Vec<RowRole>, ColumnError> {
    let name = &table.names[c];
    let [one, zero] = if name.to_ascii_lowercase().contains("test") {
        [SplitValue::Test, SplitValue::Train]
    } else {
        [SplitValue::Train, SplitValue::Test]
    };
    let values: Vec<Option<SplitValue>> = match &table.columns[c] {
        Column::Numbers(numbers) => {
            let value = |x: &f64| if *x == 1.0 { Some(one) } else { (*x == 0.0).then_some(zero) };
            numbers.iter().map(value).collect()
        }
        Column::Text { levels, codes } => {
            let value = |word: &String| match word.to_ascii_lowercase().as_str() {
                "true" | "yes" | "1" => Some(one),
                "false" | "no" | "0" => Some(zero),
                word => SplitValue::of_word(word),
            };
            let of_level: Vec<Option<SplitValue>> = levels.iter().map(value).collect();
            codes.iter().map(|code| of_level[(*code)? as usize]).collect()
        }
    };
    if let Some(row) = values.iter().position(Option::is_none) {
        let accepted = format!(
            "a column with train or test (or 1 or 0) in every row; row {} has neither",
            table.lines[row]
        );
        return Err(split_error(name, accepted, choices));
    }
    let has_test = values.contains(&Some(SplitValue::Test));
    let role = |value: SplitValue| match value {
        SplitValue::Train => RowRole::Train,
        SplitValue::Validation if has_test => RowRole::Validation,
        SplitValue::Validation | SplitValue::Test => RowRole::Test,
    };
    Ok(values.into_iter().flatten().map(role).collect())
}

/// Returns an error of the split column. The advice to clear the field is given only if the column was chosen by the user.
pub(super) fn split_error(name: &str, accepted: String, choices: ColumnChoices<'_>) -> ColumnError {
    let (given, field) = (name.to_owned(), "split");
    if !choices.split.is_empty() {
        return ColumnError { field, given, accepted, nearest: Some(String::new()) };
    }
    // Clearing an empty field is no remedy.
    let accepted = format!(
        "{accepted}; “{name}” was taken as the train/test column because of its words; to prevent this, ignore it"
    );
    ColumnError { field, given, accepted, nearest: None }
}

/// Draws the roles of rows with these classes. A `fraction` of the rows of each class, at least one, are training rows; the others
/// are test rows, up to a maximum.
pub(super) fn draw_roles(classes: &[usize], fraction: f64, mut stream: Stream) -> Vec<RowRole> {
    let rows = classes.len();
    let wanted = ((fraction * rows as f64).round() as usize).clamp(1, rows.max(1));
    let mut left = vec![0; classes.iter().max().map_or(0, |last| last + 1)];
    for class in classes {
        left[*class] += 1;
    }
    // Cumulative shares are rounded, so that the total is `wanted`, apart from the minimum of one row per class.
    let (mut counted, mut given) = (0, 0);
    for count in left.iter_mut().filter(|count| **count > 0) {
        counted += *count;
        let all = (counted as f64 * wanted as f64 / rows as f64).round() as usize;
        *count = (all - given).max(1);
        given = all;
    }
    let keys: Vec<f64> = (0..rows).map(|_| stream.uniform()).collect();
    let (mut roles, mut tested) = (vec![RowRole::Unused; rows], 0);
    for row in order(&keys) {
        if left[classes[row]] > 0 {
            left[classes[row]] -= 1;
            roles[row] = RowRole::Train;
        } else if tested < MAX_TEST_ROWS {
            tested += 1;
            roles[row] = RowRole::Test;
        }
    }
    roles
}

/// Returns the largest fraction with few digits for which at most `most` of `rows` are drawn.
pub(super) fn fraction_for(most: usize, rows: usize) -> f64 {
    let share = most as f64 / rows as f64;
    let digits = (1..=12).map(|d| 10_f64.powi(d)).find(|unit| share * unit >= 1000.0).unwrap_or(1e12);
    (share * digits).floor() / digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dataset, TargetKind};

    fn set(text: &str, split: &str, label: &str) -> Result<Dataset, ColumnError> {
        let choices = ColumnChoices { label, split, ..ColumnChoices::default() };
        Dataset::from_table(&Table::read(text.as_bytes()).unwrap(), choices, TargetKind::Classes)
    }

    /// Returns the split column and the test rows.
    fn tests(text: &str, split: &str) -> (Option<String>, Vec<usize>) {
        let set = set(text, split, "").unwrap();
        (set.split.clone(), set.of(RowRole::Test).collect())
    }

    #[test]
    fn a_column_of_train_and_test_is_the_default_split() {
        let text = "a,part,y\n1,Train,0\n2,test,1\n3,train,1\n";
        assert_eq!(tests(text, ""), (Some("part".into()), vec![1]));
        assert_eq!(set(text, "b", "").unwrap_err().field, "split");
        let twice = "a,part,set,y\n1,train,test,0\n2,test,train,1\n";
        assert_eq!(set(twice, "", "").unwrap().split, None, "ambiguous");
        let three = "a,part,y\n1,train,0\n2,val,1\n3,test,1\n4,train,1\n";
        let kept = set(three, "", "").unwrap();
        let of = |role| kept.of(role).collect::<Vec<_>>();
        assert_eq!((of(RowRole::Validation), of(RowRole::Test)), (vec![1], vec![2]));
        assert_eq!(
            tests("a,part,y\n1,train,0\n2,val,1\n", "").1,
            [1],
            "validation rows instead of test rows"
        );
        assert_eq!(tests("a,set,y\n1,1,0\n2,0,1\n", "set"), (Some("set".into()), vec![1]));
        assert_eq!(tests("a,y\n1,0\n2,1\n", ""), (None, Vec::new()));
    }

    #[test]
    fn the_meaning_of_one_and_zero_depends_on_the_name() {
        let rows = |text: &str, split| tests(text, split).1;
        assert_eq!(rows("a,use,y\n1,1,0\n2,0,1\n", "use"), [1]);
        assert_eq!(rows("a,is_test,y\n1,1,0\n2,0,1\n", "is_test"), [0]);
        assert_eq!(rows("a,test,y\n1,true,0\n2,false,1\n", "test"), [0]);
        let error = set("a,use,y\n1,1,0\n2,7,1\n", "use", "").unwrap_err();
        assert!(error.accepted.ends_with("row 3 has neither"), "{}", error.accepted);
        let found = set("a,use,y\n1,train,0\n2,test,1\n3,,1\n", "", "").unwrap_err();
        assert_eq!((found.field, found.nearest), ("split", None));
        assert!(found.accepted.contains("“use” was taken"), "{}", found.accepted);
    }

    #[test]
    fn the_drawn_fraction_is_exact_and_test_rows_are_limited() {
        let count = |rows, fraction| {
            let drawn = draw_roles(&vec![0; rows], fraction, Stream::of(1, 0));
            assert_eq!(drawn.len(), rows);
            [RowRole::Train, RowRole::Test].map(|role| drawn.iter().filter(|r| **r == role).count())
        };
        assert_eq!(
            [count(10, 1.0), count(10, 0.7), count(3, 0.01), count(0, 0.5)],
            [[10, 0], [7, 3], [1, 2], [0, 0]]
        );
        assert_eq!(count(30_000, 0.1), [3_000, MAX_TEST_ROWS]);
        let drawn = |seed| draw_roles(&[0; 20], 0.5, Stream::of(seed, 0));
        assert_ne!(drawn(1), drawn(2));
    }

    #[test]
    fn every_class_has_its_share_of_the_training_rows() {
        let classes: Vec<usize> = (0..1000).map(|i| usize::from(i % 20 == 0)).collect();
        let roles = draw_roles(&classes, 0.2, Stream::of(3, 0));
        let trained = |class| {
            roles.iter().zip(&classes).filter(|(role, c)| **role == RowRole::Train && **c == class).count()
        };
        assert_eq!([trained(0), trained(1)], [190, 10]);
        let rare: Vec<usize> = (0..100).map(|i| usize::from(i == 40) + 2 * usize::from(i > 97)).collect();
        let roles = draw_roles(&rare, 0.1, Stream::of(3, 0));
        for class in 0..3 {
            assert!((0..100).any(|i| rare[i] == class && roles[i] == RowRole::Train), "class {class}");
        }
    }

    #[test]
    fn the_advised_fraction_draws_at_most_the_maximum() {
        for rows in [4_001, 4_500, 24_000, 30_000, 399_999, 400_001, 9_999_999] {
            let fraction = fraction_for(4_000, rows);
            let drawn = (fraction * rows as f64).round() as usize;
            assert!((3_900..=4_000).contains(&drawn), "{rows}: {fraction} draws {drawn}");
            assert!(fraction.to_string().len() <= 12, "{fraction}");
        }
    }
}
