//! The program of the page, which is also that of its web workers.

use meanfield::models::catalog;
use meanfield::{app, worker};

fn main() {
    match worker::web::scope() {
        Some(scope) => worker::web::serve(&scope, catalog()),
        None => app::page::open(catalog()),
    }
}
