//! Public suites for the detection of dialects, in the folder `$MEANFIELD_CASES/dialects`: those of the W3C's working group on CSV and
//! of Pollock, as annotated by ws-garcia/CSVsniffer.

use std::path::PathBuf;

use super::*;

/// Returns the number of files of a suite, and those whose separator is read otherwise.
fn measure(suite: &str) -> Option<(usize, Vec<String>)> {
    let folder = PathBuf::from(std::env::var_os("MEANFIELD_CASES")?).join("dialects");
    let list = std::fs::read_to_string(folder.join(suite).with_extension("txt")).unwrap();
    let (mut files, mut wrong) = (0, Vec::new());
    for line in list.lines().skip(1) {
        let fields: Vec<&str> = line.split('|').collect();
        let expected = match fields[2] {
            "comma" => ',',
            "semicolon" => ';',
            "tab" => '\t',
            "space" => ' ',
            "vslash" => '|',
            other => other.chars().next().unwrap(),
        };
        let Ok(bytes) = std::fs::read(folder.join(suite).join(fields[0])) else { continue };
        files += 1;
        match read(&bytes, &ReadingChoices::default()) {
            Ok(cells) if char::from(cells.separator) == expected => {}
            Ok(cells) => {
                wrong.push(format!("{}: {:?} for {expected:?}", fields[0], char::from(cells.separator)));
            }
            Err(problem) => wrong.push(format!("{}: {problem}", fields[0])),
        }
    }
    Some((files, wrong))
}

#[test]
#[ignore = "needs the suites in MEANFIELD_CASES"]
fn separators_of_public_suites_are_detected() {
    for suite in ["csvw", "pollock"] {
        let Some((files, wrong)) = measure(suite) else { return };
        println!("{suite}: {} of {files} files\n{}", files - wrong.len(), wrong.join("\n"));
    }
}
