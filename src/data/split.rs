//! Which rows of a table are learnt from, and which are kept to be predicted.

use super::columns::{self, Outline, word_side};
use super::supervised::listed;
use super::{Column, ColumnFacts, Misfit, Table};
use crate::math::random::Stream;

impl Table {
    /// The column that tells training from test rows: the one that is named, or else the only one, apart from the `label`,
    /// of the words train and test.
    ///
    /// # Errors
    /// If there is no column of that name.
    pub fn split_column(&self, split: &str, label: &str) -> Result<Option<usize>, Misfit> {
        if split.is_empty() {
            let outlines = self.names.iter().zip(&self.columns).map(|(name, column)| Outline {
                name,
                words: match column {
                    Column::Text { levels, .. } => Some(levels.as_slice()),
                    Column::Numbers(_) => None,
                },
            });
            return Ok(columns::split_column(outlines, label));
        }
        let place = self.names.iter().position(|name| name == split);
        place.map(Some).ok_or_else(|| Misfit {
            field: "split",
            given: split.to_owned(),
            accepted: format!("nothing, or one of the columns {}", listed(&self.names, ColumnFacts::FEW)),
            nearest: Some(String::new()),
        })
    }

    /// Whether each row is learnt from, by column `c`: words such as train and test, or 1 and 0. A 1 means training, but
    /// in a column with “test” in its name.
    ///
    /// # Errors
    /// If a cell says neither.
    pub fn training_rows(&self, c: usize) -> Result<Vec<bool>, Misfit> {
        let name = &self.names[c];
        let one = !name.to_lowercase().contains("test");
        let sides: Vec<Option<bool>> = match &self.columns[c] {
            Column::Numbers(numbers) => numbers
                .iter()
                .map(|x| if *x == 1.0 { Some(one) } else { (*x == 0.0).then_some(!one) })
                .collect(),
            Column::Text { levels, codes } => {
                let side = |word: &str| match word.to_lowercase().as_str() {
                    "true" | "yes" | "1" => Some(one),
                    "false" | "no" | "0" => Some(!one),
                    word => word_side(word),
                };
                let levels: Vec<Option<bool>> = levels.iter().map(|word| side(word)).collect();
                codes.iter().map(|code| levels[(*code)? as usize]).collect()
            }
        };
        let neither = sides.iter().position(Option::is_none);
        let row = neither.map(|row| self.lines[row]);
        sides.into_iter().collect::<Option<Vec<bool>>>().ok_or_else(|| Misfit {
            field: "split",
            given: name.clone(),
            accepted: format!(
                "a column that says train or test (or 1 or 0) in every row; row {} says neither",
                row.unwrap_or_default()
            ),
            nearest: Some(String::new()),
        })
    }
}

/// Draws which of `rows` rows are learnt from: the nearest number to `fraction` of them, at least one.
pub fn drawn(rows: usize, fraction: f64, mut stream: Stream) -> Vec<bool> {
    let wanted = ((fraction * rows as f64).round() as usize).clamp(1, rows.max(1));
    let mut order: Vec<(f64, usize)> = (0..rows).map(|row| (stream.uniform(), row)).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut training = vec![false; rows];
    order.iter().take(wanted).for_each(|(_, row)| training[*row] = true);
    training
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    #[test]
    fn a_column_of_train_and_test_is_found() {
        let table = read("a,part,y\n1,Train,0\n2,test,1\n3,train,1\n");
        let c = table.split_column("", "").unwrap().unwrap();
        assert_eq!(table.training_rows(c).unwrap(), [true, false, true]);
        assert_eq!(table.split_column("", "part").unwrap(), None, "it is what is to be learnt");
        let twice = read("a,part,set,y\n1,train,test,0\n2,test,train,1\n");
        assert_eq!(twice.split_column("", "").unwrap(), None, "which of them?");
        assert_eq!(twice.split_column("set", "").unwrap(), Some(2));
        assert_eq!(read("a,y\n1,0\n2,1\n").split_column("", "").unwrap(), None);
        assert_eq!(table.split_column("b", "").unwrap_err().field, "split");
    }

    #[test]
    fn ones_and_zeros_go_by_the_name() {
        let rows = |text: &str| read(text).training_rows(1);
        assert_eq!(rows("a,use,y\n1,1,0\n2,0,1\n").unwrap(), [true, false]);
        assert_eq!(rows("a,is_test,y\n1,1,0\n2,0,1\n").unwrap(), [false, true]);
        assert_eq!(rows("a,test,y\n1,true,0\n2,false,1\n").unwrap(), [false, true]);
        let misfit = rows("a,use,y\n1,1,0\n2,7,1\n").unwrap_err();
        assert!(misfit.accepted.ends_with("row 3 says neither"), "{}", misfit.accepted);
        assert!(rows("a,use,y\n1,train,0\n2,,1\n").is_err());
    }

    #[test]
    fn a_drawn_share_is_as_large_as_asked_for() {
        let count = |rows, fraction| {
            let drawn = drawn(rows, fraction, Stream::of(1, 0));
            assert_eq!(drawn.len(), rows);
            drawn.iter().filter(|t| **t).count()
        };
        assert_eq!([count(10, 1.0), count(10, 0.7), count(3, 0.01), count(0, 0.5)], [10, 7, 1, 0]);
        assert_ne!(drawn(20, 0.5, Stream::of(1, 0)), drawn(20, 0.5, Stream::of(2, 0)));
    }
}
