//! A generated part of a file.

/// The text between two marks in a file, without the mark lines and with their indent.
pub struct Region {
    /// Path from the root of the sources.
    pub file: String,
    name: &'static str,
    lines: Vec<String>,
}

impl Region {
    /// Of a file, with these lines between its marks.
    pub fn new(file: &str, name: &'static str, lines: impl IntoIterator<Item = String>) -> Self {
        Self {
            file: file.to_owned(),
            name,
            lines: lines
                .into_iter()
                .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
                .collect(),
        }
    }

    /// The file with this region in it.
    pub fn put_into(&self, file: &str) -> String {
        let mut whole = String::new();
        let mut inside = false;
        let mut found = false;
        for line in file.lines() {
            inside &= !line.contains(&format!(" end: {}", self.name));
            if !inside {
                whole.push_str(line);
                whole.push('\n');
            }
            if line.contains(&format!(" begin: {} (scripts/register)", self.name)) {
                (inside, found) = (true, true);
                let indent = &line[..line.len() - line.trim_start().len()];
                for own in &self.lines {
                    whole.push_str(if own.is_empty() { "" } else { indent });
                    whole.push_str(own);
                    whole.push('\n');
                }
            }
        }
        assert!(found && !inside, "{} has no region {}", self.file, self.name);
        whole
    }
}

#[test]
fn a_region_is_replaced_between_its_marks() {
    let region = Region::new("f", "x", ["a\n  b".to_owned()]);
    let file = "0\n  <!-- begin: x (scripts/register) -->\n  old\n  <!-- end: x -->\n1\n";
    let new = "0\n  <!-- begin: x (scripts/register) -->\n  a\n    b\n  <!-- end: x -->\n1\n";
    assert_eq!(region.put_into(file), new);
    assert_eq!(region.put_into(new), new);
    let css = Region::new("f", "y", ["c".to_owned()]);
    assert_eq!(
        css.put_into("# begin: y (scripts/register)\n# end: y\n"),
        "# begin: y (scripts/register)\nc\n# end: y\n"
    );
}
