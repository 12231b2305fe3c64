//! Tests of the task `nfa.data`, from the text of a table to its figures and files.

use std::fmt::Write as _;

use super::*;
use crate::data::{DataRef, Store};
use crate::figure::{Figure, Mark};
use crate::lab::{Checked, InputError, Outcome, Raw, TypedTask, complete};
use crate::math::random::Stream;
use crate::models::nfa::solver::cost::CostParts;

const ROWS: usize = 240;
/// Noise standard deviation of each channel, in the units of the channel.
const NOISE: [f64; 3] = [4.0, 0.02, 0.1];

/// Returns three noise-free channels of one source, in different units.
fn clean(s: f64) -> [f64; 3] {
    [100.0 * libm::sin(1.5 * s), 0.5 * s, 3.0 - 2.0 * s * s]
}

/// Returns the text of a table with a fourth, constant column, and its missing cells with their true values.
fn table() -> (String, Vec<(usize, usize, f64)>) {
    let mut stream = Stream::of(3, 0);
    let (mut text, mut missing) = ("u,v,w,same\n".to_owned(), Vec::new());
    for t in 0..ROWS {
        let known = clean(2.0 * stream.uniform() - 1.0);
        for (k, (x, noise)) in known.into_iter().zip(NOISE).enumerate() {
            // At most one value per row is missing.
            if t % 8 == 0 && k == t / 8 % 3 {
                missing.push((t, k, x));
                text.push_str("NA,");
            } else {
                write!(text, "{:.5},", x + noise * stream.normal()).unwrap();
            }
        }
        text.push_str("7\n");
    }
    (text, missing)
}

fn run(text: &str, pairs: &[(&str, &str)]) -> Result<(Checked<TableSpec>, TableSnapshot), Vec<InputError>> {
    let mut store = Store::default();
    store.load(text.as_bytes()).unwrap();
    let mut raw: Raw = pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    raw.insert("data".into(), DataRef::file("cells.csv", text.as_bytes()).to_string());
    let spec = Checked::new(&raw)?;
    let snapshot = complete::<OwnData>(&spec, &store)?;
    Ok((spec, snapshot))
}

#[test]
fn missing_values_are_predicted_within_their_error_bars() {
    let (text, missing) = table();
    let settings =
        [("sources", "1"), ("hidden", "12"), ("sweeps", "300"), ("weight_sd", "3"), ("restarts", "2")];
    let (spec, snapshot) = run(&text, &settings).unwrap();
    let row = snapshot.shown().unwrap();
    assert_eq!(
        (row.names.len(), row.lines.len(), row.constant.as_slice()),
        (3, ROWS, &["same".to_owned()][..])
    );
    assert_eq!(OwnData::status(&spec, &snapshot).outcome, Outcome::Converged);
    let costs = snapshot.rows.iter().map(|row| row.fitted.final_cost());
    assert!(costs.clone().count() == 2 && costs.clone().all(|cost| row.fitted.final_cost() <= cost));

    assert_eq!(
        row.missing_cells().collect::<Vec<_>>(),
        missing.iter().map(|(t, k, _)| (*t, *k)).collect::<Vec<_>>()
    );
    let spread = [70.0, 0.3, 0.6];
    let (mut inside, mut errors) = (0, Vec::new());
    for (t, k, truth) in &missing {
        let cell = t * 3 + k;
        let (mean, sd) = (f64::from(row.reconstruction[cell]), f64::from(row.reconstruction_sd[cell]));
        inside += usize::from((mean - truth).abs() < 2.0 * sd);
        errors.push((mean - truth).abs() / spread[*k]);
    }
    // The third channel is even in s, so it does not determine the sign of s; hence at most one value per row is missing.
    assert!(inside * 10 >= missing.len() * 8, "{inside} of {}", missing.len());
    let typical = crate::math::stats::median(errors.into_iter());
    assert!(typical < 0.15, "{typical}");
    // One component explains the first two channels, which are nearly linear, and not the third, which is even in s.
    assert!(row.explained.iter().all(|share| (0.8..1.0).contains(share)), "{:?}", row.explained);
    let linear = &row.linear_explained;
    assert!(linear[0] > 0.8 && linear[1] > 0.8 && linear[2] < 0.2, "{linear:?}");
    let report = OwnData::report(&spec, &snapshot);
    let loading = |k: usize| report["channels"]["loadings"][k][0].as_f64().unwrap();
    assert!(loading(0).abs() > 0.9 && loading(0) * loading(1) > 0.8 && loading(2).abs() < 0.3);
    for (found, noise) in row.fitted.noise.iter().zip(NOISE) {
        assert!(
            (found / noise - 1.0).abs() < 0.35,
            "noise {found} instead of {noise}, in units of the channel"
        );
    }
}

#[test]
fn every_source_and_channel_is_in_the_file() {
    let (text, missing) = table();
    let (spec, snapshot) = run(&text, &[("sources", "2"), ("hidden", "5"), ("sweeps", "20")]).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    assert!(figures[0].id == "loadings" && figures[0].records);
    let file = OwnData::records(&spec, &snapshot).unwrap();
    assert_eq!(file.file, "cells-sources.csv");
    let mut lines = file.csv.lines();
    let head = "line,source 1,sd of source 1,source 2,sd of source 2,u,reconstruction of u,sd of u,v,reconstruction of v,sd of \
                v,w,reconstruction of w,sd of w";
    assert_eq!(lines.next(), Some(head));
    let lines: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!((lines.len(), lines[0][0], lines[ROWS - 1][0]), (ROWS, "2", "241"));
    let row = snapshot.shown().unwrap();
    for (t, cells) in lines.iter().enumerate() {
        assert_eq!(cells[3].parse(), Ok(row.fitted.means[2 * t + 1]));
        for k in 0..3 {
            let missing = missing.iter().any(|cell| (cell.0, cell.1) == (t, k));
            assert_eq!(cells[5 + 3 * k].is_empty(), missing);
            assert_eq!(cells[6 + 3 * k].parse(), Ok(row.reconstruction[3 * t + k]));
        }
    }
}

#[test]
fn row_identifiers_are_in_the_file() {
    let text = "who,a,b\nann,1,2\nbob,2,4.5\n,3,6\ndan,4,7.5\n";
    let (spec, snapshot) =
        run(text, &[("id", "who"), ("sources", "1"), ("hidden", "2"), ("sweeps", "20")]).unwrap();
    let file = OwnData::records(&spec, &snapshot).unwrap().csv;
    let begins = |line: usize, with: &str| file.lines().nth(line).unwrap().starts_with(with);
    assert!(begins(0, "line,who,source 1,") && begins(1, "2,ann,") && begins(3, "4,,"), "{file}");
}

#[test]
fn invalid_settings_for_the_table_are_refused_with_the_nearest_valid_value() {
    let (text, _) = table();
    let refused = |text: &str, key: &str, value: &str| {
        run(text, &[(key, value), ("sweeps", "20")]).err().map(|mut all| all.remove(0)).unwrap()
    };
    let error = refused(&text, "sources", "4");
    assert_eq!((error.field.as_str(), error.nearest.as_deref()), ("sources", Some("3")));
    // The suggested value is accepted.
    assert!(run(&text, &[("sources", "3"), ("sweeps", "20")]).is_ok());
    assert_eq!(refused("x,y\n1,2\n", "sources", "1").field, "data");
    assert_eq!(refused("name\nann\nbob\ncid\n", "sources", "1").field, "data");
}

#[test]
fn only_a_table_with_missing_values_has_their_figure() {
    let (text, missing) = table();
    let figures = |text: &str| {
        let (spec, snapshot) = run(text, &[("sources", "1"), ("hidden", "4"), ("sweeps", "20")]).unwrap();
        OwnData::figures(&spec, &snapshot)
    };
    let filled = |text: &str| figures(text).into_iter().find(|figure| figure.id == "filled");
    assert_eq!(filled(&text).unwrap().marks[0].len(), missing.len());
    assert_eq!(filled(&text.replace("NA", "0")), None);
}

/// Regression: the cost rose from sweep 170 on without a remark in the caption.
#[test]
fn a_cost_that_rises_is_pointed_out_and_that_of_the_preset_falls() {
    let example = include_str!("../../../../assets/data/example.csv");
    let cost = |moments: &str, sweeps: &str| {
        let settings = [("ignore", "diagnosis"), ("sweeps", sweeps), ("moments", moments)];
        let (spec, snapshot) = run(example, &settings).unwrap();
        let figure =
            OwnData::figures(&spec, &snapshot).into_iter().find(|figure| figure.id == "cost").unwrap();
        let costs: Vec<f64> = snapshot.shown().unwrap().fitted.cost.iter().map(CostParts::total).collect();
        (figure, costs)
    };
    let (figure, costs) = cost("taylor", "400");
    let lowest = costs.iter().copied().fold(f64::INFINITY, f64::min);
    let rise = costs[399] - lowest;
    let marked = figure.find("lowest").unwrap().datum(0).unwrap();
    assert!(rise > 100.0 && marked.y == lowest && costs[marked.x as usize - 1] == lowest);
    assert!(figure.caption.contains(&format!("{rise:.1} nats")), "{}", figure.caption);
    assert!(spec::PRESETS[0].query.ends_with("moments=gauss_hermite"));
    let (figure, costs) = cost("gauss_hermite", "400");
    let rises = costs.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::NEG_INFINITY, f64::max);
    assert!(rises < 0.1 && figure.find("lowest").is_none(), "{rises}");
}

#[test]
fn explained_variance_and_loadings_have_a_bar_for_each_column() {
    let (text, _) = table();
    let (spec, snapshot) = run(&text, &[("sources", "2"), ("hidden", "4"), ("sweeps", "20")]).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    for id in ["explained", "loadings"] {
        let figure = figures.iter().find(|figure| figure.id == id).unwrap();
        assert_eq!(figure.x.names, ["u", "v", "w"]);
        assert!(figure.marks.len() == 2 && figure.marks.iter().all(|mark| mark.len() == 3), "{id}");
    }
    let noise = figures.iter().find(|figure| figure.id == "noise").unwrap();
    assert_eq!(noise.x.names, ["u", "v", "w"]);
    // Before the end of the fit the marks are the same, without bars.
    let row = TableRow { explained: Vec::new(), linear_explained: Vec::new(), ..(*snapshot.rows[0]).clone() };
    let figure = channels::explained_figure(&row);
    assert!(figure.marks.len() == 2 && figure.marks.iter().all(Mark::is_empty));
    assert_eq!(row.explained_variance(), None);
    let names =
        |figure: &Figure| figure.marks.iter().map(|mark| mark.info().label.clone()).collect::<Vec<_>>();
    assert_eq!(names(&channels::loadings_figure(&TableRow::default(), 2)), names(&figures[0]));
}

/// The first source of the example is the size of a patient, the second the severity of the illness, on which `crp` depends nonlinearly.
#[test]
fn the_finding_of_the_example_names_the_columns_of_each_source() {
    let example = include_str!("../../../../assets/data/example.csv");
    let settings = [("sweeps", "600"), ("moments", "gauss_hermite")];
    let (spec, snapshot) = run(example, &settings).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    let finding = &figures[0].finding;
    let sources: Vec<&str> = finding.split(';').collect();
    assert!(
        sources.iter().any(|source| source.contains("height") && source.contains("shoe_size")),
        "{finding}"
    );
    assert!(
        sources.iter().any(|source| ["pulse", "temperature", "crp"].iter().all(|name| source.contains(name))),
        "{finding}"
    );
    assert!(finding.chars().count() <= 120, "three lines on a phone: {finding}");
    assert!(
        figures[0].caption.contains("The network explains crp much better than principal components do"),
        "{}",
        figures[0].caption
    );
    let rows = |key: &str| figures[1].find(key).unwrap_or_else(|| panic!("no {key}"));
    let labels = ["rows-1", "rows-2"].map(|key| rows(key).info().label.clone());
    assert_eq!(labels, ["diagnosis = well", "diagnosis = ill"]);
    assert_eq!(rows("rows-1").len() + rows("rows-2").len(), 200);
    assert_eq!(rows("errors").len(), 4, "one cross of typical errors");
}

#[test]
fn a_finding_of_long_names_has_three_lines_on_a_phone() {
    let text = table().0.replacen("u,v,w", "a very long name of the first column of the table,v,w", 1);
    let (spec, snapshot) = run(&text, &[("sources", "2"), ("hidden", "4"), ("sweeps", "20")]).unwrap();
    let figures = OwnData::figures(&spec, &snapshot);
    assert!(figures[0].finding.chars().count() <= 120, "{}", figures[0].finding);
    assert!(figures[1].find("rows").is_some(), "no column of words");
    let few: String = text.split_inclusive('\n').take(31).collect();
    let (spec, snapshot) = run(&few, &[("sources", "2"), ("hidden", "4"), ("sweeps", "20")]).unwrap();
    let errors = OwnData::figures(&spec, &snapshot).swap_remove(1);
    assert_eq!(errors.find("errors").unwrap().len(), 4 * 30, "two error bars in every row");
}

#[test]
fn a_reconstruction_by_the_mean_explains_nothing() {
    let measured = [1.0, 5.0, f64::NAN, 1.0, 3.0, 3.0];
    let shares = channels::explained(&measured, &[2.0, 5.0, 9.0, 1.0, 2.0, 3.0], 2);
    assert_eq!(shares, [0.0, 1.0], "a missing cell is not counted");
}

/// Regression: channels were numbered if there were more than twelve.
#[test]
fn many_channels_are_named_on_their_axis() {
    let names: Vec<String> = (0..20).map(|k| format!("gene {k}")).collect();
    let axis = crate::models::nfa::shared_figures::channel_axis(&names);
    assert_eq!(axis.names, names);
}

/// Runs the fit of [`table`] and infers the sources of `second`.
fn run_with_second(
    second: &str,
    more: &[(&str, &str)],
) -> Result<(Checked<TableSpec>, TableSnapshot), Vec<InputError>> {
    let (text, mut store) = (table().0, Store::default());
    for text in [text.as_str(), second] {
        store.load(text.as_bytes()).unwrap();
    }
    let mut raw: Raw = more.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect();
    raw.insert("data".into(), DataRef::file("cells.csv", text.as_bytes()).to_string());
    raw.insert("predict".into(), DataRef::file("new.csv", second.as_bytes()).to_string());
    let spec = Checked::new(&raw)?;
    let snapshot = complete::<OwnData>(&spec, &store)?;
    Ok((spec, snapshot))
}

#[test]
fn sources_and_missing_values_of_a_second_table_are_inferred() {
    let sources: Vec<f64> = (0..30).map(|t| -0.95 + 1.9 * f64::from(t) / 29.0).collect();
    // The channels in another order, with one missing.
    let mut text = "w,name,u,v\n".to_owned();
    for s in &sources {
        let [u, v, w] = clean(*s);
        let u = if *s > 0.0 { String::new() } else { u.to_string() };
        writeln!(text, "{w},x,{u},{v}").unwrap();
    }
    let settings = [("sources", "1"), ("hidden", "12"), ("sweeps", "300"), ("weight_sd", "3")];
    let (spec, snapshot) = run_with_second(&text, &settings).unwrap();
    let row = snapshot.shown().unwrap();
    let rows = &row.second;
    assert_eq!((rows.lines.len(), rows.lines[0]), (30, 2));
    let rises = rows.means.windows(2).filter(|pair| pair[1] > pair[0]).count();
    assert!(rises == 0 || rises == 29, "the source is a monotone function of s: {:?}", rows.means);
    for (t, s) in sources.iter().enumerate() {
        for (k, truth) in clean(*s).into_iter().enumerate() {
            let cell = 3 * t + k;
            let (mean, sd) = (f64::from(rows.reconstruction[cell]), f64::from(rows.reconstruction_sd[cell]));
            assert!((mean - truth).abs() < 4.0 * sd, "row {t}, channel {k}: {mean} ± {sd}, not {truth}");
        }
    }
    let file = OwnData::records(&spec, &snapshot).unwrap().csv;
    assert_eq!(file.lines().count(), 1 + ROWS + 30);
    assert!(
        file.starts_with("line,part,source 1,")
            && file.lines().last().unwrap().starts_with("31,second file,")
    );
    let report = OwnData::report(&spec, &snapshot);
    assert_eq!(report["new_rows"]["sources"]["mean"].as_array().unwrap().len(), 30);
    assert_eq!(OwnData::figures(&spec, &snapshot)[1].find("second").unwrap().len(), 30);
}

/// The network is that of the first table: learnt rows keep their sources.
#[test]
fn the_sources_of_learnt_rows_are_inferred_again() {
    let text = table().0;
    let settings = [("sources", "1"), ("hidden", "12"), ("sweeps", "600"), ("weight_sd", "3")];
    let (_, snapshot) = run_with_second(&text, &settings).unwrap();
    let row = snapshot.shown().unwrap();
    assert_eq!(row.second.lines, row.lines);
    let differs = |(a, b): (&f32, &f32)| (a - b).abs() > 0.05;
    let differing = row.second.means.iter().zip(&row.fitted.means).filter(|pair| differs(*pair)).count();
    assert!(differing * 50 < ROWS, "{differing} of {ROWS}");
}

#[test]
fn a_second_table_without_a_channel_is_refused() {
    let refused = |text: &str| run_with_second(text, &[("sweeps", "20")]).err().unwrap().remove(0);
    for text in ["u,v\n1,2\n", "u,v,w\n1,2,x\n2,3,y\n"] {
        let error = refused(text);
        assert_eq!(error.field, "predict");
        assert!(error.given.starts_with("new.csv"), "{error:?}");
    }
}
