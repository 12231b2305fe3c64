//! The notes beside every page, which are HTML files.

use std::fs;

use meanfield::lab::{Task, model_of};
use meanfield::models::catalog;
use roxmltree::Document;

const HEADINGS: [&str; 5] = ["Try", "What you see", "Why it works", "Where it fails", "Paper"];

/// Returns the notes of every page, by task.
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
            assert!(headings == HEADINGS || headings == HEADINGS[..4], "{task}: {headings:?}");
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
