//! The solvers' program of `mlp`.

fn main() {
    meanfield::worker::web::serve(meanfield::models::mlp::MODEL.tasks);
}
