//! The solvers' program of `gp`.

fn main() {
    meanfield::worker::web::serve(meanfield::models::gp::MODEL.tasks);
}
