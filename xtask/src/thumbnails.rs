//! Small pictures of presets for the buttons of the page. Some presets compute for a minute, so a picture is drawn again only if the
//! revision of its model has changed; to draw all of them, delete the files. Presets of public data sets are drawn from those data,
//! which are read from `MEANFIELD_DATA`.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::{env, fs, process};

use meanfield::app::thumbnails::Thumbnails;
use meanfield::data::DataRef;
use meanfield::lab::{Link, Meta, Model, Preset, model_of};
use meanfield::models::{catalog, task};

use super::merged::merge_shapes;
use super::{all_pages, home, read};

/// Size of a picture in CSS pixels, larger than it is shown, so that lines are thin.
const SIZE: &str = "120x72";

/// Figures to be drawn for presets that are not about one of their own, by page, where the first figure looks the same for all: the
/// drawing on the pad, or the fits with few hidden units.
const FIGURES: &[(&str, &str)] = &[("mlp.units", "bounds"), ("sbn", "dreams")];

/// Data of the presets that leave the table to the user, by page: those that their texts speak of.
const TABLES: &[(&str, &str)] = &[("gp.data", "data=sonar&standardise=true&")];

/// Presets that compute for hours, by page and query, and the shorter run on the same data whose picture they get.
const SHORTER: &[(&str, &str, &str)] = &[(
    "sbn",
    "data=mnist&per_digit=0&test=0&missing=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8&baselines=knn,mixture",
    "data=mnist&per_digit=500&test=20",
)];

/// Returns the path and the text of the file of each page.
pub fn files(headless: &dyn Fn() -> Command) -> Result<Vec<(String, String)>, String> {
    all_pages().map(|page| file(headless, page)).collect()
}

fn file(headless: &dyn Fn() -> Command, page: &Meta) -> Result<(String, String), String> {
    let model = model_of(page.id);
    let path = format!("src/models/{model}/page/{}", Thumbnails::file(page.id));
    let revision = catalog().model(model).map_or(0, Model::revision);
    let drawn = Thumbnails::read(&fs::read_to_string(&path).unwrap_or_default());
    let old = if drawn.revision == revision { drawn.pictures } else { BTreeMap::default() };
    let mut thumbnails = Thumbnails { revision, ..Thumbnails::default() };
    for preset in page.presets {
        let Some(settings) = settings(page, preset) else { continue };
        let link = format!("#/{}?{settings}", page.id);
        let picture = old.get(preset.query).cloned();
        let picture = picture.map_or_else(|| draw(headless(), page, preset, &link), Ok)?;
        thumbnails.pictures.insert(preset.query.to_owned(), merge_shapes(&picture));
    }
    Ok((path, thumbnails.to_text()))
}

/// Returns the settings of the run that is drawn for a preset; `None` if only the user has its table.
fn settings(page: &Meta, preset: &Preset) -> Option<String> {
    let shorter = SHORTER.iter().find(|(id, query, _)| (*id, *query) == (page.id, preset.query));
    let run = shorter.map_or(preset.query, |(_, _, run)| run);
    let values = |query: &str| task(page.id)?.check(&Link::settings(query)).ok();
    let is_known = |data: &DataRef| data.needs_no_file() || data.known().is_some();
    let table = TABLES.iter().find(|(id, _)| *id == page.id && values(run).is_some_and(|v| v.lacks_data()));
    let run = table.map_or("", |(_, table)| table).to_owned() + run;
    let values = values(&run)?;
    (!values.lacks_data() && values.data().is_none_or(is_known)).then_some(run)
}

/// Runs a preset, and returns the small picture of the figure that it is about.
fn draw(mut headless: Command, page: &Meta, preset: &Preset, link: &str) -> Result<String, String> {
    let picture = env::temp_dir().join(format!("meanfield-thumbnail-{}.svg", process::id()));
    let usual = FIGURES.iter().find(|(id, _)| *id == page.id).map(|(_, figure)| *figure);
    let figure = Some(preset.figure).filter(|figure| !figure.is_empty()).or(usual);
    if let Some(figure) = figure {
        headless.args(["--figure", figure]);
    }
    let ran = headless
        .args([Path::new("--sketch"), &picture])
        .args(["--size", SIZE])
        .arg(link)
        .output()
        .map_err(|why| format!("headless: {why}"))?;
    // A run without a result has exit status 1 and still writes a picture.
    if !matches!(ran.status.code(), Some(0 | 1)) {
        return Err(format!("{link}: {}", String::from_utf8_lossy(&ran.stderr)));
    }
    let svg = read(&picture)?;
    // A leftover temporary file is harmless.
    let _ = fs::remove_file(&picture);
    Ok(unlabelled(&home::compact(&svg).replace('\n', "")))
}

/// Returns a picture without its label: it stands in a button that has one.
fn unlabelled(svg: &str) -> String {
    match svg.split_once(" role=\"img\" aria-label=\"") {
        Some((before, label)) => before.to_owned() + label.split_once('"').map_or("", |(_, after)| after),
        None => svg.to_owned(),
    }
}
