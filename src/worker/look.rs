//! What a user's file seems to hold, for the front page: which models can take it.

use crate::data::columns::parts;
use crate::data::{ColumnFacts, ColumnKind, Store, TableFacts};
use crate::models::Takes;

/// Columns of numbers at least to be measurements of several channels.
const CHANNELS: usize = 2;
/// How a file of images in the IDX format begins.
const IDX_IMAGES: [u8; 4] = [0, 0, 8, 3];

/// What a file seems to hold: a sentence for the user, and the kinds of data that models take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// For the person.
    pub says: String,
    /// For [`Takes::word`].
    pub holds: Vec<Takes>,
}

impl std::fmt::Display for Looked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.holds.iter().try_for_each(|takes| write!(f, "{} ", takes.word()))?;
        write!(f, "|{}", self.says)
    }
}

/// Looks at the first bytes of a file; `whole` if they are all of it.
pub fn look(bytes: &[u8], whole: bool) -> Looked {
    if bytes.starts_with(&IDX_IMAGES) {
        return Looked { says: "images.".into(), holds: vec![Takes::Images] };
    }
    // The last row may have been cut.
    let end = if whole { None } else { bytes.iter().rposition(|byte| *byte == b'\n') };
    let mut store = Store::default();
    let says = match store.load(end.map_or(bytes, |end| &bytes[..=end])) {
        Err(problem) => format!("it cannot be read. {problem}."),
        Ok(facts) => match facts.table() {
            Some(table) => return look_at(table),
            None => "neither a table nor images.".into(),
        },
    };
    Looked { says, holds: Vec::new() }
}

fn look_at(table: &TableFacts) -> Looked {
    let numeric = |column: &&ColumnFacts| matches!(column.kind, ColumnKind::Numeric { .. });
    let mut looked = Looked { says: format!("{} columns. ", table.columns.len()), holds: Vec::new() };
    if let Some(label) = parts(&table.columns, "", "", "", "").label {
        let (holds, values) = match (label.values.len(), numeric(&label)) {
            (2, _) => (
                vec![Takes::TwoClasses, Takes::Classes],
                format!("two values: {}", label.values.join(" and ")),
            ),
            (0, true) => (vec![Takes::Number], "numbers".to_owned()),
            (0, false) => (Vec::new(), "words".to_owned()),
            (several, number) => {
                let number = number.then_some(Takes::Number);
                (number.into_iter().chain([Takes::Classes]).collect(), format!("{several} values"))
            }
        };
        looked.holds = holds;
        looked.says = format!("{}The last column, {}, has {values}.", looked.says, label.name);
    }
    if table.columns.iter().filter(numeric).count() >= CHANNELS {
        looked.holds.push(Takes::Channels);
    }
    looked
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(text: &str) -> Vec<Takes> {
        look(text.as_bytes(), true).holds
    }

    #[test]
    fn the_last_column_says_which_models_can_take_a_table() {
        use Takes::{Channels, Classes, Images, Number, TwoClasses};
        assert_eq!(holds("a,b,y\n1,2,0\n3,4,1\n"), [TwoClasses, Classes, Channels]);
        assert_eq!(holds("a,b,y\n1,2,u\n3,4,v\n5,6,w\n"), [Classes, Channels]);
        assert_eq!(holds("a,y\n1,2\n3,4\n5,6\n"), [Number, Classes, Channels]);
        let numbers = (0..40).fold("a,y\n".to_owned(), |text, i| format!("{text}{i},{}.5\n", i * i));
        assert_eq!(holds(&numbers), [Number, Channels]);
        let words = (0..40).fold("a,y\n".to_owned(), |text, i| format!("{text}{i},w{i}\n"));
        assert_eq!(holds(&words), []);
        let split = "a,b,y,part\n1,2,0,train\n3,4,1,test\n";
        assert_eq!(holds(split), [TwoClasses, Classes, Channels], "the label is the last but the split");
        assert_eq!(look(&[0, 0, 8, 3, 0, 0, 234, 96, 0, 0, 0, 28], false).holds, [Images]);
        assert!(look(b"\0\0\0\0", true).says.starts_with("it cannot be read"));
    }

    #[test]
    fn a_file_that_is_cut_is_looked_at_without_its_last_row() {
        let looked = look(b"a,b,y\n1,2,no\n3,4,yes\n5,6,y", false);
        assert!(looked.to_string().starts_with("two-classes classes channels |3 columns."), "{looked}");
        assert_eq!(looked.says, "3 columns. The last column, y, has two values: no and yes.");
    }
}
