//! Following the advice loses no more cells than the best repair.

use std::fmt::Write as _;

use super::*;
use crate::{ColumnChoices, Dataset, MissingPolicy, ReadingChoices, TargetKind};

/// Settings of a table, changed as advised.
#[derive(Default)]
struct Settings {
    reading: ReadingChoices,
    ignore: String,
    codes: String,
    missing: MissingPolicy,
    skip_malformed: bool,
}

impl Settings {
    fn prepare(&self, text: &str, target: TargetKind) -> Result<Dataset, ColumnError> {
        let table = Table::read_as(text.as_bytes(), &self.reading).unwrap();
        let choices = ColumnChoices {
            ignore: &self.ignore,
            codes: &self.codes,
            missing: self.missing,
            skip_malformed: self.skip_malformed,
            ..ColumnChoices::default()
        };
        Dataset::from_table(&table.with_missing(&self.codes), choices, target)
    }

    fn follow(&mut self, error: &ColumnError) {
        let value = error.nearest.clone().unwrap_or_else(|| panic!("no advice: {error}"));
        let names = || split_names(&value).into_iter().map(str::to_owned).collect::<Vec<_>>();
        match error.field {
            "skip_rows" => {
                self.reading.skip_rows = Some(names().iter().map(|row| row.parse().unwrap()).collect());
            }
            "fill_down" => self.reading.fill_down = names(),
            "merge_case" => self.reading.merge_case = value == "true",
            "na" => self.codes = value,
            "ignore" => self.ignore = value,
            "missing" if value == "skip" => self.missing = MissingPolicy::Skip,
            "missing" => self.missing = MissingPolicy::Impute,
            "skip_malformed" => self.skip_malformed = value == "true",
            field => panic!("{field}: {error}"),
        }
    }
}

/// Follows the advice until the table is accepted. Returns the number of cells that are used as inputs, and the changed fields.
fn follow(text: &str, target: TargetKind) -> (usize, String) {
    let (mut settings, mut fields) = (Settings::default(), Vec::new());
    for _ in 0..8 {
        let set = match settings.prepare(text, target) {
            Ok(set) => set,
            Err(error) => {
                fields.push(error.field);
                settings.follow(&error);
                continue;
            }
        };
        let is_first = |j: &usize| *j == 0 || set.coding[*j].column != set.coding[*j - 1].column;
        let columns: Vec<usize> = (0..set.width()).filter(is_first).collect();
        let known = |i: usize| columns.iter().filter(|j| !set.row(i)[**j].is_nan()).count();
        return ((0..set.rows()).map(known).sum(), fields.join(" "));
    }
    panic!("the advice loops: {fields:?}");
}

/// Returns a table of 30 rows with the columns a, b, city and y, in which some rows are replaced.
fn table(replaced: &[(usize, &str)]) -> String {
    let mut text = String::from("a,b,city,y\n");
    for i in 0..30 {
        match replaced.iter().find(|(row, _)| *row == i) {
            Some((_, row)) => writeln!(text, "{row}").unwrap(),
            None => writeln!(text, "{}.5,{},{},{}", i, 30 - i, ["Bonn", "Trier"][i % 2], i % 2).unwrap(),
        }
    }
    text
}

#[test]
fn following_the_advice_loses_no_more_than_the_best_repair() {
    const CELLS: usize = 90;
    let words = ["u,1,Bonn,0", "v,1,Bonn,1", "w,1,Bonn,0", "x,1,Bonn,1", "z,1,Bonn,0"];
    let words = words.into_iter().enumerate().collect();
    for (name, replaced, expected, fields) in [
        ("a row of totals", vec![(29, "total,465,,")], CELLS - 3, "skip_rows"),
        ("a row of words", vec![(9, "off,broken,Bonn,1")], CELLS - 3, "skip_rows"),
        ("two rows of words", vec![(9, "off,broken,Bonn,1"), (20, "a,b,city,0")], CELLS - 6, "skip_rows"),
        ("one word", vec![(9, "9.o,21,Bonn,1")], CELLS - 1, "na missing"),
        ("five different words", words, CELLS - 5, "na missing"),
        ("a code among words", vec![(9, "9.5,21,-999,1")], CELLS - 1, "na missing"),
        ("a long row", vec![(9, "9.5,21,Bonn,1,1")], CELLS - 3, "skip_malformed"),
        ("units under the header", vec![(0, "mm,kg,,")], CELLS - 3, ""),
    ] {
        let (used, changed) = follow(&table(&replaced), TargetKind::TwoClasses);
        assert_eq!((used, changed.as_str()), (expected, fields), "{name}");
    }
}

#[test]
fn advice_on_words_keeps_their_column() {
    let mut text = String::from("word,a,y\n");
    for (i, word) in
        ["lime", "Lime", "oak", "OAK", "ash", "Ash", "elm", "ELM", "fir", "Fir", "yew", "Yew", "box"]
            .into_iter()
            .enumerate()
    {
        writeln!(text, "{word},{i},{}", i % 2).unwrap();
    }
    assert_eq!(follow(&text, TargetKind::TwoClasses), (26, "merge_case".into()));
    let merged = "n,city,y\n1,Bonn,0\n2,,1\n3,,0\n4,Aachen,1\n5,,0\n6,,1\n";
    assert_eq!(follow(merged, TargetKind::TwoClasses), (12, "fill_down".into()));
    let stages = "stage,x,y\n1,5,0\n1a,6,1\n2b,7,0\n1a,8,1\n2,9,1\n2b,3,0\n";
    assert_eq!(follow(stages, TargetKind::TwoClasses), (12, String::new()), "codes of digits and letters");
}

#[test]
fn a_word_in_a_numeric_target_or_among_amounts_costs_one_cell() {
    let target = "x,price\n1,2.5\n2,3.5\n3,unsold\n4,4.5\n";
    assert_eq!(follow(target, TargetKind::Numbers), (4, "na".into()));
    let amounts = "price;x;y\n£5;1;0\n£7;2;1\nn.k.;3;0\n-£9;4;1\n";
    assert_eq!(follow(amounts, TargetKind::TwoClasses), (7, "na missing".into()));
}
