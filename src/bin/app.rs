//! The page.

fn main() {
    meanfield::app::open();
}
