//! The same table in every model that classifies tables: all use the same rows and columns, and refuse unsuitable
//! tables with the same error.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use meanfield::lab::{Kind, Role};
use meanfield::math::random::Stream;
use meanfield::models::TASKS;
use serde_json::Value;

use crate::common::headless::{headless, headless_with, write};

/// Returns the tasks that classify a table, whose label has a positive value.
fn classifiers() -> Vec<&'static str> {
    let takes = |key: &'static str| {
        TASKS.iter().filter(move |task| task.fields().iter().any(|f| f.kind == Kind::Data && f.key == key))
    };
    let ids: Vec<&str> = takes("data")
        .filter(|task| task.fields().iter().any(|f| f.role == Role::Positive))
        .map(|task| task.meta().id)
        .collect();
    assert!(ids.len() >= 2, "{ids:?}");
    ids
}

/// A constant column, a column of the words Train and Test after the label, a row without a label.
const TABLE: &str = "year,a,b,y,part
1996,3,2,yes,Train\n1996,-1,1,no,Train\n1996,3,1,yes,Train\n1996,-3,0,no,Train
1996,-2,1,no,Test\n1996,2,0,yes,Test\n1996,1,1,,Train\n1996,4,-1,yes,Train\n1996,-2,-2,no,Train
";

#[test]
fn classifiers_use_the_same_rows_and_columns() {
    let path = write("alike.csv", TABLE);
    let second = write("alike_second.csv", "b,note,a\n1,u,3\n0,v,-3\n");
    let mut seen: Option<(&str, Value)> = None;
    for id in classifiers() {
        let link = format!("#/{id}?data={}&predict={}", path.display(), second.display());
        let (line, status) = headless(&link);
        assert_eq!((line["event"].as_str(), status), (Some("finished"), 0), "{line}");
        let result = &line["result"];
        let keys = [
            "examples",
            "columns",
            "constant_columns",
            "label",
            "positive",
            "lines",
            "test_lines",
            "unlabelled_lines",
        ];
        let mut used: Value = keys.iter().map(|key| ((*key).to_owned(), result[key].clone())).collect();
        used["predicted"] =
            result["predicted"].as_array().unwrap().iter().map(|row| row["line"].clone()).collect();
        // The rule is a > 0, which classifies the rows of the second file.
        let p = |i: usize| result["predicted"][i]["p"].as_f64().unwrap();
        assert!(p(0) > 0.5 && p(1) < 0.5, "{id}: {} {}", p(0), p(1));
        assert_eq!(
            (result["predictions"].as_array().unwrap().len(), result["test_errors"].as_f64()),
            (2, Some(0.0))
        );
        if let Some((other, seen)) = &seen {
            assert_eq!(seen, &used, "{other} and {id}");
        }
        seen = Some((id, used));
    }
    let (_, used) = seen.unwrap();
    assert_eq!(used["columns"], serde_json::json!(["a", "b"]));
    assert_eq!((&used["label"], &used["positive"]), (&"y".into(), &"yes".into()));
    assert_eq!(used["constant_columns"], serde_json::json!(["year"]));
    assert_eq!(used["test_lines"], serde_json::json!([6, 7]));
    assert_eq!(used["unlabelled_lines"], serde_json::json!([8]));
}

#[test]
fn classifiers_refuse_the_same_tables() {
    // Name, table, further settings; field of the error, and a part of its text.
    let files = [
        ("hole", "a,b,y\n1,2,0\n1,,1\n", "", "missing", "row 3, column “b”"),
        ("slip", "a,b,y\n1,2,0\n1,2o,1\n", "", "na", "Row 3, column “b” is “2o”"),
        ("dates", "a,when,y\n1,2024-01-31,0\n2,2024-02-29,1\n", "", "ignore", "2024-01-31"),
        ("long", "a,b,y\n1,2,0\n1,2,1,3\n", "", "skip_malformed", "Row 3 has 4"),
        ("short", "a,b,y\n1,2,0\n1,2\n", "", "skip_malformed", "Row 3 has 2"),
        ("three", "a,b,y\n1,2,0\n1,3,1\n2,2,2\n", "", "label", "0, 1, 2"),
        ("which", "a,b,part\n1,2.5,Train\n3,4,Test\n5,6,Train\n", "", "label", "“part”"),
        ("flags", "a,y,is_test\n1,0,0\n3,1,1\n5,1,0\n", "", "label", "“is_test”"),
        ("label", "a,b,y\n1,2,0\n1,3,1\n", "&label=z", "label", "a, b, y"),
        ("value", "a,b,y\n1,2,0\n1,3,1\n", "&positive=7", "positive", "0 or 1"),
        ("ignore", "a,b,y\n1,2,0\n1,3,1\n", "&ignore=a,c", "ignore", "a, b, y"),
        ("split", "a,b,y\n7,2,0\n1,3,1\n", "&split=a", "split", "row 2"),
        ("unsplit", "a,use,y\n1,1,0\n2,maybe,1\n", "&split=use", "split", "row 3"),
        ("nowhere", "a,b,y\n1,2,0\n1,3,1\n", "&split=z", "split", ""),
        ("same", "a,b,y\n1,2,0\n1,2,1\n", "", "data", ""),
    ];
    for (name, text, query, field, fact) in files {
        let path = write(&format!("refused_{name}.csv"), text);
        let problems: Vec<Value> = classifiers()
            .into_iter()
            .map(|id| {
                let (line, status) = headless(&format!("#/{id}?data={}{query}", path.display()));
                assert_eq!((line["event"].as_str(), status), (Some("rejected"), 2), "{name}: {line}");
                line["problems"][0].clone()
            })
            .collect();
        assert_eq!(problems[0]["field"], field, "{name}: {problems:?}");
        assert!(problems[0]["expected"].as_str().unwrap().contains(fact), "{name}: {problems:?}");
        let alike = |key: &&str| problems.iter().all(|problem| problem[*key] == problems[0][*key]);
        assert!(["field", "given", "expected", "nearest"].iter().all(alike), "{name}: {problems:?}");
    }
}

#[test]
fn classifiers_treat_missing_values_and_word_columns_alike() {
    const TABLE: &str = "# of two wards\nward,a,b,y\nnorth,3,2,yes\nsouth,-3,1,no\nsouth,-1,,no\nnorth,2,-999,yes\n\
                         north,1,1\nsouth,-2,0,no\nnorth,1,1,yes\n";
    let path = write("treated.csv", TABLE);
    let result = |id: &str, query: &str| {
        let (line, status) = headless(&format!("#/{id}?data={}&skip_malformed=true&{query}", path.display()));
        assert_eq!((line["event"].as_str(), status), (Some("finished"), 0), "{id}, {query}: {line}");
        line["result"].clone()
    };
    for id in classifiers() {
        let skipped = result(id, "missing=skip&na=-999");
        assert_eq!(skipped["columns"], serde_json::json!(["ward = south", "a", "b"]), "{id}");
        assert_eq!((&skipped["examples"], &skipped["lines"]), (&4.into(), &serde_json::json!([3, 4, 8, 9])));
        assert_eq!(
            skipped["treatment"],
            serde_json::json!({ "words": [["ward", 1]], "validation": 0, "skipped": 2, "imputed": 0, "malformed": 1 })
        );
        let imputed = result(id, "missing=impute&na=-999");
        assert_eq!((&imputed["examples"], &imputed["treatment"]["imputed"]), (&6.into(), &2.into()), "{id}");
    }
}

/// The predictions of all rows are one file, with the same lines for every classifier.
#[test]
fn predictions_are_a_file_with_one_line_per_row() {
    let path = write("predicted.csv", TABLE);
    let second = write("predicted_second.csv", "b,note,a\n1,u,3\n0,v,-3\n");
    for id in classifiers() {
        let out = write(&format!("{id}-predictions.csv"), "");
        let link = format!("#/{id}?data={}&predict={}", path.display(), second.display());
        let arguments = [link.as_str(), "--csv", out.to_str().unwrap(), "--figure", "predictions"];
        let (line, status) = headless_with(&arguments);
        assert_eq!((line["event"].as_str(), status), (Some("finished"), 0), "{line}");
        let mut csv = csv::Reader::from_path(&out).unwrap();
        let head: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(head[..6], ["line", "part", "y", "most probable", "p(no)", "p(yes)"], "{id}");
        let rows: Vec<Vec<String>> =
            csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        let left_out = "training row (left out)";
        let of = |row: &Vec<String>| [0, 1, 2].map(|i| row[i].clone());
        let expected = [
            ["2", left_out, "yes"],
            ["3", left_out, "no"],
            ["4", left_out, "yes"],
            ["5", left_out, "no"],
            ["9", left_out, "yes"],
            ["10", left_out, "no"],
            ["6", "test row", "no"],
            ["7", "test row", "yes"],
            ["8", "no label", ""],
            ["2", "second file", ""],
            ["3", "second file", ""],
        ];
        assert_eq!(rows.iter().map(of).collect::<Vec<_>>(), expected, "{id}");
        let predicted = &line["result"]["predicted"];
        for (row, predicted) in rows[9..].iter().zip(predicted.as_array().unwrap()) {
            let p: f64 = row[5].parse().unwrap();
            assert_eq!(Some(p), predicted["p"].as_f64(), "{id}: {row:?}");
            assert_eq!(row[3], if p > 0.5 { "yes" } else { "no" }, "{id}");
        }
    }
}

#[test]
fn a_refused_table_is_overruled_by_the_fields_of_the_link() {
    let path = write("overruled.csv", "exported today,\na,y\n1,0,3,4\n2,1,4,5\n1,0,4,4\n");
    for id in classifiers() {
        let link = format!("#/{id}?data={}", path.display());
        let (line, status) = headless(&link);
        assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("data"), 2), "{line}");
        let (line, status) = headless(&format!("{link}&skip_lines=2"));
        assert_eq!((line["event"].as_str(), status), (Some("finished"), 0), "{line}");
        assert_eq!(line["reading"]["decisions"]["skipped"], serde_json::json!([1, 2]));
    }
}

#[test]
fn predictions_join_back_to_the_table() {
    let text = "code;dose;b;y\n01,10;1,5;002;no\n01,20;2,5;1;yes\n01,30;1,0;003;no\n01,40;3,5;4;yes\n01,50;2,75;5;\n";
    let path = write("joined.csv", text);
    for id in classifiers() {
        let out = write(&format!("{id}-joined.csv"), "");
        let query = "id=code&originals=true&export_format=table&threshold=0.99";
        let link = format!("#/{id}?data={}&{query}", path.display());
        let (line, status) =
            headless_with(&[&link, "--csv", out.to_str().unwrap(), "--figure", "predictions"]);
        assert_eq!((line["event"].as_str(), status), (Some("finished"), 0), "{line}");
        let mut csv = csv::ReaderBuilder::new().delimiter(b';').from_path(&out).unwrap();
        let head: Vec<String> = csv.headers().unwrap().iter().map(str::to_owned).collect();
        assert_eq!(
            (&head[..2], &head[head.len() - 4..]),
            (&["line".into(), "code".into()][..], &["decision", "dose", "b", "y"].map(str::to_owned)[..])
        );
        let rows: Vec<Vec<String>> =
            csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
        let ends = |row: &Vec<String>| row[row.len() - 3..].join(";");
        let original = |row: &Vec<String>| format!("{};{}", row[1], ends(row));
        assert_eq!(
            rows.iter().map(original).collect::<Vec<_>>(),
            text.lines().skip(1).collect::<Vec<_>>(),
            "{id}"
        );
        let at = |name: &str| head.iter().position(|column| column == name).unwrap();
        for row in &rows {
            let p: f64 = row[at("p(yes)")].replace(',', ".").parse().unwrap();
            assert_eq!(row[at("decision")], if p > 0.99 { "yes" } else { "no" }, "{id}: {row:?}");
        }
    }
}

#[test]
fn a_regression_on_all_rows_predicts_new_ones_and_saves_no_empty_file() {
    let row = |i: usize| format!("{}.5,{},{}\n", i % 7, (3 * i) % 11, 2 * i + 1);
    let table = (0..24).fold("a,b,t\n".to_owned(), |text, i| text + row(i).as_str());
    let (path, new) = (write("all_rows.csv", &table), write("all_rows_new.csv", "b,a\n1,2\n3,4\n"));
    let out = write("all_rows_out.csv", "");
    let link = format!("#/mlp.data?data={}&train_fraction=1&hidden=1&restarts=1", path.display());
    let save = ["--csv", out.to_str().unwrap(), "--figure", "predictions"];
    let (line, status) = headless_with(&[&[link.as_str()][..], &save].concat());
    assert_eq!((line["event"].as_str(), status), (Some("finished"), 1), "there is nothing to save: {line}");
    let link = format!("{link}&predict={}", new.display());
    let (line, status) = headless_with(&[&[link.as_str()][..], &save].concat());
    assert_eq!(status, 0, "{line}");
    let mut csv = csv::Reader::from_path(&out).unwrap();
    let rows: Vec<Vec<String>> =
        csv.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    assert_eq!((rows.len(), rows[0][1].as_str()), (2, "second file"));
    let number = |i: usize| rows[0][i].parse::<f64>().unwrap();
    let (mean, sd, lower, upper) = (number(3), number(4), number(5), number(6));
    assert!((lower - (mean - 1.96 * sd)).abs() < 1e-3 * sd && (upper - (mean + 1.96 * sd)).abs() < 1e-3 * sd);
}

/// Returns three nearly equal rows for each of 20 patients, whose inputs are independent of their labels.
fn patients() -> String {
    let mut stream = Stream::of(7, 0);
    let mut text = "a,patient,b,y\n".to_owned();
    for patient in 0..20 {
        let [a, b] = [stream.normal(), stream.normal()];
        let label = if patient % 2 == 0 { "yes" } else { "no" };
        for row in 0..3 {
            let near = 0.001 * f64::from(row);
            writeln!(text, "{},p{patient},{},{label}", a + near, b - near).unwrap();
        }
    }
    text
}

/// Returns a setting for which the classifier has a solution even if the labels are noise.
fn noisy(id: &str) -> &'static str {
    if id.starts_with("feedforward") { "&beta=0.2" } else { "&v=0.1" }
}

#[test]
fn rows_of_a_group_are_held_out_together() {
    let path = write("patients.csv", &patients());
    let patient = |line: &Value| (line.as_u64().unwrap() - 2) / 3;
    for id in classifiers() {
        let link = format!("#/{id}?data={}&group=patient{}", path.display(), noisy(id));
        let (line, _) = headless(&link);
        let result = &line["result"];
        assert_eq!(result["columns"], serde_json::json!(["a", "b"]), "{id}");
        let folds = result["folds"].as_array().unwrap();
        assert_eq!(folds.len(), 5, "{id}");
        let of_fold = |fold: &Value| -> BTreeSet<u64> {
            fold["rows"].as_array().unwrap().iter().map(patient).collect()
        };
        let patients: Vec<BTreeSet<u64>> = folds.iter().map(of_fold).collect();
        assert!(patients.iter().all(|patients| patients.len() == 4), "{id}: {patients:?}");
        assert_eq!(patients.iter().flatten().collect::<BTreeSet<_>>().len(), 20, "{id}");
        let headline = &result["headline"];
        assert_eq!(
            (&headline["rows"], &headline["better_than_chance"]),
            (&"folds".into(), &false.into()),
            "{id}"
        );
        let (line, _) = headless(&format!("{link}&train_fraction=0.7"));
        let lines = |key: &str| -> BTreeSet<u64> {
            line["result"][key].as_array().unwrap().iter().map(patient).collect()
        };
        assert!(lines("lines").is_disjoint(&lines("test_lines")), "{id}");
        let (line, status) = headless(&link.replace("group=patient", "group=nobody"));
        assert_eq!((line["problems"][0]["field"].as_str(), status), (Some("group"), 2), "{line}");
    }
}

#[test]
fn copies_of_a_row_are_held_out_together() {
    let text = patients();
    let (head, rows) = text.split_once('\n').unwrap();
    // Every row occurs twice.
    let twice: Vec<&str> = rows.lines().flat_map(|row| [row, row]).collect();
    let path = write("copies.csv", &format!("{head}\n{}\n", twice.join("\n")));
    for id in classifiers() {
        let link = format!("#/{id}?data={}&ignore=patient&folds=4{}", path.display(), noisy(id));
        let (line, _) = headless(&link);
        for fold in line["result"]["folds"].as_array().unwrap() {
            let lines: Vec<u64> =
                fold["rows"].as_array().unwrap().iter().map(|line| line.as_u64().unwrap()).collect();
            assert!(
                lines.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1),
                "{id}: {lines:?}"
            );
        }
    }
}
