//! The contract that every registered task keeps, whatever its model: one table, every task through it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{every_task, finish, result, store, units};
use meanfield::figure::Mark;
use meanfield::lab::{Meta, Progress, model_of, shards};
use meanfield::models::{FEEDFORWARD, GP, MODELS, TASKS, catalog, task};

#[test]
fn every_task_is_registered_once_under_its_model() {
    let ids: BTreeSet<&str> = TASKS.iter().map(|t| t.meta().id).collect();
    assert_eq!(ids.len(), TASKS.len());
    for id in ids {
        let model = id.split('.').next().unwrap_or_default();
        assert!(MODELS.iter().any(|m| m.id == model), "{id} belongs to no model");
    }
    for task in TASKS.iter() {
        assert!(task.meta().live.is_none_or(|live| self::task(live).is_some()), "{}", task.meta().id);
    }
}

/// Every file in a folder and those below it.
fn sources_under(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().flatten().map(|e| e.path());
    entries.flat_map(|path| if path.is_dir() { sources_under(&path) } else { vec![path] }).collect()
}

#[test]
fn every_model_that_runs_opens_with_the_first_of_its_pages() {
    let catalog = catalog();
    for model in MODELS {
        let pages: Vec<&str> = catalog.pages(model.id).map(|task| task.meta().id).collect();
        assert_eq!(model.pages, pages, "pages of {}", model.id);
    }
    for model in MODELS {
        let tabs: Vec<_> = catalog.pages(model.id).map(|task| task.meta().tab.unwrap()).collect();
        let built = TASKS.iter().any(|task| model_of(task.meta().id) == model.id);
        assert_eq!(catalog.pages(model.id).next().map(|task| task.meta().id), built.then_some(model.id));
        assert_eq!(BTreeSet::from_iter(&tabs).len(), tabs.len(), "{}: {tabs:?}", model.id);
    }
    for live in TASKS.iter().filter_map(|task| task.meta().live) {
        assert!(task(live).is_some() && catalog.page(live).is_none(), "{live} accompanies others");
    }
}

#[test]
fn every_view_in_the_sources_is_in_the_registry() {
    let registry = fs::read_to_string("src/models/mod.rs").unwrap();
    let mut seen = 0;
    for model in fs::read_dir("src/models").unwrap().flatten().filter(|e| e.path().is_dir()) {
        let name = model.file_name().into_string().unwrap();
        assert!(model.path().join("README.md").exists(), "src/models/{name} has no README.md");
        for file in sources_under(&model.path()) {
            for line in fs::read_to_string(file).unwrap().lines() {
                if let Some(view) = line.strip_prefix("impl View for ") {
                    let view = view.trim_end_matches(" {");
                    assert!(
                        registry.contains(&format!("{name}::{view}>")),
                        "{name}::{view} is not registered"
                    );
                    seen += 1;
                }
            }
        }
    }
    assert_eq!(seen, TASKS.len());
}

#[test]
fn shards_do_not_change_a_result() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        assert!(units > 0, "{} has no work", task.meta().id);
        let whole = result(task, &raw, std::iter::once(0..units)).report();
        for workers in [1, 2, 8] {
            let split = result(task, &raw, shards(units, workers));
            assert_eq!(split.report(), whole, "{} in shards for {workers}", task.meta().id);
        }
        let singly = result(task, &raw, (0..units).map(|unit| unit..unit + 1));
        assert_eq!(singly.report(), whole, "{} unit by unit", task.meta().id);
    }
}

#[test]
fn looking_does_not_change_a_run() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        let mut watched = task.start(&raw, 0..units, &store()).unwrap();
        let mut looks = 0;
        while watched.advance().unwrap() != Progress::Done {
            let (a, b) = (watched.snapshot().unwrap(), watched.snapshot().unwrap());
            assert_eq!(a, b);
            looks += 1;
        }
        assert!(looks > 0 || units == 1, "{} never shows what it has", task.meta().id);
        assert_eq!(watched.snapshot().unwrap(), finish(task, &raw, 0..units), "{}", task.meta().id);
    }
}

#[test]
fn fractions_grow_and_stay_below_one() {
    for (task, raw) in every_task() {
        let units = units(task, &task.check(&raw).unwrap());
        let mut run = task.start(&raw, 0..units, &store()).unwrap();
        let mut last = 0.0;
        while let Progress::Running { fraction, note } = run.advance().unwrap() {
            assert!((last..=1.0).contains(&fraction), "{}: {last} then {fraction}", task.meta().id);
            assert!(!note.is_empty());
            last = fraction;
        }
    }
}

#[test]
fn figures_are_complete_from_the_first_snapshot_on() {
    for (task, raw) in every_task() {
        let values = task.check(&raw).unwrap();
        let mut run = task.start(&raw, 0..units(task, &values), &store()).unwrap();
        loop {
            let done = run.advance().unwrap() == Progress::Done;
            let bytes = run.snapshot().unwrap();
            let figures = task.result(&values, &[&bytes]).unwrap().figures();
            assert!(!figures.is_empty());
            for figure in &figures {
                assert!(!figure.x.label.is_empty() && !figure.y.label.is_empty());
                let keys: BTreeSet<&str> = figure.marks.iter().map(Mark::key).collect();
                assert_eq!(keys.len(), figure.marks.len(), "two marks of one key in {}", figure.id);
            }
            if done {
                break;
            }
        }
    }
}

#[test]
fn bytes_of_another_version_are_refused_not_believed() {
    for (task, raw) in every_task() {
        let values = task.check(&raw).unwrap();
        assert!(task.result(&values, &[&[255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255]]).is_err());
    }
}

#[test]
fn every_model_has_a_program_of_its_own() {
    let page = fs::read_to_string("index.html").unwrap();
    for model in MODELS.iter().filter(|model| !model.pages.is_empty()) {
        let program = fs::read_to_string(format!("src/bin/worker_{}.rs", model.id)).unwrap();
        assert!(
            program.contains(&format!("serve(meanfield::models::{})", model.id.to_uppercase())),
            "{program}"
        );
        assert!(page.contains(&format!("data-bin=\"worker_{}\"", model.id)), "index.html lacks {}", model.id);
    }
    for (name, tasks) in [("feedforward", FEEDFORWARD), ("gp", GP)] {
        assert!(tasks.iter().all(|task| model_of(task.meta().id) == name), "{name} has tasks of others");
    }
}

/// What the page shows of each model before its program has loaded is what the program draws now.
#[test]
fn first_paint_is_up_to_date() {
    let built = MODELS.iter().map(|model| model.id).filter(|id| task(id).is_some());
    let (front, others): (Vec<&str>, Vec<&str>) = built.partition(|id| *id == "feedforward");
    for model in front.iter().chain(&others) {
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("first-paint-{model}.html"));
        let ran = std::process::Command::new(env!("CARGO_BIN_EXE_headless"))
            .arg("--first-paint")
            .arg(&file)
            .arg(format!("#/{model}"))
            .output()
            .unwrap();
        assert!(ran.status.success());
        let committed = format!("assets/first-paint/{model}.html");
        assert!(
            fs::read(&file).ok() == fs::read(&committed).ok(),
            "{committed} is stale: scripts/first-paint makes it anew"
        );
    }
    let known = format!("const OTHERS = {};", serde_json::to_string(&others).unwrap());
    assert!(fs::read_to_string("assets/boot.js").unwrap().contains(&known), "assets/boot.js lacks “{known}”");
    let page = fs::read_to_string("index.html").unwrap();
    for model in MODELS {
        assert!(page.contains(&format!("href=\"#/{}\"", model.id)), "index.html has no link to {}", model.id);
        assert!(page.contains(model.name), "index.html does not name {}", model.id);
    }
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let said = words(&page).replace("\" aria-current=\"page", "");
    let style = fs::read_to_string("style/main.css").unwrap();
    for model in MODELS.iter().filter(|model| !model.pages.is_empty()) {
        let tab = |page: &Meta| format!("#/{}\">{}</a>", page.id, page.tab.unwrap_or_default());
        let tabs: Vec<String> = catalog().pages(model.id).map(|page| tab(page.meta())).collect();
        let title = task(model.id).unwrap().meta().title;
        for part in tabs.iter().map(String::as_str).chain([title, model.promise]) {
            assert!(said.contains(part), "index.html lacks “{part}”");
        }
        let rule = format!("[data-model=\"{0}\"] .of-{0}", model.id);
        assert!(style.contains(&rule), "style/main.css lacks {rule}");
    }
}
