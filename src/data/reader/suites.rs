//! Public suites in the folder `$MEANFIELD_CASES`: for dialect detection, those of the W3C's CSV working group and of Pollock,
//! as annotated by ws-garcia/CSVsniffer (`dialects`), and polluted files with clean versions (`pollock`; Vitagliano et al., “Pollock: a
//! data loading benchmark”, PVLDB 16, 1870 (2023)).

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::*;
use crate::Table;

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
        assert!(100 * wrong.len() <= files, "{suite}: {wrong:#?}");
    }
}

/// Returns precision, recall and F1 score as defined by the benchmark; the order of the lists is ignored.
fn agreement(expected: &[String], found: &[String]) -> [f64; 3] {
    if expected.is_empty() {
        return [1.0; 3];
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in expected {
        *counts.entry(text).or_default() += 1;
    }
    let mut shared = 0.0;
    for text in found {
        if let Some(count) = counts.get_mut(text.as_str()).filter(|count| **count > 0) {
            *count -= 1;
            shared += 1.0;
        }
    }
    let (precision, recall) = (shared / expected.len() as f64, shared / found.len().max(1) as f64);
    [precision, recall, if shared > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 }]
}

/// Returns the score of a polluted file, at most 10: 1 for success, plus the agreement of header, records and cells.
fn score(folder: &Path, name: &str) -> f64 {
    let read = |part: &str| std::fs::read(folder.join(part).join(name)).unwrap();
    let parameters =
        std::fs::read(folder.join("parameters").join(format!("{name}_parameters.json"))).unwrap();
    let parameters: serde_json::Value = serde_json::from_slice(&parameters).unwrap();
    let clean = read("clean");
    let clean =
        ReaderBuilder::new().has_headers(false).flexible(true).from_reader(clean.as_slice()).into_records();
    let clean: Vec<Vec<String>> =
        clean.map(|row| row.unwrap().iter().map(|cell| cell.trim().to_owned()).collect()).collect();
    let headers = clean.len().min(usize::from(parameters["header_lines"] != 0));
    let (header, rows) = clean.split_at(headers);
    let found = match Table::texts_as(&read("csv"), &ReadingChoices::default()) {
        Ok(found) => found,
        // There is nothing to read.
        Err(_) if clean.is_empty() => vec![Vec::new()],
        Err(_) => return 0.0,
    };
    let records = |rows: &[Vec<String>]| rows.iter().map(|row| row.join("\u{1}")).collect::<Vec<_>>();
    1.0 + [
        agreement(&header.concat(), &found[0]),
        agreement(&records(rows), &records(&found[1..])),
        agreement(&rows.concat(), &found[1..].concat()),
    ]
    .iter()
    .flatten()
    .sum::<f64>()
}

/// DuckDB 2.0.1 with automatic detection scores 8.777 (`strict_mode=False, ignore_errors=True, null_padding=True`, all columns as text)
/// and 4.497 by default on these files.
#[test]
#[ignore = "needs the suites in MEANFIELD_CASES"]
fn polluted_files_are_read_at_least_as_well_as_by_duckdb() {
    const DUCKDB: f64 = 8.777;
    let Some(folder) = std::env::var_os("MEANFIELD_CASES") else { return };
    let folder = PathBuf::from(folder).join("pollock");
    let names = std::fs::read_dir(folder.join("csv")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut scores: Vec<(f64, String)> =
        names.map(|name| name.into_string().unwrap()).map(|name| (score(&folder, &name), name)).collect();
    scores.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mean = scores.iter().map(|(score, _)| score).sum::<f64>() / scores.len() as f64;
    println!("mean {mean:.3} of 10; the lowest: {:#?}", &scores[..40]);
    assert!(mean >= DUCKDB, "{mean}");
}
