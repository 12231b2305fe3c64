//! The program of the page, which is also that of its web workers.

#[cfg(target_arch = "wasm32")]
fn main() {
    use meanfield::{app, models, worker};

    match worker::web::scope() {
        Some(scope) => worker::web::serve(&scope, models::catalog()),
        None => app::page::open(models::catalog()),
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This program runs in a browser: `scripts/serve` builds and serves the page.");
}
