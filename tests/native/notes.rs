//! The margin notes of every experiment: they are files, so no compiler looks at them.

use std::fs;

use meanfield::lab::model_of;
use meanfield::models::catalog;

const HEADINGS: [&str; 5] = ["Try", "What you see", "Why it works", "Where it fails", "Paper"];

/// The notes of every page, by task.
fn notes() -> impl Iterator<Item = (&'static str, String)> {
    catalog().tasks.into_iter().filter(|task| task.meta().tab.is_some()).map(|task| {
        let path = format!("src/models/{}/page/{}.html", model_of(task.meta().id), task.meta().id);
        (task.meta().id, fs::read_to_string(&path).unwrap_or_else(|why| panic!("{path}: {why}")))
    })
}

/// What is wrong with the tags of `html`, read as strictly as XML.
fn fault(html: &str) -> Option<String> {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some((text, after)) = rest.split_once('<') {
        if text.contains('>') {
            return Some(format!("a bare > in “{text}”"));
        }
        let Some((tag, after)) = after.split_once('>') else { return Some("an open <".into()) };
        rest = after;
        if tag.matches('"').count() % 2 == 1 {
            return Some(format!("an odd quote in <{tag}>"));
        }
        match tag.strip_prefix('/') {
            Some(name) if open.pop() != Some(name) => return Some(format!("</{name}> closes nothing")),
            Some(_) => {}
            None if tag.ends_with('/') => {}
            None => open.push(tag.split_whitespace().next().unwrap_or_default()),
        }
    }
    if open.is_empty() { None } else { Some(format!("{open:?} left open")) }
}

#[test]
fn every_page_is_explained_under_the_same_headings() {
    let mut seen = 0;
    for (task, html) in notes() {
        let headings: Vec<&str> =
            html.split("<h2>").skip(1).filter_map(|rest| Some(rest.split_once("</h2>")?.0)).collect();
        assert_eq!(headings, HEADINGS, "{task}");
        assert!(html.contains("@article{") || html.contains("@in"), "{task} cites in no BibTeX");
        // The page takes what begins otherwise for an answer of a host that has no such file.
        assert!(html.starts_with("<section>"), "{task}");
        seen += 1;
    }
    assert!(seen > 0);
}

#[test]
fn tags_are_closed_in_order() {
    for (task, html) in notes() {
        assert_eq!(fault(&html), None, "{task}");
    }
    for broken in ["<p>a", "<p>a</i></p>", "<p>1 > 0</p>", "<p class=\"a>b</p>", "a <"] {
        assert!(fault(broken).is_some(), "{broken}");
    }
}

#[test]
fn notes_run_nothing_and_fetch_nothing() {
    for (task, html) in notes() {
        for banned in ["<script", "style=", " on", "src=", "<link", "<iframe"] {
            let inside_tags =
                html.split('<').skip(1).filter_map(|rest| rest.split_once('>')).map(|(tag, _)| tag);
            assert!(
                !inside_tags.map(|tag| format!("<{tag}")).any(|tag| tag.contains(banned)),
                "{task}: {banned}"
            );
        }
    }
}
