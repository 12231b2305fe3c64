//! From a person's choices to examples: the one way on which every model reads a table of one's own.

use super::dataset::{ColumnChoices, Dataset, RowRole, TargetKind};
use super::missing::MissingPolicy;
use super::split::{fraction_for, taken_for_a_split};
use super::{ColumnError, DataRef, Store, Target};
use crate::math::random::{Purpose, Stream};

/// Rows that are predicted at most: each takes a prediction in the result.
const MOST_PREDICTED: usize = 1_000_000;

/// What a person has said of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableChoices<'a> {
    /// The table.
    pub data: Option<&'a DataRef>,
    /// Which of its columns are what.
    pub columns: ColumnChoices<'a>,
    /// Share of the rows that is learnt from where no column says which.
    pub train_fraction: f64,
    /// Seed of the draw of these.
    pub seed: u64,
    /// Whether inputs, and a numeric target, are brought to zero mean and unit variance over the training rows.
    pub standardise: bool,
    /// Another table, whose rows are only predicted.
    pub predict: Option<&'a DataRef>,
}

/// What a method can take.
#[derive(Clone, Copy, Debug)]
pub struct DataRequirements {
    /// What it learns.
    pub target: TargetKind,
    /// Training rows at most, and why no more.
    pub training: Option<(usize, &'static str)>,
}

impl TableChoices<'_> {
    /// The examples.
    ///
    /// # Errors
    /// Which field does not fit the table, and what would.
    pub fn prepare(&self, needs: &DataRequirements, store: &Store) -> Result<Dataset, ColumnError> {
        let named = self.data.map(ToString::to_string).unwrap_or_default();
        let of_file = |field: &'static str, named: &str, misfit: ColumnError| match misfit.given.as_str() {
            "" if misfit.field == "data" => ColumnError { field, given: named.to_owned(), ..misfit },
            _ => misfit,
        };
        let of_main = |misfit: ColumnError| of_file("data", &named, misfit);
        let table = self.data.and_then(|data| store.table(data)).ok_or_else(|| of_main(not_loaded()))?;
        let table = table.with_missing(self.columns.codes);
        let mut set = table.dataset(self.columns, needs.target).map_err(of_main)?;
        set.draw(self.train_fraction, Stream::for_purpose(self.seed, Purpose::TableSplit, 0));
        self.check_training(&set, needs).map_err(of_main)?;
        if self.columns.missing == MissingPolicy::Impute {
            set.impute().map_err(of_main)?;
        }
        if self.standardise {
            set.standardise().map_err(of_main)?;
        }
        if let Some(second) = self.predict {
            let named = second.to_string();
            // Whatever is wrong, it is wrong with that file.
            let of_second =
                |misfit: ColumnError| ColumnError { field: "predict", given: named.clone(), ..misfit };
            let second = store.table(second).ok_or_else(|| of_second(not_loaded()))?;
            let second = second.with_missing(self.columns.codes);
            second.check_malformed(self.columns.skip_malformed)?;
            second.unknown_word(&table, &set.coding).map_or(Ok(()), Err).map_err(of_second)?;
            set.append(&second, self.columns.missing).map_err(of_second)?;
            set.malformed += second.malformed.len();
        }
        let kept_out =
            |part: &RowRole| matches!(part, RowRole::Train | RowRole::Validation | RowRole::Unused);
        let predicted = set.parts.iter().filter(|part| !kept_out(part)).count();
        if predicted > MOST_PREDICTED {
            let accepted = format!("at most {MOST_PREDICTED} rows to predict; there are {predicted}");
            let (field, given) = self.predict.map_or(("data", named), |p| ("predict", p.to_string()));
            return Err(ColumnError { field, given, accepted, nearest: None });
        }
        Ok(set)
    }

    /// Whether there are training rows, not too many, and of every class.
    fn check_training(&self, set: &Dataset, needs: &DataRequirements) -> Result<(), ColumnError> {
        let train = set.of(RowRole::Train).count();
        let misfit = |accepted: String, fraction: Option<f64>| match &set.split {
            Some(name) => taken_for_a_split(name, accepted, self.columns),
            None => ColumnError {
                field: "train_fraction",
                given: self.train_fraction.to_string(),
                accepted,
                nearest: fraction.map(|fraction| fraction.to_string()),
            },
        };
        if let Some((most, why)) = needs.training.filter(|(most, _)| train > *most) {
            let known = [RowRole::Train, RowRole::Test, RowRole::Unused].map(|part| set.of(part).count());
            let accepted = format!("at most {most} training rows, since {why}; these are {train}");
            return Err(misfit(accepted, Some(fraction_for(most, known.iter().sum()))));
        }
        match &set.target {
            Target::Classes { names, codes } => {
                let seen = |class: usize| set.of(RowRole::Train).any(|i| codes[i] == Some(class as u32));
                let Some(missing) = (0..names.len()).find(|class| !seen(*class)) else { return Ok(()) };
                let accepted = format!(
                    "training rows with every value of “{}”; {} is not among them",
                    set.label, names[missing]
                );
                Err(misfit(accepted, Some(1.0)))
            }
            Target::Numbers(_) | Target::None if train < 2 => {
                Err(misfit("two training rows at least".into(), Some(1.0)))
            }
            Target::Numbers(_) | Target::None => Ok(()),
        }
    }
}

fn not_loaded() -> ColumnError {
    ColumnError {
        field: "data",
        given: String::new(),
        accepted: "a CSV file that has been loaded is needed".into(),
        nearest: None,
    }
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
    fn advice_on_large_tables_is_accepted_when_followed() {
        for rows in [4_001, 24_000, 30_000, 400_000] {
            let (store, data) = table(rows, |_| "0");
            let mut choices = choices(&data);
            choices.columns.ignore = "part";
            let misfit = choices.prepare(&GAUSSIAN, &store).unwrap_err();
            assert_eq!(misfit.field, "train_fraction", "{misfit:?}");
            choices.train_fraction = misfit.nearest.unwrap().parse().unwrap();
            let set = choices.prepare(&GAUSSIAN, &store).unwrap();
            let [train, test, unused] =
                [RowRole::Train, RowRole::Test, RowRole::Unused].map(|part| set.of(part).count());
            assert!((3_900..=4_000).contains(&train), "{rows}: {train}");
            assert_eq!((train + test + unused, test), (rows, (rows - train).min(20_000)));
        }
    }

    #[test]
    fn few_training_rows_and_many_others_by_a_column_are_all_predicted() {
        let (store, data) = table(30_000, |i| if i < 500 { "train" } else { "test" });
        let set = choices(&data).prepare(&GAUSSIAN, &store).unwrap();
        assert_eq!((set.of(RowRole::Train).count(), set.of(RowRole::Test).count()), (500, 29_500));
        let (store, data) = table(9_000, |i| if i < 5_000 { "train" } else { "test" });
        let misfit = choices(&data).prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((misfit.field, misfit.nearest), ("split", None));
    }

    #[test]
    fn what_does_not_fit_names_its_field_and_file() {
        let (mut store, data) = table(20, |_| "0");
        let mut choices = choices(&data);
        choices.columns.split = "part";
        assert_eq!(
            choices.prepare(&GAUSSIAN, &store).unwrap_err().field,
            "split",
            "all rows are for testing"
        );
        choices.columns = ColumnChoices { ignore: "a,part", ..ColumnChoices::default() };
        let misfit = choices.prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((misfit.field, misfit.given), ("data", data.to_string()));
        choices.columns.ignore = "part";
        let second = b"b,y\n1,2\n";
        store.load(second).unwrap();
        let second = DataRef::file("second.csv", second);
        choices.predict = Some(&second);
        let misfit = choices.prepare(&GAUSSIAN, &store).unwrap_err();
        assert_eq!((misfit.field, misfit.given), ("predict", second.to_string()));
        choices.data = None;
        assert_eq!(choices.prepare(&GAUSSIAN, &store).unwrap_err().field, "data");
    }
}
