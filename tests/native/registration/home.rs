//! The front page: a card a model, with a sketch that its own program has drawn, and the pages that take data of one's own.

use std::fmt::Write as _;

use meanfield::lab::{Field, Role};
use meanfield::ledger::Section;
use meanfield::models::{Model, catalog};
use meanfield::render::escape;

/// The markup, with the sketch of each model.
pub fn page(cards: &[(&Model, String)], sections: &[Section]) -> String {
    let mut html =
        "<section class=\"home\">\n<h1>Five questions, five methods</h1>\n<div class=\"cards\">\n".to_owned();
    for (model, sketch) in cards {
        let [question, promise, name, paper] =
            [model.question, model.promise, model.name, model.paper.short].map(escape);
        let _ = write!(
            html,
            "<article class=\"card\">\n<h2><a href=\"#/{}\">{question}</a></h2>\n{sketch}<p>{promise}</p>\n\
             <p class=\"needs\">{name} · {paper}</p>\n</article>\n",
            model.id
        );
    }
    html += "<article class=\"card\">\n<h2>Bring your own table</h2>\n<p>Choose the page by what your file has. CSV files are read \
             in this browser tab; nothing is sent anywhere.</p>\n<ul>\n";
    for (model, _) in cards {
        if let Some(page) = takes_data(model) {
            let _ = writeln!(
                html,
                "<li><a href=\"#/{page}\">{}</a>: {}</li>",
                escape(model.takes),
                escape(model.name)
            );
        }
    }
    html += "</ul>\n</article>\n</div>\n";
    let [agree, differ, unchecked] =
        sections.iter().map(Section::counts).fold([0; 3], |[a, b, c], [x, y, z]| [a + x, b + y, c + z]);
    let _ = writeln!(
        html,
        "<p><a href=\"#/papers\">The papers, claim by claim</a>: {agree} claims agree, {differ} differ, {unchecked} cannot be \
         checked.</p>\n</section>"
    );
    html
}

/// The page of a model that takes a table.
fn takes_data(model: &Model) -> Option<&'static str> {
    let takes = |page: &&dyn meanfield::lab::Task| Field::with_role(page.fields(), Role::Data).is_some();
    let page = catalog().pages(model.id).find(takes)?;
    Some(page.meta().id)
}
