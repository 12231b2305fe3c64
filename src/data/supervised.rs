//! A table as examples with a label of two classes.

use super::columns::{entries, entry, label_column};
use super::facts::HEADER_RULE;
use super::reader::number;
use super::{Column, ColumnFacts, Header, Misfit, Table};

/// Examples with labels ±1.
#[derive(Clone, Debug, PartialEq)]
pub struct Supervised {
    /// m×N, one example a row.
    pub inputs: Vec<f64>,
    /// Names of the N inputs, in the order of the file.
    pub names: Vec<String>,
    /// ±1, one an example; 0 where it is missing, if that is allowed.
    pub labels: Vec<f64>,
    /// Name of the label's column.
    pub label: String,
    /// What −1 and +1 are called in the file.
    pub classes: [String; 2],
    /// Where each example stands, as a text editor counts lines.
    pub lines: Vec<usize>,
}

impl Table {
    /// The same table without the columns that are named, separated by commas; a name with a comma in it stands in
    /// quotes, as in the file.
    ///
    /// # Errors
    /// Which name is of no column.
    pub fn without(&self, ignored: &str) -> Result<Self, Misfit> {
        let ignored = entries(ignored);
        if let Some(unknown) = ignored.iter().find(|name| !self.names.iter().any(|known| known == *name)) {
            let known = ignored.iter().filter(|name| *name != unknown).map(|name| entry(name));
            let all: Vec<String> = self.names.iter().map(|name| entry(name)).collect();
            return Err(Misfit {
                field: "ignore",
                given: (*unknown).to_owned(),
                accepted: format!("some of the columns {}", listed(&all, ColumnFacts::FEW)),
                nearest: Some(known.collect::<Vec<_>>().join(",")),
            });
        }
        let kept = self.names.iter().zip(&self.columns).filter(|(name, _)| !ignored.contains(&name.as_str()));
        let (names, columns) = kept.map(|(name, column)| (name.clone(), column.clone())).unzip();
        let (lines, head) = (self.lines.clone(), self.head.clone());
        Ok(Self { names, columns, lines, head, header: self.header.clone() })
    }

    /// The column `label` (the last one if empty) as labels, all others as inputs. +1 is `positive`; if that is empty,
    /// the last of [`Column::distinct`].
    ///
    /// # Errors
    /// Which of the fields `data`, `label` and `positive` does not fit, and what would.
    pub fn supervised(&self, label: &str, positive: &str) -> Result<Supervised, Misfit> {
        self.complete(self.label_column(label)?)?;
        self.partly_supervised(label, positive)
    }

    /// The same of a table in which labels may be missing: those are 0.
    ///
    /// # Errors
    /// As [`Self::supervised`].
    pub fn partly_supervised(&self, label: &str, positive: &str) -> Result<Supervised, Misfit> {
        let target = self.label_column(label)?;
        let (labels, classes) = self.labels(target, positive)?;
        let others = (0..self.columns.len()).filter(|c| *c != target);
        let mut columns = Vec::new();
        for c in others.clone() {
            columns.push(self.numbers(c)?);
        }
        let rows = 0..self.rows();
        Ok(Supervised {
            inputs: rows.flat_map(|r| columns.iter().map(move |column| column[r])).collect(),
            names: others.map(|c| self.names[c].clone()).collect(),
            labels,
            label: self.names[target].clone(),
            classes,
            lines: self.lines.clone(),
        })
    }

    /// The columns of these names as inputs, one row after the other; all others are left aside.
    ///
    /// # Errors
    /// Of the field `data`, which column is not there, or which of its cells is no number.
    pub fn inputs(&self, names: &[String]) -> Result<Vec<f64>, Misfit> {
        let mut columns = Vec::new();
        for name in names {
            let c = self.names.iter().position(|known| known == name).ok_or_else(|| {
                let all = listed(names, ColumnFacts::FEW);
                self.refused(format!(
                    "a table with the input columns {all}; column “{name}” is not in this one"
                ))
            })?;
            self.complete(c)?;
            columns.push(self.numbers(c)?);
        }
        Ok((0..self.rows()).flat_map(|r| columns.iter().map(move |column| column[r])).collect())
    }

    fn label_column(&self, label: &str) -> Result<usize, Misfit> {
        let last = self.names.len().saturating_sub(1);
        if last == 0 {
            return Err(self.refused("a label and at least one other column are needed".to_owned()));
        }
        label_column(self.names.iter().map(String::as_str), label).ok_or_else(|| Misfit {
            field: "label",
            given: label.to_owned(),
            accepted: format!("one of the columns {}", listed(&self.names, ColumnFacts::FEW)),
            nearest: Some(self.names[last].clone()),
        })
    }

    fn labels(&self, target: usize, positive: &str) -> Result<(Vec<f64>, [String; 2]), Misfit> {
        let (column, name) = (&self.columns[target], &self.names[target]);
        let values = column.distinct(ColumnFacts::FEW);
        let [a, b] = values.as_slice() else {
            let two = |c: &&usize| self.columns[**c].distinct(2).len() == 2;
            let all: Vec<usize> = (0..self.columns.len()).collect();
            return Err(Misfit {
                field: "label",
                given: name.clone(),
                accepted: format!(
                    "a column of two different values; this one has {}{}",
                    if values.is_empty() { "none".to_owned() } else { listed(&values, 6) },
                    self.header_hint(target)
                ),
                nearest: all.iter().rev().find(two).map(|c| self.names[*c].clone()),
            });
        };
        // 1.0 is 1.
        let is =
            |v: &str| positive == v || number(positive, true).is_some_and(|x| number(v, true) == Some(x));
        let classes = match () {
            () if positive.is_empty() || is(b) => [a.clone(), b.clone()],
            () if is(a) => [b.clone(), a.clone()],
            () => {
                return Err(Misfit {
                    field: "positive",
                    given: positive.to_owned(),
                    accepted: format!("one of the two values of “{name}”, {a} or {b}"),
                    nearest: Some(b.to_owned()),
                });
            }
        };
        let sign = |is_plus: bool| if is_plus { 1.0 } else { -1.0 };
        let labels = match column {
            Column::Numbers(numbers) => {
                let plus = number(&classes[1], false);
                numbers.iter().map(|x| if x.is_nan() { 0.0 } else { sign(Some(*x) == plus) }).collect()
            }
            Column::Text { levels, codes } => {
                let value = |code: u32| sign(levels[code as usize] == classes[1]);
                codes.iter().map(|code| code.map_or(0.0, value)).collect()
            }
        };
        Ok((labels, classes))
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
        let why = format!("row {line}, column “{name}” is missing; every cell has to be filled");
        Err(self.refused(why))
    }

    /// Why a column of words is no input: a slip in one cell, or words throughout.
    fn no_numbers(&self, c: usize) -> Misfit {
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
        self.refused(why)
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

    fn refused(&self, why: String) -> Misfit {
        Misfit { field: "data", given: String::new(), accepted: why, nearest: None }
    }
}

impl Supervised {
    /// Number of inputs N.
    pub fn width(&self) -> usize {
        self.names.len()
    }
}

/// The first few of a list, and that there are more.
pub(crate) fn listed(all: &[String], most: usize) -> String {
    let more = if all.len() > most { ", …" } else { "" };
    format!("{}{more}", all[..all.len().min(most)].join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn misfit(text: &str, label: &str, positive: &str) -> Misfit {
        read(text).supervised(label, positive).unwrap_err()
    }

    #[test]
    fn the_last_column_is_the_label_and_the_others_are_inputs() {
        let s = read("a,b,y\n1,2,0\n3,4,1\n5,6,1\n").supervised("", "").unwrap();
        assert_eq!(s.inputs, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(s.names, ["a", "b"]);
        assert_eq!(s.labels, [-1.0, 1.0, 1.0]);
        assert_eq!((s.label.as_str(), s.lines.as_slice()), ("y", [2, 3, 4].as_slice()));
        assert_eq!(s.classes, ["0", "1"]);
    }

    #[test]
    fn a_named_label_in_the_middle() {
        let s = read("a,y,b\n1,1,2\n3,-1,4\n").supervised("y", "").unwrap();
        assert_eq!((s.inputs, s.labels), (vec![1.0, 2.0, 3.0, 4.0], vec![1.0, -1.0]));
    }

    #[test]
    fn which_value_is_positive() {
        let plus = |text: &str, positive: &str| read(text).supervised("", positive).unwrap().labels;
        assert_eq!(plus("1,R\n2,M\n", ""), [-1.0, 1.0]);
        assert_eq!(plus("1,M\n2,R\n", ""), [1.0, -1.0]);
        assert_eq!(plus("1,M\n2,R\n", "R"), [-1.0, 1.0]);
        assert_eq!(plus("1,yes\n2,no\n", "no"), [-1.0, 1.0]);
        assert_eq!(plus("1,1\n2,2\n", "1.0"), [1.0, -1.0]);
        assert_eq!(plus("1,1\n2,0\n", "0"), [-1.0, 1.0]);
        assert_eq!(plus("1,1\n2,-0\n3,0\n", ""), [1.0, -1.0, -1.0]);
        assert_eq!(plus("1,2\n2,1\n3,1\n", ""), [1.0, -1.0, -1.0], "the larger number");
    }

    #[test]
    fn every_two_words_have_a_positive_one() {
        let plus = |a: &str, b: &str| {
            let [one, other] = [(a, b), (b, a)]
                .map(|(a, b)| read(&format!("x,y\n1,{a}\n2,{b}\n")).supervised("", "").unwrap().classes);
            assert_eq!(one, other, "whichever comes first");
            one[1].clone()
        };
        for (minus, yes) in [
            ("well", "ill"),
            ("No", "Yes"),
            ("negative", "Positive"),
            ("FALSE", "TRUE"),
            ("B", "M"),
            ("-", "+"),
        ] {
            assert_eq!(plus(minus, yes), yes);
        }
        assert_eq!(plus("up", "down"), "up", "the later by the alphabet");
        assert_eq!(plus("cured", "ill"), "ill");
        assert_eq!(plus("unwell", "well"), "unwell", "one of them says no");
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let m = misfit("a,y\n1,yes\n2,no\n", "", "perhaps");
        assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("positive", "perhaps", Some("yes")));
        assert!(m.accepted.contains("no or yes"));
        assert_eq!(misfit("a,y\n1,0\n2,1\n", "", "2").nearest.unwrap(), "1");
        let m = misfit("a,y\n1,0\n2,1\n", "z", "");
        assert_eq!((m.field, m.accepted.as_str()), ("label", "one of the columns a, y"));
        let m = misfit("k,a,y\n0,1,0\n1,2,1\n1,2,2\n", "", "");
        assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("label", "y", Some("a")));
        assert!(m.accepted.ends_with("this one has 0, 1, 2"));
        assert_eq!(misfit("a,y\n1,1\n2,1\n", "", "").field, "label");
    }

    #[test]
    fn columns_can_be_ignored() {
        let table = read("a,split,y,note\n1,train,0,u\n2,test,1,v\n");
        let s = table.without(" split ,note,").unwrap().supervised("", "").unwrap();
        assert_eq!((s.names, s.label.as_str()), (vec!["a".to_owned()], "y"));
        assert_eq!(table.without("").unwrap(), table);
        let m = table.without("split,nota").unwrap_err();
        assert_eq!((m.field, m.given.as_str(), m.nearest.as_deref()), ("ignore", "nota", Some("split")));
        assert_eq!(table.without("a,split,y,note").unwrap().supervised("", "").unwrap_err().field, "data");
    }

    #[test]
    fn a_name_with_a_comma_can_be_ignored_in_quotes() {
        let table = read("\"a,b\",c,y\n1,2,0\n3,4,1\n");
        for list in ["\"a,b\"", " c, \"a,b\" ", "\"a,b\",c,", "\"a,b\" ,c"] {
            assert!(!table.without(list).unwrap().names.contains(&"a,b".to_owned()), "{list}");
        }
        assert_eq!(table.without("\"c\"").unwrap().names, ["a,b", "y"]);
        let m = table.without("a,b").unwrap_err();
        assert_eq!((m.given.as_str(), m.accepted.as_str()), ("a", "some of the columns \"a,b\", c, y"));
        let nearest = table.without("\"a,b\",z,c").unwrap_err().nearest.unwrap();
        assert_eq!(table.without(&nearest).unwrap().names, ["y"]);
        assert_eq!(read("\"a \"\"b\"\"\",y\n1,0\n").without("a \"b\"").unwrap().names, ["y"]);
    }

    #[test]
    fn a_header_with_numbers_in_it_is_not_silently_data() {
        let table = read("0,1,y\n1,2,0\n3,2,1\n");
        assert_eq!(table.header, Header::Doubtful("y".into()));
        for refused in [table.supervised("", ""), table.supervised("x2", "")] {
            let why = refused.unwrap_err().accepted;
            assert!(why.ends_with("If the first row is the header: a name in it must not be a number, or the row is taken as data"), "{why}");
        }
        let slip = read("a,b,y\n1,2o,0\n1,2,1\n");
        assert!(!slip.supervised("", "").unwrap_err().accepted.contains("header"));
        assert_eq!(read("0,1\n1,0\n2,1\n3,1\n").header, Header::None);
        assert_eq!(read("1,R\n2,M\n").header, Header::None);
        assert_eq!(read("a,b\n1,0\n").header, Header::Found);
    }

    #[test]
    fn labels_may_be_missing_where_that_is_allowed() {
        let partly = |text: &str| read(text).partly_supervised("", "").unwrap().labels;
        assert_eq!(partly("a,y\n1,0\n2,\n3,1\n"), [-1.0, 0.0, 1.0]);
        assert_eq!(partly("a,y\n1,M\n2,?\n3,R\n"), [1.0, 0.0, -1.0]);
        assert_eq!(misfit("a,y\n1,0\n2,\n3,1\n", "", "").field, "data");
    }

    #[test]
    fn inputs_are_found_by_name() {
        let names = ["a".to_owned(), "b".to_owned()];
        let inputs = |text: &str| read(text).inputs(&names).map_err(|m| m.accepted);
        assert_eq!(inputs("note,b,y,a\nu,2,,1\nv,4,1,3\n").unwrap(), [1.0, 2.0, 3.0, 4.0]);
        let why = inputs("a,c\n1,2\n").unwrap_err();
        assert!(why.contains("input columns a, b; column “b” is not in this one"), "{why}");
        assert!(inputs("a,b\n1,2\n,3\n").unwrap_err().starts_with("row 3, column “a” is missing"));
        assert!(inputs("a,b\n1,\n2,\n").unwrap_err().starts_with("row 2, column “b” is missing"));
        assert!(inputs("a,b\n1,2\n1,2o\n").unwrap_err().starts_with("row 3, column “b” is “2o”"));
    }

    #[test]
    fn cells_that_are_no_numbers_are_named_by_row_and_column() {
        let m = misfit("a,b,y\n1,2,0\n\n1,,1\n", "", "");
        assert_eq!((m.field, m.nearest), ("data", None));
        assert!(m.accepted.starts_with("row 4, column “b” is missing"), "{}", m.accepted);
        let m = misfit("a,b,y\n1,2,0\n1,2o,1\n", "", "");
        assert!(m.accepted.starts_with("row 3, column “b” is “2o”"), "{}", m.accepted);
        assert!(misfit("a,y\n1,0\n2,NA\n", "", "").accepted.starts_with("row 3, column “y” is missing"));
        assert!(misfit("a,b,y\n,1,0\n?,2,1\n", "", "").accepted.starts_with("column “a” is empty"));
    }
}
