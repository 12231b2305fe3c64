//! From the forms in which known files are found to the one that this project takes them in.

use std::fmt::Write as _;

use super::Hash;
use super::known::{FileVariant, SETS};

/// The contents of a known file in the form of this project, if `bytes` are another form of it.
pub(super) fn canonical(bytes: &[u8]) -> Option<Vec<u8>> {
    let breaks = bytes.iter().rev().take_while(|b| matches!(b, b'\n' | b'\r')).count();
    let bare = &bytes[..bytes.len() - breaks];
    let files = SETS.iter().flat_map(|set| set.files);
    let mut forms = files.flat_map(|file| file.forms).filter(|form| form.bytes == bare.len());
    let hash = Hash::of(bare);
    let form = forms.find(|form| form.hash == hash)?;
    let text = std::str::from_utf8(bare).ok()?;
    Some(
        match form.of {
            FileVariant::Headless(header) => format!("{header}\n{text}\n"),
            FileVariant::Sonar(training) => sonar(text, training),
        }
        .into_bytes(),
    )
}

fn sonar(text: &str, training: &[(usize, usize)]) -> String {
    let mut out: String = (1..=60).fold(String::new(), |mut header, i| {
        // Writing to a String cannot fail.
        let _ = write!(header, "f{i},");
        header
    });
    out += "label,split\n";
    for label in ["M", "R"] {
        let rows = text.lines().enumerate().filter(|(_, row)| row.ends_with(label));
        for (i, row) in rows {
            let is_train = training.iter().any(|(first, last)| (*first..=*last).contains(&(i + 1)));
            let _ = writeln!(out, "{row},{}", if is_train { "train" } else { "test" });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known;

    /// The contents of a file in `$MEANFIELD_DATA`.
    fn found(name: &str) -> Option<String> {
        let folder = std::env::var_os("MEANFIELD_DATA").map(std::path::PathBuf::from)?;
        Some(std::fs::read_to_string(folder.join(name)).unwrap())
    }

    #[test]
    fn the_usual_forms_come_to_the_known_files() {
        let (Some(sonar), Some(housing)) = (found("sonar.csv"), found("housing.csv")) else {
            assert!(std::env::var_os("CI").is_none(), "MEANFIELD_DATA names the folder of data on CI");
            return;
        };
        let cells = sonar.lines().skip(1).map(|row| row.rsplit_once(',').unwrap().0);
        let (mines, rocks): (Vec<&str>, Vec<&str>) = cells.partition(|row| row.ends_with('M'));
        let usual = [rocks, mines].concat().join("\n");
        for end in ["", "\n"] {
            assert_eq!(canonical(format!("{usual}{end}").as_bytes()).unwrap(), sonar.as_bytes());
        }
        let bare = housing.split_once('\n').unwrap().1;
        assert_eq!(canonical(bare.as_bytes()).unwrap(), housing.as_bytes());
        for (name, text) in [("sonar", &sonar), ("housing", &housing)] {
            let file = &known::find(name).unwrap().files[0];
            assert_eq!((file.hash, file.bytes), (Hash::of(text.as_bytes()), text.len()), "{name}");
            assert_eq!(canonical(text.as_bytes()), None, "it is in this form");
        }
        let other = usual.replacen("0.0", "0.1", 1);
        assert_eq!(canonical(other.as_bytes()), None, "another row is another table");
    }
}
