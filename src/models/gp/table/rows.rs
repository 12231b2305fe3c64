//! The rows of the table that is named: which are learnt from, which are predicted, and in which units.

use super::{Described, OwnSpec};
use crate::data::{Store, Supervised, Table, split};
use crate::lab::InputError;
use crate::lab::fields::loaded;
use crate::math::random::Stream;

/// Training rows at most. A solve takes a few matrices of m² numbers and m³ multiplications for each of some twenty steps.
pub const MOST_ROWS: usize = 4_000;
/// Rows that are predicted at most.
const MOST_TESTS: usize = 20_000;
/// Purpose of the random stream that draws the training rows.
const SPLIT: u64 = 2;

/// Rows to learn from and to predict.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Inputs of the training rows, m×N.
    pub train: Vec<Vec<f64>>,
    /// Their labels ±1.
    pub tau: Vec<f64>,
    /// Inputs of the rows that are predicted: first the test rows, then those without a label, and then those
    /// of the second file.
    pub test: Vec<Vec<f64>>,
    /// Index among the training rows of every row of the file that is one.
    pub place: Vec<Option<usize>>,
    /// Everything else that is known of them.
    pub table: Described,
}

impl Rows {
    /// Reads what `spec` names.
    ///
    /// # Errors
    /// Which field does not fit the table, and what would.
    pub fn new(spec: &OwnSpec, data: &Store) -> Result<Self, InputError> {
        let table = loaded("data", spec.data.as_ref(), data)?;
        let mut table = table.without(&spec.ignore)?;
        let column = table.split_column(&spec.split, &spec.label)?;
        let split = column.map(|c| table.names[c].clone());
        // Where nobody named the column, saying nothing changes nothing.
        let found = |problem: InputError| match &split {
            Some(name) if spec.split.is_empty() && problem.field == OwnSpec::FIELDS.split.key => InputError {
                expected: format!(
                    "{} “{name}” was taken as the train/test column because of its words; ignore it to use it as neither.",
                    problem.expected
                ),
                nearest: None,
                ..problem
            },
            _ => problem,
        };
        let named = column.map(|c| take_out(&mut table, c)).transpose().map_err(found)?;
        let mut rows = table.partly_supervised(&spec.label, &spec.positive)?;
        let mut train = training_rows(spec, &rows, named);
        check_sizes(spec, &train, split.is_none())?;
        check_classes(spec, &rows, &train, split.as_deref()).map_err(found)?;
        let constant = if spec.standardise { leave_out_constants(&mut rows, &train)? } else { Vec::new() };
        check_relevances(spec, &rows, &constant)?;
        let second = append(spec, data, &mut rows, &train)?;
        train.resize(rows.labels.len(), false);
        if spec.standardise {
            rows.standardise_by(|row| train[row])?;
        }
        Ok(Self::split(&rows, &train, second, constant))
    }

    /// The last `second` rows are those of the second file; the inputs `constant` were left out.
    fn split(rows: &Supervised, train: &[bool], second: usize, constant: Vec<String>) -> Self {
        let mut out = Self {
            train: Vec::new(),
            tau: Vec::new(),
            test: Vec::new(),
            place: Vec::new(),
            table: Described {
                names: rows.names.clone(),
                constant,
                label: rows.label.clone(),
                classes: rows.classes.clone(),
                labels: Vec::new(),
                lines: Vec::new(),
                test_labels: Vec::new(),
                test_lines: Vec::new(),
                asked_lines: Vec::new(),
                second_lines: Vec::new(),
            },
        };
        let mut asked = Vec::new();
        for (i, inputs) in rows.inputs.chunks_exact(rows.width()).enumerate() {
            out.place.push(train[i].then_some(out.train.len()));
            let (inputs, label, line) = (inputs.to_vec(), rows.labels[i], rows.lines[i]);
            if train[i] {
                out.train.push(inputs);
                out.table.labels.push(label);
                out.table.lines.push(line);
            } else if i + second >= rows.labels.len() {
                asked.push(inputs);
                out.table.second_lines.push(line);
            } else if label == 0.0 {
                asked.push(inputs);
                out.table.asked_lines.push(line);
            } else {
                out.test.push(inputs);
                out.table.test_labels.push(label);
                out.table.test_lines.push(line);
            }
        }
        out.test.extend(asked);
        out.tau.clone_from(&out.table.labels);
        out
    }
}

/// Puts the rows of the second file under those of the first, without labels; how many.
fn append(spec: &OwnSpec, data: &Store, rows: &mut Supervised, train: &[bool]) -> Result<usize, InputError> {
    let Some(named) = &spec.predict else { return Ok(0) };
    let table = loaded("predict", Some(named), data)?;
    let room = MOST_TESTS.saturating_sub(train.iter().filter(|t| !**t).count());
    if table.rows() > room {
        let why = format!("at most {room} rows can be predicted; this table has {}", table.rows());
        return Err(OwnSpec::FIELDS.predict.error(named).because(why));
    }
    let inputs = table.inputs(&rows.names).map_err(|misfit| InputError {
        expected: InputError::from(misfit).expected,
        ..OwnSpec::FIELDS.predict.error(named)
    })?;
    rows.inputs.extend(inputs);
    rows.labels.resize(rows.labels.len() + table.rows(), 0.0);
    rows.lines.extend(&table.lines);
    Ok(table.rows())
}

/// What column `c` says of every row; an input it is not.
fn take_out(table: &mut Table, c: usize) -> Result<Vec<bool>, InputError> {
    let train = table.training_rows(c)?;
    table.names.remove(c);
    table.columns.remove(c);
    Ok(train)
}

/// Which rows are learnt from, as a column or chance has it: only such as have a label.
fn training_rows(spec: &OwnSpec, rows: &Supervised, named: Option<Vec<bool>>) -> Vec<bool> {
    let labelled: Vec<usize> = (0..rows.labels.len()).filter(|i| rows.labels[*i] != 0.0).collect();
    let drawn = || {
        let stream = Stream::aside(spec.seed, 0, SPLIT);
        let mut train = vec![false; rows.labels.len()];
        let drawn = split::drawn(labelled.len(), spec.train_fraction, stream);
        labelled.iter().zip(drawn).for_each(|(row, drawn)| train[*row] = drawn);
        train
    };
    let mut train = named.unwrap_or_else(drawn);
    train.iter_mut().zip(&rows.labels).for_each(|(train, label)| *train &= *label != 0.0);
    train
}

fn check_sizes(spec: &OwnSpec, train: &[bool], drawn: bool) -> Result<(), InputError> {
    let count = train.iter().filter(|t| **t).count();
    if count > MOST_ROWS {
        let share = (100 * MOST_ROWS / train.len()).max(1) as f64 / 100.0;
        let given = format!("{count} training rows");
        let why = format!(
            "at most {MOST_ROWS} training rows are possible, since memory grows with their square and time with their cube"
        );
        let fields = OwnSpec::FIELDS;
        return Err(if drawn {
            fields.train_fraction.error(given).because(why).nearest(share)
        } else {
            fields.split.error(given).because(why)
        });
    }
    if train.len() - count > MOST_TESTS {
        let why =
            format!("at most {MOST_TESTS} rows can be predicted; this table has {}", train.len() - count);
        let given = spec.data.as_ref().map(ToString::to_string).unwrap_or_default();
        return Err(OwnSpec::FIELDS.data.error(given).because(why));
    }
    Ok(())
}

/// `split` is the column that says which rows are learnt from, if there is one.
fn check_classes(
    spec: &OwnSpec,
    rows: &Supervised,
    train: &[bool],
    split: Option<&str>,
) -> Result<(), InputError> {
    let has = |sign: f64| rows.labels.iter().zip(train).any(|(label, train)| *train && *label == sign);
    if has(1.0) && has(-1.0) {
        return Ok(());
    }
    let fields = OwnSpec::FIELDS;
    let (error, nearest) = match split {
        None => (fields.train_fraction.error(spec.train_fraction), "1"),
        Some(name) => (fields.split.error(name), ""),
    };
    let (label, [minus, plus]) = (&rows.label, &rows.classes);
    let why = format!("the training rows must have both values of “{label}”, {minus} and {plus}");
    Err(error.because(why).nearest(nearest))
}

/// A column that never changes has no unit to be measured in and nothing to say: those are left out; their names.
fn leave_out_constants(rows: &mut Supervised, train: &[bool]) -> Result<Vec<String>, InputError> {
    let width = rows.width();
    let changes = |j: &usize| {
        let mut column = (0..train.len()).filter(|i| train[*i]).map(|i| rows.inputs[i * width + j]);
        let first = column.next();
        column.any(|x| Some(x) != first)
    };
    let (kept, constant): (Vec<usize>, Vec<usize>) = (0..width).partition(changes);
    let names = |places: &[usize]| places.iter().map(|j| rows.names[*j].clone()).collect::<Vec<_>>();
    let (names, constant) = (names(&kept), names(&constant));
    if kept.is_empty() {
        let why = "an input column that changes from one training row to another is needed";
        return Err(OwnSpec::FIELDS.data.error(constant.join(",")).because(why));
    }
    if !constant.is_empty() {
        rows.inputs = rows.inputs.chunks_exact(width).flat_map(|row| kept.iter().map(|j| row[*j])).collect();
        rows.names = names;
    }
    Ok(constant)
}

/// As many relevances as inputs.
fn check_relevances(spec: &OwnSpec, rows: &Supervised, constant: &[String]) -> Result<(), InputError> {
    if spec.ard.is_empty() || spec.ard.len() == rows.width() {
        return Ok(());
    }
    let left_out = match constant {
        [] => String::new(),
        names => format!("; those that never change are left out: {}", names.join(", ")),
    };
    let expected = format!(
        "nothing, or a number for each of the {} input columns {}{left_out}",
        rows.width(),
        rows.names.join(", ")
    );
    let error = OwnSpec::FIELDS.ard.error(format!("{} numbers", spec.ard.len()));
    Err(error.expected(expected).nearest(vec!["1"; rows.width()].join(",")))
}
