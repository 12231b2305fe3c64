//! Contents of a printed run.

use super::*;
use crate::figure::Figure;
use crate::lab::raw_of;
use crate::models::{catalog, task};

#[test]
fn a_page_holds_settings_findings_and_the_way_back() {
    let task = task("gp.data").unwrap();
    let raw =
        task.check(&raw_of([("data", "a<b.csv@0123456789abcdef"), ("sigma2", "0.25")])).unwrap().to_raw();
    let figure = Figure::new("f", "Title").found("A & B.").caption("Details.");
    let printed = Printed {
        catalog: catalog(),
        meta: task.meta(),
        fields: task.fields(),
        raw: &raw,
        status: "Done in 1 s.",
        address: Some("https://host/#/gp.data?a=1&b=2"),
        figures: &[Drawing::new(figure)],
    };
    let html = printed.html();
    for held in [
        "Fig. 1. <strong>A &amp; B.",
        "Details.",
        "0.25",
        "a&lt;b.csv@",
        "a=1&amp;b=2",
        "Opper",
        "Done in 1 s.",
        "<svg ",
    ] {
        assert!(html.contains(held), "{held}: {html}");
    }
    assert!(!html.contains("a<b") && !html.contains("<script"));
    let page = roxmltree::Document::parse_with_options(
        &html
            .replace("<!doctype html>", "")
            .replace("<meta charset=\"utf-8\">", "")
            .replace("<meta name=\"viewport\" content=\"width=device-width\">", ""),
        roxmltree::ParsingOptions::default(),
    )
    .map(|page| page.descendants().filter(|node| node.has_tag_name("tr")).count());
    assert!(page.is_ok_and(|rows| rows > 10), "it is well formed, with a row a setting");
}
