//! Small pictures of presets.

use std::collections::BTreeMap;

/// Small pictures of the presets of a page, drawn beforehand from their runs (`src/models/NAME/page/thumbnails/TASK.txt`). The first line
/// of the file is the revision; every other line is a query, a tab, and the markup of its picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thumbnails {
    /// Revision of the model whose runs they show.
    pub revision: usize,
    /// Markup of each picture, without line breaks, by the query of its preset.
    pub pictures: BTreeMap<String, String>,
}

impl Thumbnails {
    /// Returns the file of a page within the folder of its model.
    pub fn file(page: &str) -> String {
        format!("thumbnails/{page}.txt")
    }

    /// Returns the pictures in a file; none if it is not such a file.
    pub fn read(text: &str) -> Self {
        let mut lines = text.lines();
        let Some(revision) = lines.next().and_then(|line| line.parse().ok()) else { return Self::default() };
        let entry = |line: &str| line.split_once('\t').map(|(query, svg)| (query.to_owned(), svg.to_owned()));
        Self { revision, pictures: lines.filter_map(entry).collect() }
    }

    /// Returns the text of a file with these pictures.
    pub fn to_text(&self) -> String {
        let lines = self.pictures.iter().map(|(query, svg)| format!("{query}\t{svg}\n"));
        std::iter::once(format!("{}\n", self.revision)).chain(lines).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_the_pictures_and_another_file_none() {
        let pictures = [(String::new(), "<svg/>".to_owned()), ("n=2".to_owned(), "<svg></svg>".to_owned())];
        let thumbnails = Thumbnails { revision: 3, pictures: pictures.into() };
        assert_eq!(Thumbnails::read(&thumbnails.to_text()), thumbnails);
        assert_eq!(Thumbnails::read("<!doctype html>"), Thumbnails::default());
    }
}
