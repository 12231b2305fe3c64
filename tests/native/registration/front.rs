//! What a page shows before its program is there: its heading, and the request for a file where it waits for one.

use std::fmt::Write as _;

use meanfield::app::own_data;
use meanfield::lab::{Meta, Model, Raw};
use meanfield::models::task;
use meanfield::render::escape;

use super::pages;

/// What stands above each page of a model until its program is there: title, experiments, subtitle.
pub fn headings(model: &Model) -> Vec<String> {
    let pages = pages(model);
    pages.iter().map(|page| heading(page, &pages)).collect()
}

fn heading(page: &Meta, experiments: &[&Meta]) -> String {
    let mut html =
        format!("<div class=\"title\" data-of=\"{}\" hidden>\n  <h1>{}</h1>\n", page.id, escape(page.title));
    if experiments.len() > 1 {
        html.push_str("  <nav class=\"experiments\" aria-label=\"Experiments\">\n");
        for other in experiments {
            let current = if other.id == page.id { " aria-current=\"page\"" } else { "" };
            let tab = escape(other.tab.unwrap_or_default());
            writeln!(html, "    <a href=\"#/{}\"{current}>{tab}</a>", other.id).unwrap();
        }
        html.push_str("  </nav>\n");
    }
    html + &format!("  <p>{}</p>\n</div>", escape(page.subtitle))
}

/// Whether nothing can be run on a page before a file is given.
pub fn waits(page: &Meta) -> bool {
    task(page.id).unwrap().check(&Raw::new()).unwrap().lacks_data()
}

/// The request for a file in the figure's place, until the program is there that makes the same.
pub fn waiting(page: &Meta) -> String {
    let example = own_data::example(task(page.id).unwrap().fields(), page.presets);
    let example = example.map_or_else(String::new, |preset| {
        format!(
            "  <div>\n    <p>{}</p>\n    <button type=\"button\" disabled>{}</button>\n  </div>\n",
            escape(preset.help),
            own_data::TRY
        )
    });
    format!(
        "<div class=\"begin\" data-of=\"{}\" hidden>\n  <p>{}{}</p>\n  <button type=\"button\" disabled>{}</button>\n{example}</div>",
        page.id,
        own_data::TABLE,
        own_data::STAYS,
        own_data::CHOOSE
    )
}
