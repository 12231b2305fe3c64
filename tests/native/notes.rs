//! The notes beside every page, which are HTML files.

use std::fs;

use meanfield::app::form;
use meanfield::lab::{Kind, Raw, Task, model_of};
use meanfield::models::{MODELS, catalog};
use roxmltree::Document;

const HEADINGS: [&str; 4] = ["What you see", "Why it works", "Where it fails", "Paper"];

/// Most words of an article, without its equations and the section on the paper.
const MOST_WORDS: usize = 600;

/// The notes of every page, by task.
fn notes() -> Vec<(&'static str, String)> {
    let of = |page: &'static dyn Task| {
        let id = page.meta().id;
        let path = format!("src/models/{}/page/{id}.html", model_of(id));
        (id, fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}")))
    };
    catalog().every_page().map(of).collect()
}

/// Parses the notes of a page. Their tags follow the rules of XML, so that all browsers read them alike.
fn tree(task: &str, html: &str, look: impl FnOnce(&Document)) {
    let xml = format!("<notes>{html}</notes>");
    look(&Document::parse(&xml).unwrap_or_else(|why| panic!("{task}: {why}")));
}

#[test]
fn every_page_is_explained_under_the_same_headings() {
    let mut seen = 0;
    for (task, html) in notes() {
        tree(task, &html, |notes| {
            let headings = notes.descendants().filter(|node| node.has_tag_name("h2"));
            let headings: Vec<_> = headings.filter_map(|heading| heading.text()).collect();
            // The page itself cites the paper; a section about it is optional.
            assert!(headings == HEADINGS || headings == HEADINGS[..3], "{task}: {headings:?}");
        });
        // The page rejects anything else as the error page of a host without the file.
        assert!(html.starts_with("<section>"), "{task}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn notes_run_nothing_and_fetch_nothing() {
    for (task, html) in notes() {
        tree(task, &html, |notes| {
            for node in notes.descendants().filter(roxmltree::Node::is_element) {
                let name = node.tag_name().name();
                assert!(!["script", "link", "iframe", "style"].contains(&name), "{task}: <{name}>");
                for attribute in node.attributes().map(|attribute| attribute.name()) {
                    let runs = attribute.starts_with("on") || ["style", "src"].contains(&attribute);
                    assert!(!runs, "{task}: {attribute} of <{name}>");
                }
            }
        });
    }
}

/// A control in a sentence is `<span data-knob="KEY">default</span>`: a number with a slider, or a choice.
#[test]
fn every_knob_in_a_sentence_sets_a_field_of_its_page() {
    let mut pages = Vec::new();
    for (id, html) in notes() {
        let task = catalog().task(id).expect("a page");
        let defaults = task.check(&Raw::new()).expect("valid defaults").to_raw();
        tree(id, &html, |notes| {
            for knob in notes.descendants().filter(|node| node.has_attribute("data-knob")) {
                let (key, text) = (knob.attribute("data-knob").unwrap(), knob.text().unwrap_or_default());
                let field = task.fields().iter().find(|field| field.key == key);
                let field = field.unwrap_or_else(|| panic!("{id} has no field {key}"));
                assert!(form::is_shown(field, task.fields(), &defaults, false), "{id}: {key} has no effect");
                let default = &defaults[key];
                if let Kind::Choice(words) = &field.kind {
                    assert!(
                        words.contains(&(default.as_str(), text)),
                        "{id}: {key} is {default}, not {text}"
                    );
                } else {
                    assert_eq!(text, form::in_a_sentence(default), "{id}: {key}");
                    let (low, high, step) =
                        form::slider(&field.kind).unwrap_or_else(|| panic!("{id}: {key}"));
                    assert!(low < high && step > 0.0, "{id}: {key}");
                    for end in [low, high] {
                        assert!(field.read(&end.to_string()).is_ok(), "{id}: {key} rejects {end}");
                    }
                }
                pages.push(id);
            }
        });
    }
    for model in MODELS {
        let knobs = pages.iter().filter(|id| **id == model.id).count();
        assert!(knobs >= 3, "{}: {knobs} knobs on its main page", model.id);
    }
}

/// A passage with `data-if="KEY=VALUE"`, or `KEY!=VALUE`, is shown only with such settings.
#[test]
fn every_condition_of_a_passage_names_a_value_of_a_field() {
    let mut passages = 0;
    for (id, html) in notes() {
        let task = catalog().task(id).expect("a page");
        tree(id, &html, |notes| {
            for text in notes.descendants().filter_map(|node| node.attribute("data-if")) {
                let (key, _, value) = form::condition(text).unwrap_or_else(|| panic!("{id}: {text}"));
                let field = task.fields().iter().find(|field| field.key == key);
                let read = field.and_then(|field| field.read(value).ok()).map(|value| value.to_string());
                assert_eq!(read.as_deref(), Some(value), "{id}: {text}");
                passages += 1;
            }
        });
    }
    assert!(passages > 0);
}

#[test]
fn articles_are_short() {
    let words = |node: roxmltree::Node| -> usize {
        let texts = node.descendants().filter(|node| {
            node.is_text() && node.ancestors().all(|above| above.attribute("class") != Some("equations"))
        });
        texts.filter_map(|node| node.text()).map(|text| text.split_whitespace().count()).sum()
    };
    for (id, html) in notes() {
        tree(id, &html, |notes| {
            let sections = notes.root_element().children().filter(|node| node.has_tag_name("section"));
            let count: usize = sections.take(3).map(words).sum();
            assert!((100..=MOST_WORDS).contains(&count), "{id}: {count} words");
        });
    }
}
