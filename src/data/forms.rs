//! Conversion of known files from their usual forms to this project's form.

use super::hash::Hash;
use super::known::{FileVariant, SETS, without_trailing_breaks};

/// Returns the contents of a known file in this project's form if `bytes` are another form of it.
pub(super) fn canonical(bytes: &[u8]) -> Option<Vec<u8>> {
    let stripped = without_trailing_breaks(bytes);
    let files = SETS.iter().flat_map(|set| set.files);
    let mut forms = files.flat_map(|file| file.forms).filter(|form| form.bytes == stripped.len());
    let hash = Hash::of(stripped);
    let form = forms.find(|form| form.hash == hash)?;
    let text = std::str::from_utf8(stripped).ok()?;
    let converted = match form.variant {
        FileVariant::Headless(header) => format!("{header}\n{text}\n"),
        FileVariant::Sonar(training) => sonar(text, training),
    };
    Some(converted.into_bytes())
}

/// Adds the header and the split column, and puts mines before rocks.
fn sonar(text: &str, training: &[(usize, usize)]) -> String {
    let names: Vec<String> = (1..=60).map(|i| format!("f{i}")).collect();
    let mut lines = vec![names.join(",") + ",label,split"];
    for label in ["M", "R"] {
        for (i, row) in text.lines().enumerate().filter(|(_, row)| row.ends_with(label)) {
            let is_train = training.iter().any(|(first, last)| (*first..=*last).contains(&(i + 1)));
            lines.push(format!("{row},{}", if is_train { "train" } else { "test" }));
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{known, needs};

    #[test]
    fn usual_forms_are_converted_to_the_known_files() {
        let read = |name: &str| Some(std::fs::read_to_string(needs::data_set(name)?).unwrap());
        let (Some(sonar), Some(housing)) = (read("sonar.csv"), read("housing.csv")) else { return };
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
            assert_eq!(canonical(text.as_bytes()), None, "already in this form");
        }
        let other = usual.replacen("0.0", "0.1", 1);
        assert_eq!(canonical(other.as_bytes()), None, "another row makes another table");
    }
}
