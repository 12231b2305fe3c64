//! The user's table on the command line: compared with the converged data sets of `tests/data/feedforward.json`;
//! errors of unsuitable tables.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use meanfield::app::own_data;
use meanfield::data::known;
use meanfield::lab::{Kind, Role};
use meanfield::math::random::Stream;
use meanfield::math::special::phi;
use meanfield::math::stats::{binomial_interval, mean};
use meanfield::models::TASKS;
use serde_json::Value;

use crate::common::assert::ORACLE;
use crate::common::headless::{headless, write};
use crate::common::oracle::{self, numbers};

#[test]
fn the_converged_data_sets_as_csv() {
    let reference = oracle::feedforward();
    for set in reference["data_sets"].as_array().unwrap() {
        let name = set["name"].as_str().unwrap();
        let labels = numbers(&set["y"]);
        let rows = set["S"].as_array().unwrap().iter().map(numbers);
        let width = rows.clone().next().unwrap().len();
        // The label first, semicolons and decimal commas: all detected by the reader.
        let header = (1..=width).map(|i| format!("s{i}")).collect::<Vec<_>>().join(";");
        let mut text = format!("y;{header}\n");
        for (row, y) in rows.zip(&labels) {
            let row = row.iter().map(|x| x.to_string().replace('.', ",")).collect::<Vec<_>>();
            writeln!(text, "{y};{}", row.join(";")).unwrap();
        }
        let path = write(&format!("{name}.csv"), &text);
        let beta = if set["beta"] == "inf" { "inf".to_owned() } else { set["beta"].to_string() };
        let (path, hidden) = (path.display(), &set["K"]);
        let query = "&standardise=false&fields=true&variance=shared&fit=none";
        let link = format!("#/feedforward?data={path}&label=y&hidden={hidden}&beta={beta}{query}");
        let (line, status) = headless(&link);
        assert_eq!((line["status"].as_str(), status), (Some("converged"), 0), "{line}");
        assert_eq!(line["model"], "feedforward.data");
        let result = &line["result"];
        for (ours, theirs) in [("weights", "w"), ("lambda", "lam"), ("g", "g"), ("z", "z"), ("ln_f", "logF")]
        {
            let (ours, theirs) = (numbers(&result[ours]), numbers(&set[theirs]));
            assert_eq!(ours.len(), theirs.len(), "{name}: {link}");
            for (a, b) in ours.iter().zip(&theirs) {
                assert!((a - b).abs() <= ORACLE * (1.0 + b.abs()), "{name}: {a} instead of {b}");
            }
        }
        let m = labels.len() as f64;
        assert_eq!(result["examples"].as_f64(), Some(m));
        assert_eq!(result["loo_errors"].as_f64(), Some((set["loo_bayes"].as_f64().unwrap() * m).round()));
        // p = (1 + (1−2p) ⟨σ⟩)/2 with the cavity's mean output.
        let flip = set["beta"].as_f64().map_or(0.0, |beta| 1.0 / (1.0 + beta.exp()));
        for (ours, sigma) in numbers(&result["loo_predictions"]).iter().zip(numbers(&set["cav_mean_output"]))
        {
            let theirs = 0.5 * (1.0 + (1.0 - 2.0 * flip) * sigma);
            assert!((ours - theirs).abs() <= ORACLE, "{name}: {ours} instead of {theirs}");
        }
    }
}

/// Unsuitable tables are refused as by every classifier (`tables.rs`); this is a setting of this model.
#[test]
fn more_branches_than_the_table_has_inputs_are_refused() {
    let path = write("branches.csv", "a,b,y\n1,2,0\n1,3,1\n");
    let (line, status) = headless(&format!("#/feedforward?data={}&hidden=3", path.display()));
    assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("hidden"), 2), "{line}");
}

#[test]
fn a_file_whose_hash_does_not_match_is_refused() {
    let path = write("named@home.csv", "a,y\n1,0\n2,1\n");
    let (line, _) = headless(&format!("#/feedforward?data={}", path.display()));
    let named = line["spec"]["data"].as_str().unwrap().to_owned();
    assert!(named.starts_with("named@home.csv@"), "{named}");
    let hash = named.rsplit('@').next().unwrap();
    let (line, status) = headless(&format!("#/feedforward?data={}@{hash}", path.display()));
    assert_eq!((line["event"].as_str(), status), (Some("finished"), 0));
    let (line, status) = headless(&format!("#/feedforward?data={}@0123456789abcdef", path.display()));
    assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("data"), 2));
    assert!(line["problems"][0]["expected"].as_str().unwrap().contains(hash));
    let (line, status) = headless("#/feedforward?data=no_such_file.csv");
    assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("data"), 2));
    let (line, status) = headless("#/feedforward.data");
    assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("data"), 2));
}

#[test]
fn labels_that_noise_free_students_cannot_fit_give_advice_and_no_numbers() {
    let path = write("contradiction.csv", "a,b,y\n1,2,0\n1,2,1\n-1,1,0\n0.5,-1,1\n");
    let (line, status) = headless(&format!("#/feedforward?data={}&beta=inf", path.display()));
    assert_eq!((line["status"].as_str(), status), (Some("no_result"), 1));
    assert!(line["reason"].as_str().unwrap().contains('β'));
    assert!(line["result"]["weights"].is_null() && line["result"]["loo_errors"].is_null());
}

/// Returns the severity of illness of a simulated patient, from four standard normal numbers. It rises with fever, inflammation and
/// pulse, and for young and old patients: the classes are not linearly separable.
fn severity([age, fever, heart, blood]: [f64; 4]) -> f64 {
    1.5 * fever + 1.2 * blood + heart + 0.8 * (age * age - 1.0)
}

/// Standard deviation of the noise of the diagnosis, which gives the least possible error.
const LUCK: f64 = 0.5;

/// Returns the example table of the page: 200 simulated patients. Height and shoe size are irrelevant to the diagnosis.
fn example() -> String {
    let mut stream = Stream::of(1998, 0);
    let mut text = String::from("age,temperature,pulse,crp,height,shoe_size,diagnosis\n");
    for _ in 0..200 {
        let [age, fever, heart, blood, tall, foot, luck] = [(); 7].map(|()| stream.normal());
        let ill = severity([age, fever, heart, blood]) + LUCK * luck > 0.0;
        writeln!(
            text,
            "{:.0},{:.1},{:.0},{:.1},{:.0},{:.0},{}",
            52.0 + 14.0 * age,
            37.4 + 0.7 * fever,
            80.0 + 9.0 * (0.6 * fever + 0.8 * heart),
            8.0 * (0.9 * blood).exp(),
            171.0 + 9.0 * tall,
            41.0 + 1.4 * (tall + foot),
            if ill { "ill" } else { "well" }
        )
        .unwrap();
    }
    text
}

#[test]
fn the_example_table_has_the_least_error_of_its_title() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/data/example.csv");
    if std::env::var_os("MEANFIELD_BLESS").is_some() {
        fs::write(path, example()).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), example());
    let mut stream = Stream::of(1998, 1);
    let mut error = || phi(-severity([(); 4].map(|()| stream.normal())).abs() / LUCK);
    let errors: Vec<f64> = (0..40_000).map(|_| error()).collect();
    let least = mean(errors.iter().copied());
    assert!((least.mean - 0.066).abs() < 0.002, "{least:?}");
    assert!(known::find("example").unwrap().title.contains("6.6 %"));
}

/// On the example table test and leave-one-out errors agree, near the least possible error, and the relevances select the informative columns.
#[test]
fn the_example_table_has_a_useful_default_run() {
    let preset = |id: &str| {
        let page = TASKS.iter().find(|task| task.meta().id == id).unwrap().meta();
        let (line, status) = headless(&format!("#/{id}?{}", page.presets[0].query));
        assert_eq!((line["status"].as_str(), status), (Some("converged"), 0), "{line}");
        assert_eq!(line["result"]["positive"], "ill");
        line["result"].clone()
    };
    let count = |result: &Value, key: &str| result[key].as_f64().unwrap() as usize;
    for (id, most) in [("gp.data", 0.15), ("feedforward.data", 0.35)] {
        let result = preset(id);
        let (trained, tested) = (count(&result, "examples"), result["predictions"].as_array().unwrap().len());
        assert_eq!((trained, tested), (140, 60));
        let (left_out, test) = (count(&result, "loo_errors"), count(&result, "test_errors"));
        let ((from, to), (low, high)) =
            (binomial_interval(left_out, trained), binomial_interval(test, tested));
        assert!(from < high && low < to, "{id}: {left_out} of {trained}, {test} of {tested}");
        assert!((test as f64) < most * tested as f64, "{id}: {test} of {tested} test rows");
    }
    let relevances: Vec<f64> =
        preset("gp.data")["relevances"].as_array().unwrap().iter().map(|a| a.as_f64().unwrap()).collect();
    let least = relevances[..4].iter().copied().fold(f64::INFINITY, f64::min);
    assert!(relevances[4..].iter().all(|a| *a < least), "height and shoe size last: {relevances:?}");
}

#[test]
fn every_page_that_takes_data_offers_the_example_first() {
    let pages = TASKS.iter().filter(|task| task.fields().iter().any(|field| field.kind == Kind::Data));
    // Classifiers only: other tasks with data have their own example, or a data set that is not included.
    let pages: Vec<_> = pages
        .filter(|task| task.fields().iter().any(|field| field.role == Role::Positive))
        .map(|task| (task.fields(), task.meta()))
        .collect();
    assert!(pages.len() >= 2, "{} pages", pages.len());
    for (fields, page) in pages {
        let preset = own_data::example(fields, page.presets).unwrap();
        assert_eq!(preset, &page.presets[0]);
        let (line, _) = headless(&format!("#/{}?{}", page.id, preset.query));
        assert_eq!(line["status"], "converged", "{line}");
    }
}

#[test]
fn a_long_run_reports_its_progress() {
    // One unit, and therefore one shard.
    let link = "#/feedforward.run?inputs=45&hidden=3&alpha=3&beta=inf&draws=10000";
    let ran = Command::new(env!("CARGO_BIN_EXE_headless")).arg(link).output().unwrap();
    let lines = String::from_utf8(ran.stdout).unwrap();
    let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let progress: Vec<Value> = lines.filter(|line| line["event"] == "progress").collect();
    let fractions: Vec<f64> = progress.iter().map(|line| line["fraction"].as_f64().unwrap()).collect();
    assert!(
        fractions.len() > 1 && fractions.is_sorted() && fractions.iter().all(|f| (0.0..=1.0).contains(f)),
        "{fractions:?}"
    );
    assert!(progress.iter().any(|line| line["note"] == "sampling the exact posterior"), "{progress:?}");
}
