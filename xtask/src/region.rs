//! Generated parts of files.

/// The text between two marks in a file, without the mark lines and without their indent.
pub struct Region {
    /// Path from the root of the sources.
    pub file: String,
    name: &'static str,
    lines: Vec<String>,
}

impl Region {
    /// Returns the region `name` of a file, with these lines.
    pub fn new(file: &str, name: &'static str, texts: impl IntoIterator<Item = String>) -> Self {
        let lines =
            texts.into_iter().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
        Self { file: file.to_owned(), name, lines }
    }

    /// Returns the text of the file with this region replaced.
    ///
    /// # Errors
    /// If the text lacks one of the marks.
    pub fn put_into(&self, text: &str) -> Result<String, String> {
        let (begin, end) =
            (format!(" begin: {} (scripts/register)", self.name), format!(" end: {}", self.name));
        let mut whole = String::new();
        let mut inside = false;
        let mut found = false;
        for line in text.lines() {
            inside &= !line.contains(&end);
            if !inside {
                whole.push_str(line);
                whole.push('\n');
            }
            if line.contains(&begin) {
                (inside, found) = (true, true);
                let indent = &line[..line.len() - line.trim_start().len()];
                for generated in &self.lines {
                    whole.push_str(if generated.is_empty() { "" } else { indent });
                    whole.push_str(generated);
                    whole.push('\n');
                }
            }
        }
        if found && !inside { Ok(whole) } else { Err(format!("{} has no region {}", self.file, self.name)) }
    }
}

#[test]
fn a_region_is_replaced_between_its_marks() {
    let region = Region::new("f", "x", ["a\n  b".to_owned()]);
    let old = "0\n  <!-- begin: x (scripts/register) -->\n  old\n  <!-- end: x -->\n1\n";
    let new = "0\n  <!-- begin: x (scripts/register) -->\n  a\n    b\n  <!-- end: x -->\n1\n";
    assert_eq!(region.put_into(old).as_deref(), Ok(new));
    assert_eq!(region.put_into(new).as_deref(), Ok(new));
    let comment = Region::new("f", "y", ["c".to_owned()]);
    assert_eq!(
        comment.put_into("# begin: y (scripts/register)\n# end: y\n").as_deref(),
        Ok("# begin: y (scripts/register)\nc\n# end: y\n")
    );
    assert!(comment.put_into("# begin: y (scripts/register)\n").is_err());
    assert!(comment.put_into(new).is_err());
}
