//! Generated files are up to date, and every model is registered and complete.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use meanfield::app::thumbnails::Thumbnails;
use meanfield::lab::{Goal, Link, Meta, Model, Preset, Raw, Task, model_of};
use meanfield::models::{MODELS, TASKS, catalog, task};

use crate::common::whole;

/// Returns the pages of a model, the one it opens with first.
fn pages(model: &Model) -> Vec<&'static Meta> {
    catalog().pages(model.id).map(Task::meta).collect()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

#[test]
fn generated_files_are_up_to_date() {
    let files = xtask::generate(&|| Command::new(env!("CARGO_BIN_EXE_headless"))).unwrap();
    let is_stale = |(path, text): &(&String, &String)| fs::read_to_string(path).ok().as_ref() != Some(text);
    let stale: Vec<&String> = files.iter().filter(is_stale).map(|(path, _)| path).collect();
    assert!(stale.is_empty(), "stale (scripts/register writes them): {stale:?}");
}

#[test]
fn every_preset_has_a_small_picture() {
    for page in MODELS.iter().copied().flat_map(pages) {
        let model = model_of(page.id);
        let drawn = Thumbnails::read(&read(format!("src/models/{model}/page/{}", Thumbnails::file(page.id))));
        let has_marks = |picture: &String| ["<path", "<circle"].iter().any(|mark| picture.contains(mark));
        let is_drawn = |preset: &&Preset| drawn.pictures.get(preset.query).is_some_and(has_marks);
        let lacking = page.presets.iter().filter(|preset| !is_drawn(preset));
        let lacking: Vec<&str> = lacking.map(|preset| preset.label).collect();
        assert!(lacking.is_empty(), "{}: no picture of {lacking:?}", page.id);
    }
}

#[test]
fn every_folder_of_a_model_is_registered_under_its_name() {
    let folders: BTreeSet<String> = fs::read_dir("src/models")
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    assert_eq!(folders, MODELS.iter().map(|model| model.id.to_owned()).collect());
    for model in MODELS {
        let paper = &model.paper;
        for text in [
            model.name,
            model.question,
            model.promise,
            paper.short,
            paper.authors,
            paper.title,
            paper.reference,
        ] {
            assert!(!text.trim().is_empty(), "{}", model.id);
        }
        let takes = !model.takes.is_empty();
        assert_eq!(
            (!model.takes_words.is_empty(), xtask::table_page(model).is_some()),
            (takes, takes),
            "{}",
            model.id
        );
        assert!(paper.bibtex.starts_with('@') && paper.bibtex.ends_with('}'), "{}", model.id);
        let title: String =
            paper.bibtex.split_whitespace().collect::<Vec<_>>().join(" ").replace(['{', '}'], "");
        assert!(
            title.to_lowercase().contains(&paper.title.to_lowercase()),
            "{}: BibTeX of another paper",
            model.id
        );
    }
}

/// The year of a paper is the same in its name, its reference and its BibTeX entry.
#[test]
fn a_paper_has_one_year() {
    for model in MODELS {
        let paper = &model.paper;
        let year = paper.short.rsplit(' ').next().unwrap();
        assert!(year.len() == 4 && year.parse::<usize>().is_ok(), "{}", paper.short);
        assert!(paper.reference.ends_with(&format!("({year})")), "{}: {}", paper.short, paper.reference);
        let entry = paper.bibtex.split_whitespace().collect::<String>();
        assert!(entry.contains(&format!("year={{{year}}}")), "{}: {}", paper.short, paper.bibtex);
        assert!(paper.bibtex.lines().next().unwrap().contains(year), "{}: {}", paper.short, paper.bibtex);
    }
}

/// The number of a run stays on the line of the word before it.
#[test]
fn links_to_runs_are_not_broken_over_lines() {
    let ledger = read("assets/pages/papers.html");
    assert!(ledger.contains(">run\u{a0}1</a>") && !ledger.contains(">run 1<"));
}

#[test]
fn every_task_belongs_to_the_model_that_lists_it() {
    let ids: BTreeSet<&str> = TASKS.iter().map(|task| task.meta().id).collect();
    assert_eq!(ids.len(), TASKS.len(), "an id occurs twice");
    for model in MODELS.iter().copied() {
        assert!(model.tasks.iter().all(|task| model_of(task.meta().id) == model.id), "{}", model.id);
        assert_eq!(pages(model).first().map(|page| page.id), Some(model.id), "the first page");
        assert!(
            pages(model).iter().all(|page| page.question.ends_with('?') && page.subtitle.ends_with('.')),
            "{}: each page has a question and a subtitle",
            model.id
        );
        let tabs: BTreeSet<_> = pages(model).iter().map(|page| page.tab).collect();
        assert_eq!(tabs.len(), pages(model).len(), "{}: {tabs:?}", model.id);
    }
    for live in TASKS.iter().filter_map(|task| task.meta().live) {
        assert!(task(live).is_some() && catalog().page(live).is_none(), "{live} accompanies others");
    }
}

/// An exercise that names a missing field or preset could never be ticked; one that the defaults complete would be ticked at once.
#[test]
fn exercises_can_be_done_and_are_not_done_at_first() {
    for task in TASKS.iter() {
        let meta = task.meta();
        let defaults = task.check(&Raw::new()).map(|values| values.to_raw()).unwrap_or_default();
        for exercise in meta.exercises {
            assert!(!exercise.is_done(&defaults, &defaults, None), "{}: {}", meta.id, exercise.text);
            let known = match exercise.goal {
                Goal::Preset(label) => {
                    meta.presets.iter().any(|preset| preset.label == label && !preset.query.is_empty())
                }
                Goal::Changed(keys) => {
                    keys.iter().all(|key| task.fields().iter().any(|field| field.key == *key))
                }
                Goal::AtMost(..) | Goal::AtLeast(..) | Goal::Is(..) => {
                    let raw: Raw =
                        exercise.edit().into_iter().map(|(key, text)| (key.to_owned(), text)).collect();
                    let values = task.check(&raw).expect("the value of the exercise is accepted");
                    exercise.is_done(&defaults, &values.to_raw(), None)
                }
            };
            assert!(known, "{}: {}", meta.id, exercise.text);
        }
    }
}

/// A challenge without its numbers could never be met; one that the defaults meet is none.
#[test]
fn challenges_have_their_numbers_and_are_not_solved_at_first() {
    let mut count = 0;
    for task in TASKS.iter() {
        let Some(challenge) = task.meta().challenge else { continue };
        let report = whole(*task, &Raw::new()).report();
        let attempt = challenge.attempt(&report).unwrap_or_else(|| panic!("{}: {report}", task.meta().id));
        assert!(!attempt.solved, "{}: {}", task.meta().id, attempt.numbers);
        count += 1;
    }
    assert_eq!(count, MODELS.len(), "one for each model");
}

/// An unlisted task would silently be missing.
#[test]
fn every_task_in_the_sources_is_listed() {
    fn sources(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path());
        entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![read(path)] }).collect()
    }
    for model in MODELS {
        let folder = Path::new("src/models").join(model.id);
        let sources = sources(&folder);
        let lines = sources.iter().flat_map(|text| text.lines());
        let tasks = lines
            .filter(|line| line.starts_with("impl TypedTask for ") || line.starts_with("impl HasLive for "))
            .count();
        assert_eq!(tasks, model.tasks.len(), "{}: tasks in the sources and in the list", model.id);
    }
}

#[test]
fn every_model_has_all_its_files() {
    let [benches, oracles] = ["benches/lib.rs", "tests/native/main.rs"].map(read);
    for model in MODELS.iter().copied() {
        let folder = Path::new("src/models").join(model.id);
        let readme = Path::new("src/methods").join(model.id).join("README.md");
        assert!(readme.is_file(), "{} is missing", readme.display());
        for (list, what) in [(&benches, "timed kernels"), (&oracles, "comparison with independent numbers")] {
            assert!(list.contains(&format!("mod {};", model.id)), "{} has no {what}", model.id);
        }
        for page in pages(model) {
            let notes = folder.join("page").join(format!("{}.html", page.id));
            assert!(notes.is_file(), "{} is missing", notes.display());
        }
        let small: BTreeSet<String> = model.small_runs.iter().map(|link| Link::parse(link).task).collect();
        let tasks: BTreeSet<String> = model.tasks.iter().map(|task| task.meta().id.to_owned()).collect();
        assert_eq!(small, tasks, "{}: each task has a small run", model.id);
    }
}

/// The links in the sentences of the notes are valid runs.
#[test]
fn every_link_of_the_notes_is_a_valid_run() {
    let mut links = 0;
    for model in MODELS.iter().copied() {
        for page in pages(model) {
            let file = Path::new("src/models").join(model.id).join("page").join(format!("{}.html", page.id));
            let notes = read(&file);
            for link in notes.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
                let link = format!("#{}", link.replace("&amp;", "&"));
                let Link { task: id, raw } = Link::parse(&link);
                let task = task(&id).unwrap_or_else(|| panic!("{}: {link} has no task", file.display()));
                assert!(task.meta().tab.is_some(), "{link} is not a page");
                let checked = task.check(&raw);
                assert!(checked.is_ok(), "{}: {link}: {:?}", file.display(), checked.err());
                links += 1;
            }
        }
    }
    assert!(links > 15, "{links} links");
}

#[test]
fn the_page_may_fetch_from_the_hosts_of_the_known_sets_and_no_others() {
    let hosts: BTreeSet<&str> = meanfield::data::known::SETS
        .iter()
        .flat_map(|set| set.files)
        .filter(|file| !file.address.is_empty())
        .map(meanfield::data::known::KnownFile::host)
        .collect();
    let page = read("index.html");
    let policy = page.split("connect-src 'self' ").nth(1).and_then(|rest| rest.split(';').next());
    let allowed: BTreeSet<&str> =
        policy.expect("a policy").split(' ').filter_map(|host| host.strip_prefix("https://")).collect();
    assert_eq!(allowed, hosts);
}
