//! Trained networks as files: saved after training, read back by name and hash; other files are refused.

use std::collections::BTreeSet;
use std::fs;

use meanfield::data::{Artefact, Store};
use meanfield::lab::{InputError, Link, Progress, encode};
use meanfield::models::sbn::ensemble::{DigitEnsemble, KIND};
use meanfield::models::task;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::headless::{headless, headless_with, write};
use crate::common::property::for_all;
use crate::common::{parts, plan};

/// Trains small networks of four digits.
const LINK: &str = "#/sbn?per_digit=8&test=20&epochs=1,1&layers=2,5,100&digits=1,3,7,8&missing=0.3";
const DRAWING: &str = "drawing=10x10.AAAAFVAQFAQBAEARAEAQAEAQAEAEKKKKKg";

/// Returns the artefact of the run of [`LINK`], computed in this process.
fn trained() -> Artefact {
    let link = Link::parse(LINK);
    let task = task(&link.task).unwrap();
    let stages = plan(task, &link.raw).stages();
    let before = parts(task, &link.raw, [stages[0].clone()]);
    let before: Vec<&[u8]> = before.iter().map(Vec::as_slice).collect();
    let mut run =
        task.start(&task.check(&link.raw).unwrap(), stages[1].clone(), &Store::default(), &before).unwrap();
    let mut made = Vec::new();
    while run.advance() != Progress::Done {
        made.extend(run.take_artefacts());
    }
    made.extend(run.take_artefacts());
    assert_eq!(made.len(), 1);
    made.remove(0)
}

/// Returns the report of the pad with the networks of a file, or the invalid field and its message.
fn pad(file: &[u8]) -> Result<Value, (String, String)> {
    let mut store = Store::default();
    let hash = store.load(file).map_err(|problem| ("store".to_owned(), problem.to_string()))?.hash;
    let link = Link::parse(&format!("#/sbn.pad?networks=mine.bin@{hash}&{DRAWING}"));
    let task = task(&link.task).unwrap();
    let wrong = |mut problems: Vec<InputError>| {
        let problem = problems.remove(0);
        (problem.field, problem.expected)
    };
    let mut run = task.start(&task.check(&link.raw).unwrap(), 0..1, &store, &[]).map_err(wrong)?;
    while run.advance() != Progress::Done {}
    let result = task.result(&task.check(&link.raw).unwrap(), &[&run.snapshot()]).unwrap();
    assert!(!result.figures().is_empty());
    Ok(result.report())
}

#[test]
fn a_saved_file_is_read_by_another_process() {
    let made = trained().to_bytes();
    let path = write("saved-networks.bin", "");
    let path = path.to_str().unwrap();
    let (line, status) = headless_with(&[LINK, "--jobs", "3", "--save", path]);
    assert_eq!((status, &line["event"]), (0, &Value::from("finished")), "{line}");
    assert_eq!(fs::read(path).unwrap(), made, "the same file, whoever trains");
    // The pad in another process, by the path of the file and by its name in a permalink.
    let hash = trained().reference().hash.unwrap();
    let expected = pad(&made).unwrap();
    // As printed numbers are read.
    let expected: Value = serde_json::from_str(&expected.to_string()).unwrap();
    for named in [path.to_owned(), format!("{path}@{hash}")] {
        let (line, status) = headless(&format!("#/sbn.pad?networks={named}&{DRAWING}"));
        assert_eq!(status, 0, "{line}");
        assert_eq!(line["result"], expected);
        assert_eq!(line["spec"]["networks"], format!("saved-networks.bin@{hash}"));
    }
    assert_eq!(expected["trained_on"], "8 drawn strokes per digit");
    let pretrained = headless(&format!("#/sbn.pad?{DRAWING}")).0;
    assert_ne!(pretrained["result"], expected, "the networks of the page are others");
    // The figure of the companion is drawn with the trained networks.
    let picture = |link: &str| {
        let svg = write("saved-networks.svg", "");
        let (line, status) = headless_with(&[link, "--figure", "bounds", "--svg", svg.to_str().unwrap()]);
        assert_eq!(status, 0, "{line}");
        fs::read_to_string(svg).unwrap()
    };
    assert_eq!(picture(LINK), picture(&format!("{LINK}&networks={path}")));
}

#[test]
fn another_file_is_refused_by_name() {
    let made = trained();
    let file = made.to_bytes();
    let refused = |name: &str, bytes: &[u8], task: &str| {
        let path = write(name, "");
        fs::write(&path, bytes).unwrap();
        let (line, status) = headless(&format!("#/{task}?networks={}", path.display()));
        assert_eq!((status, &line["event"]), (2, &Value::from("rejected")), "{line}");
        assert_eq!(line["problems"][0]["field"], "networks");
        line["problems"][0]["expected"].as_str().unwrap().to_owned()
    };
    for task in ["sbn", "sbn.pad"] {
        let damaged = refused("short-networks.bin", &file[..file.len() - 7], task);
        let mut later = file.clone();
        later[7] += 1;
        let version = refused("later-networks.bin", &later, task);
        let expected = refused("networks.csv", b"a,y\n1,0\n2,1\n", task);
        let reasons = BTreeSet::from([&damaged, &version, &expected]);
        assert_eq!(reasons.len(), 3, "damage, version and contents are told apart: {reasons:?}");
        let format = Artefact { format: made.format + 1, ..made.clone() }.to_bytes();
        assert_eq!(refused("format-networks.bin", &format, task), expected);
        let kind = Artefact { kind: "toy.fit".into(), ..made.clone() }.to_bytes();
        assert_eq!(refused("kind-networks.bin", &kind, task), expected);
    }
    let (_, status) = headless_with(&["#/sbn.pad", "--save", write("none.bin", "").to_str().unwrap()]);
    assert_eq!(status, 1, "a task without training has nothing to save");
}

/// Files with a valid checksum and arbitrary contents.
#[test]
fn no_file_makes_the_pad_fail() {
    let made = trained();
    let file = |bytes: Vec<u8>| Artefact { bytes, ..made.clone() }.to_bytes();
    let refused = |bytes: Vec<u8>| match pad(&file(bytes)) {
        Ok(_) => false,
        Err((field, expected)) => {
            assert!(field == "networks" && !expected.is_empty(), "{field}: {expected}");
            true
        }
    };
    assert!(!refused(made.bytes.clone()));
    for end in (0..made.bytes.len()).step_by(41) {
        assert!(refused(made.bytes[..end].to_vec()), "{end} bytes");
    }
    // At lengths and digits, and anywhere else.
    let place = prop_oneof![0..50_usize, 0..made.bytes.len()];
    for_all(200, prop::collection::vec((place, any::<u8>()), 1..4), |changes| {
        let mut bytes = made.bytes.clone();
        for (place, byte) in changes {
            bytes[place] = byte;
        }
        refused(bytes);
    });
    for_all(200, prop::collection::vec(any::<u8>(), 0..300), |bytes| {
        refused(bytes.clone());
        assert!(pad(&bytes).is_err());
    });
}

#[test]
fn networks_that_cannot_have_been_trained_are_refused() {
    let made = trained();
    let mut store = Store::default();
    store.load(&made.to_bytes()).unwrap();
    let good = DigitEnsemble::find(&store, &made.reference()).unwrap();
    assert_eq!(good.artefact(), made);
    let refused = |change: &dyn Fn(&mut DigitEnsemble)| {
        let mut all = good.clone();
        change(&mut all);
        let bytes = Artefact { kind: KIND.into(), format: made.format, bytes: encode(&all) }.to_bytes();
        pad(&bytes).is_err()
    };
    assert!(!refused(&|_| {}));
    assert!(refused(&|all| all.members.clear()));
    assert!(refused(&|all| all.members.swap(0, 1)), "digits out of order");
    assert!(refused(&|all| all.members[1].digit = all.members[0].digit));
    assert!(refused(&|all| all.members[3].digit = 10));
    assert!(refused(&|all| all.members[0].numbers[5] = f32::NAN));
    assert!(refused(&|all| all.members[0].numbers.truncate(9)));
    // Never allocates the memory that these layers would need.
    assert!(refused(&|all| all.members[0].layers = vec![u16::MAX, u16::MAX, 100]));
    assert!(refused(&|all| all.members[0].layers = vec![1, 0, 100]));
    assert!(refused(&|all| all.members[0].layers = vec![100]));
}
