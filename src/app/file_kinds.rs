//! Kinds of data in a user's file, for the front page, which marks the models that take it, and the page of a saved run.

use std::fmt;

use crate::data::default_roles::column_roles;
use crate::data::{ColumnFacts, ColumnKind, Store, TableFacts};
use crate::lab::{DataKind, SavedRun};

/// Least number of numeric columns of a table of channels.
const CHANNELS: usize = 2;
/// Numbers of pixels of the images in a table with a column of digits.
const PIXELS: [usize; 2] = [784, 100];
/// First bytes of a file of images in the IDX format.
const IDX_IMAGES: [u8; 4] = [0, 0, 8, 3];

/// Content of a file according to its first bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileDescription {
    /// A sentence for the user.
    pub sentence: String,
    /// Kinds of data that the file can be used as.
    pub kinds: Vec<DataKind>,
    /// Page that opens the file, if it is a saved run.
    pub page: Option<String>,
}

impl fmt::Display for FileDescription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kinds.iter().try_for_each(|kind| write!(f, "{} ", kind.word()))?;
        write!(f, "|{}|{}", self.page.as_deref().unwrap_or_default(), self.sentence)
    }
}

impl FileDescription {
    fn new(sentence: impl Into<String>, kinds: Vec<DataKind>) -> Self {
        Self { sentence: sentence.into(), kinds, page: None }
    }
}

/// Describes the first bytes of a file; `whole` is true if they are the whole file.
pub fn describe(bytes: &[u8], whole: bool) -> FileDescription {
    if bytes.starts_with(&IDX_IMAGES) {
        return FileDescription::new("images.", vec![DataKind::Images]);
    }
    if let Some(link) = SavedRun::link_of(bytes) {
        let data = link.data().map_or_else(String::new, |data| format!(" of {}", data.name));
        let sentence = format!("a saved run{data}, with its results.");
        return FileDescription { page: Some(link.task), ..FileDescription::new(sentence, Vec::new()) };
    }
    // The last row may be incomplete.
    let end = if whole { None } else { bytes.iter().rposition(|byte| *byte == b'\n') };
    let mut store = Store::default();
    let sentence = match store.load(end.map_or(bytes, |end| &bytes[..=end])) {
        Err(problem) => format!("it cannot be read. {problem}."),
        Ok(facts) => match facts.table() {
            Some(table) => return describe_table(table),
            None => "neither a table nor images.".into(),
        },
    };
    FileDescription::new(sentence, Vec::new())
}

fn describe_table(table: &TableFacts) -> FileDescription {
    let numeric = |column: &&ColumnFacts| matches!(column.kind, ColumnKind::Numeric { .. });
    let count = format!("{} columns. ", table.columns.len());
    let mut kinds = Vec::new();
    let mut label_sentence = String::new();
    if let Some(label) = column_roles(&table.columns, "", [""; 2], "", "").label {
        let is_number = numeric(&label);
        let values = match label.values.len() {
            2 => {
                kinds.extend([DataKind::TwoClasses, DataKind::Classes]);
                format!("two values: {}", label.values.join(" and "))
            }
            0 if is_number => {
                kinds.push(DataKind::Number);
                "numbers".to_owned()
            }
            0 => "words".to_owned(),
            several => {
                kinds.extend(is_number.then_some(DataKind::Number).into_iter().chain([DataKind::Classes]));
                format!("{several} values")
            }
        };
        label_sentence = format!("The last column, {}, has {values}.", label.name);
    }
    if table.columns.iter().filter(numeric).count() >= CHANNELS {
        kinds.push(DataKind::Channels);
    }
    if PIXELS.contains(&(table.columns.len() - 1))
        && table.columns.iter().all(|column| is_intensity(column.kind))
    {
        kinds.push(DataKind::Images);
    }
    FileDescription::new(count + &label_sentence, kinds)
}

/// Returns true for a column of numbers from 0 to 255.
fn is_intensity(kind: ColumnKind) -> bool {
    matches!(kind, ColumnKind::Numeric { min, max, .. } if min >= 0.0 && max <= 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<DataKind> {
        describe(text.as_bytes(), true).kinds
    }

    #[test]
    fn the_label_column_decides_which_models_take_a_table() {
        use DataKind::{Channels, Classes, Images, Number, TwoClasses};
        assert_eq!(kinds("a,b,y\n1,2,0\n3,4,1\n"), [TwoClasses, Classes, Channels]);
        assert_eq!(kinds("a,b,y\n1,2,u\n3,4,v\n5,6,w\n"), [Classes, Channels]);
        assert_eq!(kinds("a,y\n1,2\n3,4\n5,6\n"), [Number, Classes, Channels]);
        let numbers = (0..40).fold("a,y\n".to_owned(), |text, i| format!("{text}{i},{}.5\n", i * i));
        assert_eq!(kinds(&numbers), [Number, Channels]);
        let words = (0..40).fold("a,y\n".to_owned(), |text, i| format!("{text}{i},w{i}\n"));
        assert_eq!(kinds(&words), []);
        let split = "a,b,y,part\n1,2,0,train\n3,4,1,test\n";
        assert_eq!(kinds(split), [TwoClasses, Classes, Channels], "the label stands before the split");
        assert_eq!(describe(&[0, 0, 8, 3, 0, 0, 234, 96, 0, 0, 0, 28], false).kinds, [Images]);
        assert!(describe(b"\0\0\0\0", true).kinds.is_empty());
    }

    #[test]
    fn a_table_of_digits_has_images() {
        let table = |pixels: usize| {
            let line = |digit: &str, pixel: &str| format!("{digit}{}\n", format!(",{pixel}").repeat(pixels));
            let head = (0..pixels).fold(String::new(), |head, p| head + &format!(",p{p}"));
            format!("label{head}\n{}{}", line("7", "0"), line("2", "255"))
        };
        assert!(
            kinds(&table(784)).contains(&DataKind::Images) && kinds(&table(100)).contains(&DataKind::Images)
        );
        assert!(!kinds(&table(99)).contains(&DataKind::Images));
        assert!(!kinds(&table(100).replace("255", "256")).contains(&DataKind::Images));
    }

    #[test]
    fn an_incomplete_last_row_is_left_out() {
        let description = describe(b"a,b,y\n1,2,no\n3,4,yes\n5,6,y", false);
        assert_eq!(
            description.to_string(),
            "two-classes classes channels ||3 columns. The last column, y, has two values: no and yes."
        );
    }

    #[test]
    fn a_saved_run_names_its_page_and_its_data() {
        let run = SavedRun {
            task: "gp.data".to_owned(),
            spec: crate::lab::raw_of([("data", "iris.csv@0123456789abcdef")]),
            ..SavedRun::default()
        };
        let words = describe(&run.to_bytes(), false).to_string();
        assert_eq!(words, "|gp.data|a saved run of iris.csv, with its results.");
    }
}
