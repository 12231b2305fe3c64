//! Which columns of a table are target, split and inputs, and what is wrong with them: from a table to examples.

use super::columns::{self, ColumnOutline, entries, entry};
use super::dataset::{ColumnChoices, Dataset, RowIds, RowRole, Target, TargetKind};
use super::inputs::CodedInput;
use super::reader::number;
use super::table::set_aside;
use super::{Column, ColumnError, ColumnFacts, Table};

impl Table {
    /// The table as examples. Rows whose target is missing are to be predicted; all others are for training, unless a column
    /// says otherwise.
    ///
    /// # Errors
    /// Which of the fields `data`, `label`, `positive`, `ignore` and `split` does not fit, and what would.
    pub fn dataset(&self, chosen: ColumnChoices<'_>, wanted: TargetKind) -> Result<Dataset, ColumnError> {
        self.check_malformed(chosen.skip_malformed)?;
        let ignored = entries(chosen.ignore);
        self.check_ignored(&ignored)?;
        let mut left: Vec<usize> =
            (0..self.columns.len()).filter(|c| !ignored.contains(&self.names[*c].as_str())).collect();
        let ids = self.ids(chosen.id, &left)?;
        left.retain(|c| self.names[*c] != chosen.id);
        let split = self.split_among(&left, chosen)?;
        left.retain(|c| Some(*c) != split);
        let label =
            if wanted == TargetKind::NoTarget { None } else { Some(self.label_among(&left, chosen)?) };
        left.retain(|c| Some(*c) != label);
        if left.is_empty() {
            let needed = if label.is_some() { "a label and at least one other column" } else { "a column" };
            return Err(refused(format!("{needed} must be left")));
        }
        let target = label.map_or(Ok(Target::None), |c| {
            self.target(c, &left, chosen.positive, wanted)
                .map_err(|misfit| self.asked(misfit, c, split, chosen))
        })?;
        let coding = self.coding(&left, &ignored)?;
        let known = |row: usize| match &target {
            Target::Classes { codes, .. } => codes[row].is_some(),
            Target::Numbers(numbers) => !numbers[row].is_nan(),
            Target::None => true,
        };
        let sides = split.map(|c| self.sides(c, chosen)).transpose()?;
        let parts = (0..self.rows())
            .map(|row| match &sides {
                _ if !known(row) => RowRole::Unlabelled,
                Some(sides) => sides[row],
                None => RowRole::Train,
            })
            .collect();
        let mut set = Dataset {
            inputs: self.cells(&coding)?,
            names: coding.iter().map(CodedInput::name).collect(),
            coding,
            constant: Vec::new(),
            target,
            label: label.map_or(String::new(), |c| self.names[c].clone()),
            parts,
            lines: self.lines.clone(),
            ids,
            split: split.map(|c| self.names[c].clone()),
            scaling: None,
            skipped: 0,
            imputed: 0,
            means: Vec::new(),
            malformed: self.malformed.len(),
        };
        set.treat_missing(chosen.missing)?;
        Ok(set)
    }

    /// What column `name`, one of `left`, says of the rows; `None` where that is empty.
    pub(super) fn ids(&self, name: &str, left: &[usize]) -> Result<Option<RowIds>, ColumnError> {
        if name.is_empty() {
            return Ok(None);
        }
        self.named("id", name, left)?;
        Ok(Some(RowIds { name: name.to_owned(), cells: self.texts(name) }))
    }

    /// The cells of a column as text; all empty where there is no such column.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let place = self.names.iter().position(|known| known == name);
        let text = |row: usize| match place.map(|c| &self.columns[c])? {
            Column::Numbers(numbers) => Some(numbers[row]).filter(|x| !x.is_nan()).map(|x| x.to_string()),
            Column::Text { levels, codes } => codes[row].map(|code| levels[code as usize].clone()),
        };
        (0..self.rows()).map(|row| text(row).unwrap_or_default()).collect()
    }

    /// Whether all rows have the same number of cells, where others are not to be left out.
    pub(super) fn check_malformed(&self, skip: bool) -> Result<(), ColumnError> {
        let said = set_aside(&self.malformed, self.width).filter(|_| !skip);
        said.map_or(Ok(()), |said| {
            let rows = said.trim_end_matches('.');
            Err(ColumnError {
                field: "skip_malformed",
                given: String::new(),
                accepted: format!("true to skip malformed rows, or choose a file without them. {rows}"),
                nearest: Some("true".into()),
            })
        })
    }

    pub(super) fn check_ignored(&self, ignored: &[&str]) -> Result<(), ColumnError> {
        let is_known = |name: &&str| self.names.iter().any(|known| known == name);
        let Some(unknown) = ignored.iter().find(|name| !is_known(name)) else { return Ok(()) };
        let known = ignored.iter().filter(|name| is_known(name)).map(|name| entry(name));
        let all: Vec<String> = self.names.iter().map(|name| entry(name)).collect();
        Err(ColumnError {
            field: "ignore",
            given: (*unknown).to_owned(),
            accepted: format!("some of the columns {}", listed(&all, ColumnFacts::FEW)),
            nearest: Some(known.collect::<Vec<_>>().join(",")),
        })
    }

    fn split_among(&self, left: &[usize], chosen: ColumnChoices<'_>) -> Result<Option<usize>, ColumnError> {
        if chosen.split.is_empty() {
            let outlines = left.iter().map(|c| ColumnOutline {
                name: &self.names[*c],
                words: match &self.columns[*c] {
                    Column::Text { levels, .. } => Some(levels.as_slice()),
                    Column::Numbers(_) => None,
                },
            });
            return Ok(columns::split_column(outlines, chosen.label).map(|place| left[place]));
        }
        self.named("split", chosen.split, left).map(Some)
    }

    /// The one of the columns `left` that a field names, which may name none.
    fn named(&self, field: &'static str, name: &str, left: &[usize]) -> Result<usize, ColumnError> {
        left.iter().copied().find(|c| self.names[*c] == name).ok_or_else(|| ColumnError {
            field,
            given: name.to_owned(),
            accepted: format!("nothing, or one of the columns {}", self.listed(left)),
            nearest: Some(String::new()),
        })
    }

    fn label_among(&self, left: &[usize], chosen: ColumnChoices<'_>) -> Result<usize, ColumnError> {
        let names = left.iter().map(|c| self.names[*c].as_str());
        if let Some(place) = columns::label_column(names, chosen.label) {
            let c = left[place];
            if chosen.label.is_empty() && chosen.split.is_empty() && self.may_be_split(c) {
                let name = &self.names[c];
                return Err(ColumnError {
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
        Err(ColumnError {
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
    fn asked(
        &self,
        misfit: ColumnError,
        label: usize,
        split: Option<usize>,
        chosen: ColumnChoices<'_>,
    ) -> ColumnError {
        match split.filter(|c| *c > label && chosen.split.is_empty() && chosen.label.is_empty()) {
            Some(c) if misfit.field == "label" => {
                let name = &self.names[c];
                let accepted = format!(
                    "{}. “{name}” was taken as the train/test column because of its words: if it is the label, choose it",
                    misfit.accepted
                );
                ColumnError { accepted, nearest: Some(name.clone()), ..misfit }
            }
            _ => misfit,
        }
    }

    fn listed(&self, of: &[usize]) -> String {
        let names: Vec<String> = of.iter().map(|c| self.names[*c].clone()).collect();
        listed(&names, ColumnFacts::FEW)
    }

    /// Column `c` as the target; any of `others` might do instead.
    fn target(
        &self,
        c: usize,
        others: &[usize],
        positive: &str,
        wanted: TargetKind,
    ) -> Result<Target, ColumnError> {
        match (wanted, &self.columns[c]) {
            (TargetKind::NoTarget, _) => Ok(Target::None),
            (TargetKind::Numbers, Column::Numbers(numbers)) => Ok(Target::Numbers(numbers.clone())),
            (TargetKind::Numbers, Column::Text { .. }) => {
                let numeric = |c: &usize| matches!(self.columns[*c], Column::Numbers(_));
                Err(ColumnError {
                    field: "label",
                    given: self.names[c].clone(),
                    accepted: format!("a column of numbers{}", self.header_hint(c)),
                    nearest: others.iter().rev().find(|c| numeric(c)).map(|c| self.names[*c].clone()),
                })
            }
            (TargetKind::TwoClasses | TargetKind::Classes, _) => self.classes(c, others, positive, wanted),
        }
    }

    /// Column `target` as classes: of two values as they are; of more, the positive one and the others, or else all of them where
    /// they are wanted.
    fn classes(
        &self,
        target: usize,
        others: &[usize],
        positive: &str,
        wanted: TargetKind,
    ) -> Result<Target, ColumnError> {
        const MOST: usize = ColumnFacts::FEW;
        let (column, name) = (&self.columns[target], &self.names[target]);
        let names = column.distinct(MOST);
        let few = (3..=MOST).contains(&names.len());
        let names = if few { column.in_order(names) } else { names };
        // 1.0 is 1.
        let is =
            |v: &str| positive == v || number(positive, true).is_some_and(|x| number(v, true) == Some(x));
        let chosen = names.iter().position(|name| is(name)).filter(|_| !positive.is_empty());
        let misfit = |field, given: &str, accepted: String, nearest| {
            Err(ColumnError { field, given: given.to_owned(), accepted, nearest })
        };
        let values = || listed(&names, 6);
        if names.len() == 2 || few && !positive.is_empty() {
            let Some(chosen) = chosen.or_else(|| positive.is_empty().then_some(1)) else {
                let accepted = match names.as_slice() {
                    [a, b] => format!("one of the two values of “{name}”, {a} or {b}"),
                    _ => format!("one of the values of “{name}”: {}", values()),
                };
                return misfit("positive", positive, accepted, names.last().cloned());
            };
            let is_positive = |code: Option<u32>| code.map(|code| u32::from(code as usize == chosen));
            let codes = column.codes(&names).into_iter().map(is_positive).collect();
            let other = if few { OTHERS } else { &names[1 - chosen] };
            return Ok(Target::Classes { codes, names: vec![other.to_owned(), names[chosen].clone()] });
        }
        let several = few && column.is_of_classes(names.len());
        if several && wanted == TargetKind::Classes {
            return Ok(Target::Classes { codes: column.codes(&names), names });
        }
        let two = |c: &&usize| self.columns[**c].distinct(2).len() == 2;
        let instead = others.iter().rev().find(two).map(|c| self.names[*c].clone());
        if several && instead.is_none() {
            let accepted = format!(
                "one of the values of “{name}”: {}. The others are then one class. Gaussian processes take all of them",
                values()
            );
            return misfit("positive", "", accepted, names.last().cloned());
        }
        let has = if names.is_empty() { "none".to_owned() } else { values() };
        let accepted = format!(
            "a column of two different values, or of up to {MOST} words or whole numbers with at least two rows each on average; this \
             one has {has}{}",
            self.header_hint(target)
        );
        misfit("label", name, accepted, instead)
    }
}

/// What the other classes are called where one of several is +1.
pub const OTHERS: &str = "other";

impl Column {
    /// Whether so many values can be classes: words or whole numbers, with two rows each on average.
    fn is_of_classes(&self, values: usize) -> bool {
        let (whole, rows) = match self {
            Self::Numbers(numbers) => {
                let known = || numbers.iter().filter(|x| !x.is_nan());
                (known().all(|x| x.fract() == 0.0), known().count())
            }
            Self::Text { codes, .. } => (true, codes.iter().flatten().count()),
        };
        whole && rows >= 2 * values
    }

    /// Numbers as they are, words by the alphabet. They are few, and a sort would be 6 kB of code.
    pub(super) fn in_order(&self, names: Vec<String>) -> Vec<String> {
        if let Self::Numbers(_) = self {
            return names;
        }
        names.into_iter().fold(Vec::new(), |mut sorted, name| {
            sorted.insert(sorted.partition_point(|other| *other < name), name);
            sorted
        })
    }

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
pub(super) fn refused(why: String) -> ColumnError {
    ColumnError { field: "data", given: String::new(), accepted: why, nearest: None }
}

/// The first few of a list, and that there are more.
pub(crate) fn listed(all: &[String], most: usize) -> String {
    let more = if all.len() > most { ", …" } else { "" };
    format!("{}{more}", all[..all.len().min(most)].join(", "))
}
