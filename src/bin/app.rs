//! The page.

fn main() {
    meanfield::app::mount();
}
