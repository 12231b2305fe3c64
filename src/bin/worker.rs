//! The web worker: all solvers, no page.

fn main() {
    meanfield::worker::web::serve();
}
