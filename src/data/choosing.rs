//! Which columns of a table are target, split and inputs, and what is wrong with them: from a table to examples.

use super::columns::{self, Outline, entries, entry};
use super::dataset::{Chosen, Dataset, Part, Target, Wanted};
use super::facts::HEADER_RULE;
use super::reader::number;
use super::{Column, ColumnFacts, Header, Misfit, Table};

impl Table {
    /// The table as examples. Rows whose target is missing are to be predicted; all others are for training, unless a column
    /// says otherwise.
    ///
    /// # Errors
    /// Which of the fields `data`, `label`, `positive`, `ignore` and `split` does not fit, and what would.
    pub fn dataset(&self, chosen: Chosen<'_>, wanted: Wanted) -> Result<Dataset, Misfit> {
        let ignored = entries(chosen.ignore);
        self.check_ignored(&ignored)?;
        let mut left: Vec<usize> =
            (0..self.columns.len()).filter(|c| !ignored.contains(&self.names[*c].as_str())).collect();
        let split = self.split_among(&left, chosen)?;
        left.retain(|c| Some(*c) != split);
        let label = if wanted == Wanted::NoTarget { None } else { Some(self.label_among(&left, chosen)?) };
        left.retain(|c| Some(*c) != label);
        if left.is_empty() {
            let needed = if label.is_some() { "a label and at least one other column" } else { "a column" };
            return Err(refused(format!("{needed} must be left")));
        }
        let target = label.map_or(Ok(Target::None), |c| {
            self.target(c, &left, chosen.positive, wanted)
                .map_err(|misfit| self.asked(misfit, c, split, chosen))
        })?;
        self.check_numeric(&left, &ignored)?;
        let known = |row: usize| match &target {
            Target::Classes { codes, .. } => codes[row].is_some(),
            Target::Numbers(numbers) => !numbers[row].is_nan(),
            Target::None => true,
        };
        let train = split.map(|c| self.training_rows(c, chosen)).transpose()?;
        let parts = (0..self.rows())
            .map(|row| match &train {
                _ if !known(row) => Part::Unlabelled,
                Some(train) if !train[row] => Part::Test,
                _ => Part::Train,
            })
            .collect();
        Ok(Dataset {
            inputs: self.rows_of(&left)?,
            names: left.iter().map(|c| self.names[*c].clone()).collect(),
            constant: Vec::new(),
            target,
            label: label.map_or(String::new(), |c| self.names[c].clone()),
            parts,
            lines: self.lines.clone(),
            split: split.map(|c| self.names[c].clone()),
            scaling: None,
        })
    }

    pub(super) fn check_ignored(&self, ignored: &[&str]) -> Result<(), Misfit> {
        let is_known = |name: &&str| self.names.iter().any(|known| known == name);
        let Some(unknown) = ignored.iter().find(|name| !is_known(name)) else { return Ok(()) };
        let known = ignored.iter().filter(|name| is_known(name)).map(|name| entry(name));
        let all: Vec<String> = self.names.iter().map(|name| entry(name)).collect();
        Err(Misfit {
            field: "ignore",
            given: (*unknown).to_owned(),
            accepted: format!("some of the columns {}", listed(&all, ColumnFacts::FEW)),
            nearest: Some(known.collect::<Vec<_>>().join(",")),
        })
    }

    fn split_among(&self, left: &[usize], chosen: Chosen<'_>) -> Result<Option<usize>, Misfit> {
        if chosen.split.is_empty() {
            let outlines = left.iter().map(|c| Outline {
                name: &self.names[*c],
                words: match &self.columns[*c] {
                    Column::Text { levels, .. } => Some(levels.as_slice()),
                    Column::Numbers(_) => None,
                },
            });
            return Ok(columns::split_column(outlines, chosen.label).map(|place| left[place]));
        }
        let named = left.iter().copied().find(|c| self.names[*c] == chosen.split);
        named.map(Some).ok_or_else(|| Misfit {
            field: "split",
            given: chosen.split.to_owned(),
            accepted: format!("nothing, or one of the columns {}", self.listed(left)),
            nearest: Some(String::new()),
        })
    }

    fn label_among(&self, left: &[usize], chosen: Chosen<'_>) -> Result<usize, Misfit> {
        let names = left.iter().map(|c| self.names[*c].as_str());
        if let Some(place) = columns::label_column(names, chosen.label) {
            let c = left[place];
            if chosen.label.is_empty() && chosen.split.is_empty() && self.may_be_split(c) {
                let name = &self.names[c];
                return Err(Misfit {
                    field: "label",
                    given: String::new(),
                    accepted: format!(
                        "a column: by its name and values, “{name}” is the label or the train/test column; choose it for one"
                    ),
                    nearest: Some(name.clone()),
                });
            }
            return Ok(c);
        }
        Err(Misfit {
            field: "label",
            given: chosen.label.to_owned(),
            accepted: format!("one of the columns {}", self.listed(left)),
            nearest: left.last().map(|c| self.names[*c].clone()),
        })
    }

    /// Whether a column of 1 and 0 has a name that says train or test.
    fn may_be_split(&self, c: usize) -> bool {
        let name = self.names[c].to_ascii_lowercase();
        let flags = self.columns[c].distinct(2);
        ["train", "test", "split"].iter().any(|word| name.contains(word)) && flags == ["0", "1"]
    }

    /// What is wrong with a label, where a column was set aside for its words and may have been meant as the label.
    fn asked(&self, misfit: Misfit, label: usize, split: Option<usize>, chosen: Chosen<'_>) -> Misfit {
        match split.filter(|c| *c > label && chosen.split.is_empty() && chosen.label.is_empty()) {
            Some(c) if misfit.field == "label" => {
                let name = &self.names[c];
                let accepted = format!(
                    "{}. “{name}” was taken as the train/test column because of its words: if it is the label, choose it",
                    misfit.accepted
                );
                Misfit { accepted, nearest: Some(name.clone()), ..misfit }
            }
            _ => misfit,
        }
    }

    fn listed(&self, of: &[usize]) -> String {
        let names: Vec<String> = of.iter().map(|c| self.names[*c].clone()).collect();
        listed(&names, ColumnFacts::FEW)
    }

    /// Column `c` as the target; any of `others` might do instead.
    fn target(&self, c: usize, others: &[usize], positive: &str, wanted: Wanted) -> Result<Target, Misfit> {
        match (wanted, &self.columns[c]) {
            (Wanted::NoTarget, _) => Ok(Target::None),
            (Wanted::Numbers, Column::Numbers(numbers)) => Ok(Target::Numbers(numbers.clone())),
            (Wanted::Numbers, Column::Text { .. }) => {
                let numeric = |c: &usize| matches!(self.columns[*c], Column::Numbers(_));
                Err(Misfit {
                    field: "label",
                    given: self.names[c].clone(),
                    accepted: format!("a column of numbers{}", self.header_hint(c)),
                    nearest: others.iter().rev().find(|c| numeric(c)).map(|c| self.names[*c].clone()),
                })
            }
            (Wanted::TwoClasses, _) => self.two_classes(c, others, positive),
            (Wanted::Classes, column) => {
                let names = column.distinct(Column::MOST_CLASSES);
                if (2..=Column::MOST_CLASSES).contains(&names.len()) {
                    return Ok(Target::Classes { codes: column.codes(&names), names });
                }
                Err(Misfit {
                    field: "label",
                    given: self.names[c].clone(),
                    accepted: format!(
                        "a column of 2 to {} different values{}",
                        Column::MOST_CLASSES,
                        self.header_hint(c)
                    ),
                    nearest: None,
                })
            }
        }
    }

    fn two_classes(&self, target: usize, others: &[usize], positive: &str) -> Result<Target, Misfit> {
        let (column, name) = (&self.columns[target], &self.names[target]);
        let values = column.distinct(ColumnFacts::FEW);
        let [a, b] = values.as_slice() else {
            let two = |c: &&usize| self.columns[**c].distinct(2).len() == 2;
            return Err(Misfit {
                field: "label",
                given: name.clone(),
                accepted: format!(
                    "a column of two different values; this one has {}{}",
                    if values.is_empty() { "none".to_owned() } else { listed(&values, 6) },
                    self.header_hint(target)
                ),
                nearest: others.iter().rev().find(two).map(|c| self.names[*c].clone()),
            });
        };
        // 1.0 is 1.
        let is =
            |v: &str| positive == v || number(positive, true).is_some_and(|x| number(v, true) == Some(x));
        let names = match () {
            () if positive.is_empty() || is(b) => vec![a.clone(), b.clone()],
            () if is(a) => vec![b.clone(), a.clone()],
            () => {
                return Err(Misfit {
                    field: "positive",
                    given: positive.to_owned(),
                    accepted: format!("one of the two values of “{name}”, {a} or {b}"),
                    nearest: Some(b.to_owned()),
                });
            }
        };
        Ok(Target::Classes { codes: column.codes(&names), names })
    }

    /// The columns of these names as inputs, one row after the other; all others are left aside.
    ///
    /// # Errors
    /// Of the field `data`, which column is not there, or which of its cells is no number.
    pub fn inputs(&self, names: &[String]) -> Result<Vec<f64>, Misfit> {
        let place = |name: &String| {
            self.names.iter().position(|known| known == name).ok_or_else(|| {
                let all = listed(names, ColumnFacts::FEW);
                refused(format!("a table with the input columns {all}; column “{name}” is not in this one"))
            })
        };
        let places = names.iter().map(place).collect::<Result<Vec<_>, _>>()?;
        places.iter().try_for_each(|c| self.complete(*c))?;
        self.rows_of(&places)
    }

    /// Some columns as inputs, one row after the other.
    fn rows_of(&self, places: &[usize]) -> Result<Vec<f64>, Misfit> {
        let columns = places.iter().map(|c| self.numbers(*c)).collect::<Result<Vec<_>, _>>()?;
        Ok((0..self.rows()).flat_map(|r| columns.iter().map(move |column| column[r])).collect())
    }

    /// The numbers of an input.
    fn numbers(&self, c: usize) -> Result<&[f64], Misfit> {
        let Column::Numbers(numbers) = &self.columns[c] else { return Err(self.no_numbers(c)) };
        self.complete(c)?;
        Ok(numbers)
    }

    fn complete(&self, c: usize) -> Result<(), Misfit> {
        let Some(row) = self.columns[c].first_missing() else { return Ok(()) };
        let (line, name) = (self.lines[row], &self.names[c]);
        Err(refused(format!("row {line}, column “{name}” is missing; every input cell has to be filled")))
    }

    /// Why a column of words is no input: a slip in one cell, or words throughout.
    pub(super) fn no_numbers(&self, c: usize) -> Misfit {
        let (name, advice) = (&self.names[c], "inputs have to be numeric: ignore this column or mend it");
        let why = match &self.columns[c] {
            Column::Text { levels, codes } if !levels.is_empty() => {
                let is_word = |code: &Option<u32>| {
                    code.is_some_and(|code| number(&levels[code as usize], true).is_none())
                };
                let row = codes.iter().position(is_word).unwrap_or_default();
                let word = codes[row].map_or("", |code| &levels[code as usize]);
                let hint = self.header_hint(c);
                format!("row {}, column “{name}” is “{word}”; {advice}{hint}", self.lines[row])
            }
            _ => format!("column “{name}” is empty; {advice}"),
        };
        refused(why)
    }

    /// What to do where the first row, taken as data, may have been meant as the header of column `c`.
    fn header_hint(&self, c: usize) -> String {
        match (&self.header, &self.columns[c]) {
            (Header::Doubtful(word), Column::Text { levels, .. }) if levels.first() == Some(word) => {
                format!(". If the first row is the header: {HEADER_RULE}")
            }
            _ => String::new(),
        }
    }
}

impl Column {
    /// Classes at most.
    pub const MOST_CLASSES: usize = 100;

    /// Which of the classes, as [`Self::distinct`] has them in some order, each row has.
    fn codes(&self, names: &[String]) -> Vec<Option<u32>> {
        let place = |is: &dyn Fn(&String) -> bool| names.iter().position(is).map(|place| place as u32);
        match self {
            Self::Numbers(numbers) => {
                let values: Vec<Option<f64>> = names.iter().map(|name| number(name, false)).collect();
                let code = |x: &f64| values.iter().position(|value| *value == Some(*x));
                numbers.iter().map(|x| code(x).map(|place| place as u32)).collect()
            }
            Self::Text { levels, codes } => {
                let of: Vec<Option<u32>> =
                    levels.iter().map(|level| place(&|name: &String| name == level)).collect();
                codes.iter().map(|code| of[(*code)? as usize]).collect()
            }
        }
    }
}

/// Of the whole table; who knows its name says it.
pub(super) fn refused(why: String) -> Misfit {
    Misfit { field: "data", given: String::new(), accepted: why, nearest: None }
}

/// The first few of a list, and that there are more.
pub(crate) fn listed(all: &[String], most: usize) -> String {
    let more = if all.len() > most { ", …" } else { "" };
    format!("{}{more}", all[..all.len().min(most)].join(", "))
}
