//! The solvers' program of `feedforward`.

fn main() {
    meanfield::worker::web::serve(meanfield::models::feedforward::MODEL.tasks);
}
