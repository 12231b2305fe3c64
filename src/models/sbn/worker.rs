//! The solvers' program of `sbn`. It is the smallest, and so the front page has it look at files.

meanfield::export_look!();

fn main() {
    meanfield::worker::web::serve(meanfield::models::sbn::MODEL.tasks);
}
