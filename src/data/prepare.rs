//! Preparation of a data set from a user's table: the common path of all models.

use std::borrow::Cow;

use super::column_choices::ColumnChoices;
use super::dataset::Dataset;
use super::error::{ColumnError, DataError};
use super::facts::Header;
use super::inputs::check_words;
use super::missing::MissingPolicy;
use super::reading::{DecimalSign, ReadingChoices};
use super::reference::DataRef;
use super::split::{RowRole, fraction_for, split_error};
use super::store::Store;
use super::table::Table;
use super::target::{Target, TargetKind};
use crate::math::random::{Purpose, Stream};

/// Maximum number of rows to predict, since each has a prediction in the result.
const MAX_PREDICTED: usize = 1_000_000;

/// A user's choices about a table.
#[derive(Clone, Debug)]
pub struct TableChoices<'a> {
    /// Table.
    pub data: Option<&'a DataRef>,
    /// Choices in the reading of its file.
    pub reading: ReadingChoices,
    /// Roles of its columns.
    pub columns: ColumnChoices<'a>,
    /// Fraction of training rows, unless a column separates them.
    pub train_fraction: f64,
    /// Seed of the random split.
    pub seed: u64,
    /// True if inputs, and a numeric target, are standardised over the training rows.
    pub standardise: bool,
    /// Second table, whose rows are only predicted.
    pub predict: Option<&'a DataRef>,
}

/// The requirements of a method.
#[derive(Clone, Copy, Debug)]
pub struct DataRequirements {
    /// Kind of target.
    pub target: TargetKind,
    /// Maximum number of training rows, and the reason for it.
    pub training: Option<(usize, &'static str)>,
}

impl TableChoices<'_> {
    /// Prepares the data set.
    ///
    /// # Errors
    /// If a choice does not suit the table, with its field and the nearest valid value.
    pub fn prepare(&self, needs: &DataRequirements, store: &Store) -> Result<Dataset, ColumnError> {
        let file = self.data.map(ToString::to_string).unwrap_or_default();
        let in_file = |error: ColumnError| match error.given.as_str() {
            "" if error.field == "data" => ColumnError { given: file.clone(), ..error },
            _ => error,
        };
        let reading = ReadingChoices { keeps_text: self.columns.keeps_text(), ..self.reading.clone() };
        let table = self.data.and_then(|data| store.table_as(data, &reading));
        let table = table.ok_or_else(|| in_file(not_loaded()))?;
        let table = table.map_err(|problem| in_file(ColumnError::of_table(problem.to_string())))?;
        let table = table.with_missing(self.columns.codes);
        let mut set = Dataset::from_table(&table, self.columns, needs.target).map_err(in_file)?;
        set.draw_split(self.train_fraction, Stream::for_purpose(self.seed, Purpose::TableSplit, 0));
        self.check_training(&set, needs).map_err(in_file)?;
        if self.columns.missing == MissingPolicy::Impute {
            set.impute().map_err(in_file)?;
        }
        if self.standardise {
            set.standardise().map_err(in_file)?;
        }
        if let Some(second) = self.predict {
            let file = second.to_string();
            // Other errors are errors of the second file.
            let in_file = |error: ColumnError| match error.field {
                "missing" => error,
                _ => ColumnError { field: "predict", given: file.clone(), ..error },
            };
            let second =
                self.read_second(&table, &set, second, store).ok_or_else(|| in_file(not_loaded()))?;
            let second = second.map_err(|problem| in_file(ColumnError::of_table(problem.to_string())))?;
            let second = second.with_missing(self.columns.codes);
            second.check_malformed(self.columns.skip_malformed)?;
            check_words(&second, &table, &set.coding)?;
            set.append(&second, self.columns.missing).map_err(in_file)?;
            set.malformed += second.malformed.len();
        }
        self.check_predicted(&set, file)?;
        Ok(set)
    }

    /// Reads the second table. Its separator and encoding may differ from those of the first `table`; where its decimal sign is in doubt, it
    /// is that of the first. A first row with the names of all inputs is the header.
    fn read_second<'s>(
        &self,
        table: &Table,
        set: &Dataset,
        second: &DataRef,
        store: &'s Store,
    ) -> Option<Result<Cow<'s, Table>, DataError>> {
        let usual = store.table(second)?;
        let is_doubtful = usual.doubts.iter().any(|doubt| doubt.field == "decimal");
        let has_names = |row: &Vec<String>| set.coding.iter().all(|input| row.contains(&input.column));
        let is_header = usual.header != Header::Found && has_names(&usual.first_row);
        let first = if table.reading.decimal == ',' { DecimalSign::Comma } else { DecimalSign::Point };
        let choices = ReadingChoices {
            decimal: self.reading.decimal.or(is_doubtful.then_some(first)),
            header: is_header.then_some(true),
            fill_down: self.reading.fill_down.clone(),
            words: self.reading.words.clone(),
            merge_case: self.reading.merge_case,
            keeps_text: self.columns.keeps_text(),
            ..ReadingChoices::default()
        };
        store.table_as(second, &choices)
    }

    /// Checks that there are training rows, not too many, and of every class.
    fn check_training(&self, set: &Dataset, needs: &DataRequirements) -> Result<(), ColumnError> {
        let train = set.of(RowRole::Train).count();
        let error = |accepted: String, fraction: f64| match &set.split {
            Some(name) => split_error(name, accepted, self.columns),
            None => ColumnError {
                field: "train_fraction",
                given: self.train_fraction.to_string(),
                accepted,
                nearest: Some(fraction.to_string()),
            },
        };
        if let Some((most, why)) = needs.training.filter(|(most, _)| train > *most) {
            let known = [RowRole::Train, RowRole::Test, RowRole::Unused].map(|role| set.of(role).count());
            let accepted = format!("at most {most} training rows, since {why}; there are {train}");
            return Err(error(accepted, fraction_for(most, known.iter().sum())));
        }
        match &set.target {
            Target::Classes { names, codes } => {
                let occurs = |class: usize| set.of(RowRole::Train).any(|i| codes[i] == Some(class as u32));
                let Some(missing) = (0..names.len()).find(|class| !occurs(*class)) else { return Ok(()) };
                let accepted = format!(
                    "training rows with every value of “{}”; {} is not among them",
                    set.label, names[missing]
                );
                Err(error(accepted, 1.0))
            }
            Target::Numbers(_) | Target::None if train < 2 => {
                Err(error("at least two training rows".into(), 1.0))
            }
            Target::Numbers(_) | Target::None => Ok(()),
        }
    }

    /// Checks that there are not too many rows to predict.
    fn check_predicted(&self, set: &Dataset, file: String) -> Result<(), ColumnError> {
        let is_predicted =
            |role: &&RowRole| matches!(role, RowRole::Test | RowRole::Unlabelled | RowRole::Second);
        let predicted = set.roles.iter().filter(is_predicted).count();
        if predicted <= MAX_PREDICTED {
            return Ok(());
        }
        let accepted = format!("at most {MAX_PREDICTED} rows to predict; there are {predicted}");
        let (field, given) = self.predict.map_or(("data", file), |p| ("predict", p.to_string()));
        Err(ColumnError { field, given, accepted, nearest: None })
    }
}

fn not_loaded() -> ColumnError {
    ColumnError::of_table("a CSV file that has been loaded is needed")
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    const GAUSSIAN: DataRequirements =
        DataRequirements { target: TargetKind::TwoClasses, training: Some((4_000, "memory is short")) };

    fn choices(data: &DataRef) -> TableChoices<'_> {
        TableChoices {
            data: Some(data),
            columns: ColumnChoices::default(),
            train_fraction: 1.0,
            reading: ReadingChoices::default(),
            seed: 1,
            standardise: true,
            predict: None,
        }
    }

    fn table(rows: usize, split: impl Fn(usize) -> &'static str) -> (Store, DataRef) {
        let mut text = String::from("a,part,y\n");
        for i in 0..rows {
            writeln!(text, "{},{},{}", i % 97, split(i), u8::from(i % 3 == 0)).unwrap();
        }
        let mut store = Store::default();
        store.load(text.as_bytes()).unwrap();
        (store, DataRef::file("t.csv", text.as_bytes()))
    }

    #[test]
    fn advised_values_for_large_tables_are_valid() {
        for rows in [4_001, 24_000, 30_000, 400_000] {
            let (store, data) = table(rows, |_| "0");
            let mut choices = choices(&data);
            choices.columns.ignore = "part";
            let error = choices.prepare(&GAUSSIAN, &store).unwrap_err();
            assert_eq!(error.field, "train_fraction", "{error:?}");
            choices.train_fraction = error.nearest.unwrap().parse().unwrap();
            let set = choices.prepare(&GAUSSIAN, &store).unwrap();
            let [train, test, unused] =
                [RowRole::Train, RowRole::Test, RowRole::Unused].map(|part| set.of(part).count());
            assert!((3_900..=4_000).contains(&train), "{rows}: {train}");
            assert_eq!((train + test + unused, test), (rows, (rows - train).min(20_000)));
        }
    }

    #[test]
    fn all_test_rows_of_a_split_column_are_predicted() {
        let (store, data) = table(30_000, |i| if i < 500 { "train" } else { "test" });
        let set = choices(&data).prepare(&GAUSSIAN, &store).unwrap();
        assert_eq!((set.of(RowRole::Train).count(), set.of(RowRole::Test).count()), (500, 29_500));
        let (store, data) = table(9_000, |i| if i < 5_000 { "train" } else { "test" });
        let error = choices(&data).prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((error.field, error.nearest), ("split", None));
    }

    #[test]
    fn names_of_numbers_are_the_header_of_the_second_table() {
        let (text, second) = (b"0,1,y\n2.5,0.5,1\n3.5,1.5,0\n1.5,2.5,1\n", b"0,1\n9.5,1.5\n");
        let mut store = Store::default();
        store.load(text).unwrap();
        store.load(second).unwrap();
        let (data, second) = (DataRef::file("t.csv", text), DataRef::file("new.csv", second));
        let choices = TableChoices { predict: Some(&second), standardise: false, ..choices(&data) };
        let set = choices.prepare(&GAUSSIAN, &store).unwrap();
        assert_eq!(set.of(RowRole::Second).map(|i| set.row(i).to_vec()).collect::<Vec<_>>(), [[9.5, 1.5]]);
    }

    #[test]
    fn errors_name_field_and_file() {
        let (mut store, data) = table(20, |_| "0");
        let mut choices = choices(&data);
        choices.columns.split = "part";
        assert_eq!(
            choices.prepare(&GAUSSIAN, &store).unwrap_err().field,
            "split",
            "there are no training rows"
        );
        choices.columns = ColumnChoices { ignore: "a,part", ..ColumnChoices::default() };
        let error = choices.prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((error.field, error.given), ("data", data.to_string()));
        choices.columns.ignore = "part";
        let second = b"b,y\n1,2\n";
        store.load(second).unwrap();
        let second = DataRef::file("second.csv", second);
        choices.predict = Some(&second);
        let error = choices.prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((error.field, error.given), ("predict", second.to_string()));
        choices.data = None;
        assert_eq!(choices.prepare(&GAUSSIAN, &store).unwrap_err().field, "data");
    }
}
