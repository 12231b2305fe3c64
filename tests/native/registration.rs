//! What a model is outside its folder is generated from its `MODEL`: the page's markup, Cargo's lists of programs and benches,
//! the list of oracle tests, the README's table, the citation file, and the pictures shown before a program is there.
//! `scripts/register` writes all of it; here it is held up to date, together with what no program can write.

mod citation;
mod front;
mod home;
mod region;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use meanfield::lab::{Link, Meta, Model, model_of};
use meanfield::ledger;
use meanfield::models::{MODELS, TASKS, catalog, task};
use meanfield::render::escape;

use front::{headings, waiting, waits};
use region::Region;

/// The pages of a model, the one it opens with first.
fn pages(model: &Model) -> Vec<&'static Meta> {
    catalog().pages(model.id).map(meanfield::lab::Task::meta).collect()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The README's table of models and their pages.
fn overview() -> String {
    let row = |model: &&Model| {
        let page =
            |page: &Meta| format!("[{}](http://127.0.0.1:8080/#/{})", page.tab.unwrap_or_default(), page.id);
        let pages: Vec<String> = pages(model).into_iter().map(page).collect();
        let pages = pages.join(" · ");
        let promise = model.promise.replace('|', "\\|");
        format!("| **{}** ({}) | {promise} | {pages} |", model.name, model.paper.short)
    };
    let rows: Vec<String> = MODELS.iter().map(row).collect();
    format!("| model (paper) | what it shows | pages |\n|---|---|---|\n{}", rows.join("\n"))
}

/// Tests of a model against its oracles.
fn oracles(id: &str) -> PathBuf {
    Path::new("tests/native").join(id)
}

/// The models whose README has a table of errata.
fn with_errata() -> impl Iterator<Item = &'static Model> {
    MODELS.iter().copied().filter(|model| !model.errata.is_empty())
}

/// README of a model.
fn readme(model: &Model) -> String {
    format!("src/methods/{}/README.md", model.id)
}

fn regions() -> Vec<Region> {
    let all = || MODELS.iter().copied().flat_map(pages);
    let ids = |held: fn(&Meta) -> bool| {
        all().filter(|page| held(page)).map(|page| page.id).collect::<Vec<_>>().join(" ")
    };
    let link =
        |model: &&Model| format!("<a id=\"to-{0}\" href=\"#/{0}\">{1}</a>", model.id, escape(model.name));
    let notes = |model: &&Model| {
        format!(
            "<link data-trunk rel=\"copy-dir\" href=\"src/models/{0}/page\" data-target-path=\"{0}\" />",
            model.id
        )
    };
    let errata =
        with_errata().map(|model| Region::new(&readme(model), "errata", [ledger::errata_table(model)]));
    let mut oracles: Vec<&str> =
        MODELS.iter().map(|model| model.id).filter(|id| oracles(id).is_dir()).collect();
    oracles.sort_unstable();
    let own = vec![
        Region::new(
            "index.html",
            "pages",
            [
                format!("<meta name=\"pages\" content=\"{}\" />", ids(|_| true)),
                format!("<meta name=\"pairs\" content=\"{}\" />", ids(|page| page.pair)),
                format!("<meta name=\"waiting\" content=\"{}\" />", ids(waits)),
            ],
        ),
        Region::new("index.html", "notes", MODELS.iter().map(notes)),
        Region::new("index.html", "navigation", MODELS.iter().map(link)),
        Region::new("index.html", "headings", MODELS.iter().copied().flat_map(headings)),
        Region::new("index.html", "waiting", all().filter(|page| waits(page)).map(waiting)),
        Region::new("README.md", "models", [overview()]),
        Region::new(
            "CITATION.cff",
            "references",
            MODELS.iter().map(|model| citation::reference(&model.paper)),
        ),
        Region::new("tests/native/main.rs", "oracles", oracles.iter().map(|id| format!("mod {id};"))),
    ];
    own.into_iter().chain(errata).collect()
}

/// Writes or compares, as `scripts/register` or a test wants it.
fn hold(path: &str, wanted: &str) {
    if std::env::var_os("MEANFIELD_BLESS").is_some() {
        fs::write(path, wanted).unwrap_or_else(|why| panic!("{path}: {why}"));
    }
    // No assert_eq: pictures are long.
    assert!(
        fs::read_to_string(path).is_ok_and(|there| there == wanted),
        "{path} is stale: scripts/register writes it anew"
    );
}

#[test]
fn what_the_page_says_of_models_is_up_to_date() {
    let mut files: BTreeSet<String> = BTreeSet::new();
    for region in regions() {
        hold(&region.file, &region.put_into(&read(&region.file)));
        files.insert(region.file);
    }
    assert_eq!(files.len(), 4 + with_errata().count());
}

/// What is rendered from the claims of the papers and what is kept of the last run of them.
#[test]
fn the_ledger_of_the_papers_is_up_to_date() {
    for (path, text) in ledger::files(MODELS).unwrap() {
        hold(path, &text);
    }
}

/// What is shown of each page before its program has loaded is what the program draws now.
#[test]
fn pictures_are_up_to_date() {
    let mut cards = Vec::new();
    let shown = |page: &&Meta| !waits(page);
    for page in MODELS.iter().copied().flat_map(pages).filter(shown) {
        let file = |name: &str| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{name}", page.id));
        let (pictures, svg, card) = (file("pictures"), file("figure.svg"), file("card.svg"));
        fs::create_dir_all(&pictures).unwrap();
        let ran = Command::new(env!("CARGO_BIN_EXE_headless"))
            .args([
                Path::new("--first-paint"),
                &pictures,
                Path::new("--svg"),
                &svg,
                Path::new("--sketch"),
                &card,
            ])
            .arg(format!("#/{}", page.id))
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let folder = format!("src/models/{}/page/first-paint", model_of(page.id));
        fs::create_dir_all(&folder).unwrap();
        for width in ["wide", "narrow"] {
            let picture = format!("{}-{width}.html", page.id);
            hold(&format!("{folder}/{picture}"), &read(pictures.join(&picture)));
        }
        let Some(model) = MODELS.iter().copied().find(|model| model.id == page.id) else { continue };
        if cards.is_empty() {
            hold("assets/learning-curve.svg", &read(svg));
        }
        cards.push((model, read(card)));
    }
    hold("assets/pages/home.html", &home::page(&cards, &ledger::sections(MODELS).unwrap()));
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
            (!model.takes_words.is_empty(), home::takes_data(model).is_some()),
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

#[test]
fn every_task_belongs_to_the_model_that_lists_it() {
    let ids: BTreeSet<&str> = TASKS.iter().map(|task| task.meta().id).collect();
    assert_eq!(ids.len(), TASKS.len(), "one id twice");
    for model in MODELS.iter().copied() {
        assert!(model.tasks.iter().all(|task| model_of(task.meta().id) == model.id), "{}", model.id);
        assert_eq!(pages(model).first().map(|page| page.id), Some(model.id), "the page it opens with");
        assert!(
            pages(model).iter().all(|page| page.subtitle.ends_with('.')),
            "{}: each page has a subtitle",
            model.id
        );
        let tabs: BTreeSet<_> = pages(model).iter().map(|page| page.tab).collect();
        assert_eq!(tabs.len(), pages(model).len(), "{}: {tabs:?}", model.id);
    }
    for live in TASKS.iter().filter_map(|task| task.meta().live) {
        assert!(task(live).is_some() && catalog().page(live).is_none(), "{live} accompanies others");
    }
}

/// A task that is written and not listed would just not be there.
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
        let tasks = lines.filter(|line| line.starts_with("impl Run for ")).count();
        assert_eq!(tasks, model.tasks.len(), "{}: tasks in its sources, tasks listed", model.id);
    }
}

#[test]
fn every_built_model_is_complete() {
    for model in MODELS.iter().copied() {
        let folder = Path::new("src/models").join(model.id);
        assert!(Path::new(&readme(model)).is_file(), "{} has no README.md", model.id);
        let bench = Path::new("benches").join(format!("{}.rs", model.id));
        assert!(bench.is_file(), "{} times the kernels of a model: it is missing", bench.display());
        for page in pages(model) {
            let notes = folder.join("page").join(format!("{}.html", page.id));
            assert!(notes.is_file(), "{} is missing", notes.display());
        }
        let small: BTreeSet<String> = model.small_runs.iter().map(|link| Link::parse(link).task).collect();
        let tasks: BTreeSet<String> = model.tasks.iter().map(|task| task.meta().id.to_owned()).collect();
        assert_eq!(small, tasks, "{}: each task has a small run", model.id);
    }
}

/// What a reader is invited to try, and where a method is shown to fail, runs as it stands.
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
                let task = task(&id).unwrap_or_else(|| panic!("{}: {link} leads nowhere", file.display()));
                assert!(task.meta().tab.is_some(), "{link} is no page");
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
