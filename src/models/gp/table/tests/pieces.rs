//! A large run in pieces: whoever pauses or stops it waits for one.

use super::super::experiment::OwnWork;
use super::*;
use crate::lab::{Budget, Work};

/// One factorisation of 1,000 rows is forty slices of work.
#[test]
fn no_piece_of_a_large_run_is_long() {
    let (store, named) = store(&table(1000));
    let spec = checked(&named, &[("v", "0.5")]);
    let rows = Rows::new(&spec, &store).unwrap();
    let m = rows.train.len() as u64;
    let mut work = OwnWork::new((*spec).clone(), rows, None);
    work.begin(0);
    let (mut total, mut longest) = (0, 0);
    loop {
        let mut budget = Budget::new(u64::MAX);
        let done = work.step(&mut budget);
        let spent = u64::MAX - budget.left();
        (total, longest) = (total + spent, longest.max(spent));
        if done {
            break;
        }
    }
    assert!(longest <= Budget::SLICE + 8 * m * m, "{longest} multiply–adds");
    let attempt = work.snapshot().main.unwrap().attempt;
    assert_eq!(attempt.ending, Some(Ending::Converged));
    // A Newton step takes a factor, an outer iteration also the diagonal of its inverse: m³/6 each. Nothing of it is left out.
    let factors = (attempt.newton_solves + 2 * attempt.outer_iterations) as u64;
    assert!(total >= factors * m.pow(3) / 6, "{total} multiply–adds for {factors} times m³/6");
}
