//! The solvers' program of `nfa`.

fn main() {
    meanfield::worker::web::serve(meanfield::models::nfa::MODEL.tasks);
}
