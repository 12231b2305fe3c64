//! Markup of `index.html`: lists of pages, notes, navigation, headings, and the requests for a file.

use std::fmt::Write as _;

use meanfield::app::own_data;
use meanfield::figure::unbroken;
use meanfield::lab::{Exercise, Meta, Model};
use meanfield::models::{MODELS, task};
use meanfield::render::escape;

use super::region::Region;
use super::{all_pages, pages, waits};

/// Returns the regions of `index.html`.
pub fn regions() -> Vec<Region> {
    let region = |name, lines: Vec<String>| Region::new("index.html", name, lines);
    let link =
        |model: &&Model| format!("<a id=\"to-{0}\" href=\"#/{0}\">{1}</a>", model.id, escape(model.name));
    vec![
        region("pages", lists()),
        region("notes", notes()),
        region("navigation", MODELS.iter().map(link).collect()),
        region("headings", MODELS.iter().copied().flat_map(headings).collect()),
        region("waiting", all_pages().filter(|page| waits(page)).map(request_for_table).collect()),
    ]
}

/// Returns the ids of all pages, of those with a pair of figures, and of those that wait for a file.
fn lists() -> Vec<String> {
    let meta = |name: &str, listed: fn(&Meta) -> bool| {
        let ids: Vec<&str> = all_pages().filter(|page| listed(page)).map(|page| page.id).collect();
        format!("<meta name=\"{name}\" content=\"{}\" />", ids.join(" "))
    };
    vec![meta("pages", |_| true), meta("pairs", |page| page.pair), meta("waiting", waits)]
}

/// Returns Trunk's links to the notes of each model.
fn notes() -> Vec<String> {
    let link = |model: &&Model| {
        format!(
            "<link data-trunk rel=\"copy-dir\" href=\"src/models/{0}/page\" data-target-path=\"{0}\" />",
            model.id
        )
    };
    MODELS.iter().map(link).collect()
}

/// Returns the heads of the pages of a model: pages, question, subtitle.
fn headings(model: &Model) -> Vec<String> {
    let pages = pages(model);
    pages.iter().map(|page| heading(page, &pages)).collect()
}

fn heading(page: &Meta, pages: &[&Meta]) -> String {
    let mut html = format!("<div class=\"title\" data-of=\"{}\" hidden>\n", page.id);
    if pages.len() > 1 {
        html.push_str("  <nav class=\"tabs\" aria-label=\"Pages of this model\">\n");
        for other in pages {
            let current = if other.id == page.id { " aria-current=\"page\"" } else { "" };
            let tab = escape(other.tab.unwrap_or_default());
            let _ = writeln!(html, "    <a href=\"#/{}\"{current}>{tab}</a>", other.id);
        }
        html.push_str("  </nav>\n");
    }
    let (question, subtitle) = (escape(page.question), escape(page.subtitle));
    html + &format!("  <h1>{question}</h1>\n  <p>{subtitle}</p>\n{}</div>", exercises(page))
}

/// Returns the exercises as the program shows them before one is done; their buttons work once the program runs.
fn exercises(page: &Meta) -> String {
    if page.exercises.is_empty() {
        return String::new();
    }
    let item = |exercise: &Exercise| {
        let text = escape(exercise.text);
        format!("    <li><button type=\"button\" class=\"quiet\" disabled>{text}</button></li>\n")
    };
    let items: String = page.exercises.iter().map(item).collect();
    format!("  <ol class=\"exercises\">\n{items}  </ol>\n")
}

/// Returns the request for a table in the place of the figure, as the loaded program makes it.
fn request_for_table(page: &Meta) -> String {
    let fields = task(page.id).unwrap().fields();
    let example = own_data::example(fields, page.presets).map_or_else(String::new, |preset| {
        format!(
            "  <div class=\"example\">\n    <button type=\"button\" disabled>{}</button>\n    <p>{}</p>\n  </div>\n",
            own_data::TRY,
            escape(&unbroken(preset.help))
        )
    });
    let more = page.presets.iter().any(|preset| own_data::needs(fields, preset.query).is_some());
    let more = if more {
        format!("  <details class=\"needs\"><summary>{}</summary></details>\n", own_data::PUBLIC)
    } else {
        String::new()
    };
    format!(
        "<div class=\"begin\" data-of=\"{}\" hidden>\n  <div class=\"drop\">\n    <p>{}{}</p>\n    \
         <button type=\"button\" class=\"choose\" disabled>{}</button> <span class=\"or\">{}</span>\n    \
         <details><summary>{}</summary></details>\n  </div>\n{example}{more}</div>",
        page.id,
        own_data::TABLE,
        own_data::STAYS,
        own_data::CHOOSE,
        own_data::DROP,
        own_data::PASTE
    )
}
