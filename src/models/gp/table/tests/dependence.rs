//! Partial dependence of the probability on the columns.

use super::*;
use crate::lab::labelled_table::DependenceCurve;
use crate::models::gp::solver::approximation::{Approach, Solve};
use crate::models::gp::solver::hyperparameters::Hyperparameters;
use crate::models::gp::solver::mean_field::MeanFieldSolver;
use crate::models::gp::solver::theory::MeanFieldTheory;

/// Returns a table whose label is more probable the larger a is, and does not depend on b.
fn rising(rows: usize) -> String {
    let mut stream = Stream::of(8, 0);
    let mut text = String::from("a,b,y\n");
    for _ in 0..rows {
        let [a, b] = [(); 2].map(|()| stream.normal());
        writeln!(text, "{a},{b},{}", u8::from(a + 0.6 * stream.normal() > 0.0)).unwrap();
    }
    text
}

fn curve<'a>(snapshot: &'a TableSnapshot, column: &str) -> &'a DependenceCurve {
    snapshot.dependence[0].iter().find(|curve| curve.column == column).unwrap()
}

#[test]
fn a_relevant_column_has_a_rising_curve_and_an_irrelevant_one_a_constant() {
    for settings in [&[("train_fraction", "0.7"), ("v", "0.3")][..], &[("fit", "evidence")]] {
        let (spec, snapshot) = run(&rising(150), settings).unwrap();
        let points = &curve(&snapshot, "a").points;
        assert_eq!((points.len(), snapshot.dependence[0].len()), (11, 2));
        assert!(points.windows(2).all(|pair| pair[0].value < pair[1].value && pair[0].mean < pair[1].mean));
        assert!(points[0].upper < 0.4 && points[10].lower > 0.6, "{points:?}");
        let points = &curve(&snapshot, "b").points;
        let low = points.iter().map(|p| p.lower).fold(0.0, f64::max);
        let high = points.iter().map(|p| p.upper).fold(1.0, f64::min);
        assert!(low < high, "{points:?}");
        let all = snapshot.dependence[0].iter().flat_map(|curve| &curve.points);
        assert!(
            all.clone().all(|p| 0.0 <= p.lower && p.lower <= p.mean && p.mean <= p.upper && p.upper <= 1.0)
        );
        let widths: Vec<f64> = all.map(|p| p.upper - p.lower).collect();
        assert!(widths.iter().all(|width| (0.005..0.4).contains(width)), "{widths:?}");
        let figures = UserTable::figures(&spec, &snapshot);
        let at = figures.iter().position(|figure| figure.id == "dependence-1").unwrap();
        assert_eq!((figures[at - 1].id.as_str(), figures[at].x.label.as_str()), ("effects", "a"));
        assert_eq!(figures[at].y.label, "mean probability of y = 1");
        let report = UserTable::report(&spec, &snapshot);
        assert_eq!(report["dependence"][0]["points"][10]["mean"], curve(&snapshot, "a").points[10].mean);
    }
}

/// Without effects it is not known which columns matter.
#[test]
fn without_held_out_rows_there_is_no_dependence() {
    let (_, snapshot) = run(&rising(40), &[("v", "0.3")]).unwrap();
    assert!(snapshot.dependence.is_empty());
}

/// The mean is that of the predictions of an independent solve of rows that are copied with the value of the point.
#[test]
fn the_curve_is_the_mean_of_predictions() {
    let settings = [("train_fraction", "0.7"), ("v", "0.3"), ("sigma2", "0.8")];
    let (store, named) = store(&rising(60));
    let spec = checked(&named, &settings);
    let snapshot = complete::<UserTable>(&spec, &store).unwrap();
    let rows = TableRows::new(&spec, &store).unwrap();
    let hyperparameters = Hyperparameters::isotropic(spec.kernel, 2, 0.8, 0.3, spec.kappa);
    let approach = Approach::MeanField(MeanFieldSolver::new(MeanFieldTheory::Tap));
    let mut solve = Solve::new(&rows.train, &rows.tau, hyperparameters, approach);
    assert!(solve.solve().is_solution());
    let posterior = solve.posterior().unwrap();
    let (low, high) = (&curve(&snapshot, "a").points[0], &curve(&snapshot, "a").points[10]);
    // The scaled values of the points are those of two training rows.
    let mut scaled: Vec<f64> = rows.train.iter().map(|row| row[0]).collect();
    scaled.sort_by(f64::total_cmp);
    for (point, quantile) in [(low, 0.05_f64), (high, 0.95)] {
        let value = scaled[(quantile * (scaled.len() - 1) as f64).round() as usize];
        let p = rows.train.iter().map(|row| solve.predict(&posterior, rows.train.iter(), &[value, row[1]]).p);
        let mean = p.sum::<f64>() / rows.train.len() as f64;
        assert!((mean - point.mean).abs() < 1e-9, "{mean} {}", point.mean);
    }
}
