//! Tables of the README files.

use meanfield::lab::{Meta, Model};
use meanfield::ledger;
use meanfield::models::MODELS;

use super::pages;
use super::region::Region;

/// Returns the table of models in the README, and the errata in the README of each method.
pub fn all() -> Vec<Region> {
    let with_errata = MODELS.iter().filter(|model| !model.errata.is_empty());
    let errata = with_errata.map(|model| {
        let readme = format!("src/methods/{}/README.md", model.id);
        Region::new(&readme, "errata", [ledger::errata_table(model)])
    });
    std::iter::once(Region::new("README.md", "models", [overview()])).chain(errata).collect()
}

fn overview() -> String {
    let row = |model: &&Model| {
        let link =
            |page: &Meta| format!("[{}](http://127.0.0.1:8080/#/{})", page.tab.unwrap_or_default(), page.id);
        let links: Vec<String> = pages(model).into_iter().map(link).collect();
        let promise = model.promise.replace('|', "\\|");
        format!("| **{}** ({}) | {promise} | {} |", model.name, model.paper.short, links.join(" · "))
    };
    let rows: Vec<String> = MODELS.iter().map(row).collect();
    format!("| model (paper) | what it shows | pages |\n|---|---|---|\n{}", rows.join("\n"))
}
