//! Steps of a large run: pausing or stopping waits for the end of one.

use super::super::work::TableWork;
use super::*;
use crate::lab::{Budget, Work};

/// One factorisation of 1,000 rows takes forty slices.
#[test]
fn no_step_of_a_large_run_is_much_longer_than_a_slice() {
    let (store, named) = store(&table(1000));
    let spec = checked(&named, &[("v", "0.5")]);
    let rows = TableRows::new(&spec, &store).unwrap();
    let m = rows.train.len() as u64;
    let mut work = TableWork::new((*spec).clone(), 2, rows, None);
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
    let attempt = work.snapshot().classifier.given.unwrap().solve;
    assert_eq!(attempt.ending, Some(Ending::Converged));
    // A Newton step takes a factor, an outer iteration also the diagonal of its inverse: m³/6 each. All of it is counted.
    let factors = (attempt.newton_solves + 2 * attempt.outer_iterations) as u64;
    assert!(total >= factors * m.pow(3) / 6, "{total} multiply–adds for {factors} times m³/6");
}
