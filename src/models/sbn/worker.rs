//! The solvers' program of `sbn`.

fn main() {
    meanfield::worker::web::serve(meanfield::models::sbn::MODEL.tasks);
}
