//! Pictures of runs with the default settings, or with the example of a page that needs a table: of each page, shown before the program
//! has loaded or in the place of a result; of each model, on the front page; and the one in the README.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, process};

use meanfield::app::own_data;
use meanfield::lab::{Meta, model_of};
use meanfield::ledger;
use meanfield::models::{MODELS, task};

use super::{all_pages, home, read, waits};

/// Returns the files with pictures: paths from the root of the sources, and texts.
pub fn files(headless: &dyn Fn() -> Command) -> Result<Vec<(String, String)>, String> {
    let scratch = env::temp_dir().join(format!("meanfield-register-{}", process::id()));
    fs::create_dir_all(&scratch).map_err(|why| format!("{}: {why}", scratch.display()))?;
    let files = draw_all(headless, &scratch);
    // A leftover temporary folder is harmless.
    let _ = fs::remove_dir_all(&scratch);
    files
}

fn draw_all(headless: &dyn Fn() -> Command, scratch: &Path) -> Result<Vec<(String, String)>, String> {
    let (mut files, mut cards) = (Vec::new(), Vec::new());
    for page in all_pages() {
        let drawn = Drawn::new(headless(), page, scratch)?;
        for width in ["wide", "narrow"] {
            let name = format!("{}-{width}.html", page.id);
            let path = format!("src/models/{}/page/first-paint/{name}", model_of(page.id));
            files.push((path, read(scratch.join(name))?));
        }
        // The first page of a model has the model's id.
        if let Some(model) = MODELS.iter().copied().find(|model| model.id == page.id) {
            if cards.is_empty() {
                files.push(("assets/learning-curve.svg".to_owned(), read(drawn.figure)?));
            }
            cards.push((model, read(drawn.card)?));
        }
    }
    let home = home::page(&cards, &ledger::sections(MODELS)?);
    files.push(("assets/pages/home.html".to_owned(), home));
    Ok(files)
}

/// Files that `headless` has written of one page, beside those of the first picture.
struct Drawn {
    /// Main figure, as the page exports it.
    figure: PathBuf,
    /// Small picture for the front page.
    card: PathBuf,
}

impl Drawn {
    /// Runs a page with its default settings, or with those of its example if it needs a table.
    fn new(mut headless: Command, page: &Meta, scratch: &Path) -> Result<Self, String> {
        let file = |name: &str| scratch.join(format!("{}-{name}.svg", page.id));
        let fields = task(page.id).map_or(&[][..], |task| task.fields());
        let example = own_data::example(fields, page.presets).filter(|_| waits(page));
        let example = example.map_or("", |preset| preset.query);
        let drawn = Self { figure: file("figure"), card: file("card") };
        let ran = headless
            .args([Path::new("--first-paint"), scratch])
            .args([Path::new("--svg"), &drawn.figure])
            .args([Path::new("--sketch"), &drawn.card])
            .arg(format!("#/{}?{}", page.id, example))
            .output()
            .map_err(|why| format!("headless: {why}"))?;
        if ran.status.success() {
            Ok(drawn)
        } else {
            Err(format!("{}: {}", page.id, String::from_utf8_lossy(&ran.stderr)))
        }
    }
}
