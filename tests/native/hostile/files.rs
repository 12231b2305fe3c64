//! Files of images and labels, compressed or not, whose headers and contents are anything; networks as JSON.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use meanfield::data::{DataRef, Store};
use meanfield::lab::Link;
use meanfield::models::task;
use proptest::prelude::*;
use proptest::sample::Index;

use super::{changed, changes};
use crate::common::property::for_all;
use crate::random::try_out;

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Returns a file of bytes in the IDX format whose header says these sizes.
pub fn idx(sizes: &[u32], bytes: usize) -> Vec<u8> {
    let header = [0x0800 + sizes.len() as u32].into_iter().chain(sizes.iter().copied());
    let mut file: Vec<u8> = header.flat_map(u32::to_be_bytes).collect();
    file.extend((0..bytes).map(|i| (i % 10) as u8));
    file
}

/// Reads a file of images or labels; what is read is no more than its bytes are.
fn read_idx(file: &[u8], contents: usize) {
    match Store::default().load(file) {
        Ok(facts) => assert!(facts.rows() <= contents, "{} of {contents} bytes", facts.rows()),
        Err(problem) => assert!(problem.to_string().len() > 10, "{problem}"),
    }
}

pub fn images_and_labels_are_read_or_refused(cases: u32) {
    let files = [idx(&[6, 5, 4], 120), idx(&[40], 40)];
    for_all(cases, (any::<bool>(), changes()), |(labels, changes)| {
        let file = &files[usize::from(labels)];
        let broken = changed(file, &changes);
        read_idx(&broken, broken.len());
        // Of which something is wrong inside the compressed file, or the compressed file itself is damaged.
        read_idx(&zipped(&broken), broken.len());
        read_idx(&changed(&zipped(file), &changes), 200_000);
    });
    // Any sizes: a few, and as many as there are numbers.
    let size = prop_oneof![0..40_u32, any::<u32>(), Just(u32::MAX), (0..32_u32).prop_map(|bits| 1 << bits)];
    for_all(cases, (prop::collection::vec(size, 0..4), 0..200_usize), |(sizes, bytes)| {
        let file = idx(&sizes, bytes);
        read_idx(&file, file.len());
        read_idx(&zipped(&file), file.len());
    });
}

/// A few bytes whose header declares a gigabyte of images are refused.
#[test]
fn a_header_allocates_no_memory_for_missing_content() {
    for file in [idx(&[1 << 20, 32, 32], 50), idx(&[1 << 30], 50)] {
        for file in [file.clone(), zipped(&file)] {
            let why = Store::default().load(&file).unwrap_err().to_string();
            assert!(why.contains("50"), "the size is reported: {why}");
        }
    }
}

/// Hand-written networks.
const NETWORKS: [(&str, &str); 3] = [
    (
        "#/sbn.bound?draws=20&network=",
        r#"{"layers": [1, 2], "J": [[1, -1]], "h": [[0], [0.5, 0]], "visible": [1, 0], "observed": [true, false]}"#,
    ),
    (
        "#/sbn.bound?draws=20&visible=1,0&network=",
        r#"{"layers": [2, 1, 2], "J": [[1, 3], [2, -2]], "h": [[0, 1], [0], [0.5, 0]]}"#,
    ),
    (
        "#/nfa.moments?draws=1000&network=",
        r#"{"A": [[1], [2]], "Av": [[0.1], [0]], "a": [0, 0], "B": [[1, 1]], "b": [0], "bv": [0.2], "s_mean": [[0], [1]], "s_var": [[1], [0]]}"#,
    ),
];

/// Numbers that a file may hold and nobody expects.
const NUMBERS: [&str; 12] = [
    "0",
    "-0.0",
    "1e308",
    "-1e308",
    "1e-320",
    "-1",
    "700",
    "-700",
    "1e400",
    "null",
    "18446744073709551616",
    "[1]",
];

/// With such a weight the mean field equations have no finite solution.
#[test]
fn weights_that_are_too_large_are_refused() {
    for (link, text) in NETWORKS {
        let file = ["[[1, ", "[[1], "].map(|first| (first, first.replace('1', "-1e308")));
        let file = file.iter().fold(text.to_owned(), |text, (first, large)| text.replacen(first, large, 1));
        let file = file.into_bytes();
        let mut store = Store::default();
        store.load(&file).unwrap();
        let link = Link::parse(&format!("{link}{}", DataRef::file("net.json", &file)));
        let task = task(&link.task).expect("a task");
        let refused =
            task.start(&task.check(&link.raw).unwrap(), 0..1, &store, &[]).err().expect("a refusal");
        assert!(refused[0].expected.contains("1000000"), "{refused:?}");
    }
}

pub fn networks_are_computed_or_refused(cases: u32) {
    let numbers = prop::collection::vec((any::<Index>(), prop::sample::select(&NUMBERS[..])), 0..4);
    let cases = cases.div_ceil(4);
    for_all(
        cases,
        (0..NETWORKS.len(), numbers, prop::option::of(changes()), any::<Index>()),
        |(which, numbers, changes, unit)| {
            let (link, text) = NETWORKS[which];
            let mut text = text.to_owned();
            for (place, number) in numbers {
                let digits: Vec<usize> =
                    text.match_indices(|c: char| c.is_ascii_digit()).map(|(at, _)| at).collect();
                let at = *place.get(&digits);
                text.replace_range(at..=at, number);
            }
            let file = changes
                .map_or_else(|| text.clone().into_bytes(), |changes| changed(text.as_bytes(), &changes));
            let mut store = Store::default();
            if store.load(&file).is_err() {
                return;
            }
            let link = Link::parse(&format!("{link}{}", DataRef::file("net.json", &file)));
            let u = unit.index(100) as f64 / 100.0;
            try_out(task(&link.task).expect("a task"), &link.raw, &store, 8, u);
        },
    );
}
