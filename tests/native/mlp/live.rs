//! Figures of a run with those of its live companion over them.

use std::iter;

use meanfield::figure::{Figure, Mark};
use meanfield::lab::Link;
use meanfield::models::task;
use meanfield::render::{Layer, overlay};

use crate::common::{result, whole};

/// Returns the values of a mark.
fn values(figure: &Figure, key: &str) -> Vec<f64> {
    let mark = figure.find(key).unwrap_or_else(|| panic!("no mark {key}"));
    mark.data().flat_map(|datum| [datum.x, datum.y]).collect()
}

/// Returns the first figures of a run of the first `units` units, of its live companion, and of both as the page lays them over each
/// other.
fn layers(link: &str, units: usize) -> [Figure; 3] {
    let link = Link::parse(link);
    let page = task(&link.task).unwrap();
    let live = task(page.meta().live.unwrap()).unwrap();
    let [run, live] = [result(page, &link.raw, iter::once(0..units)), whole(live, &link.raw)]
        .map(|result| result.figures().remove(0));
    let both = overlay([&run, &live].map(|figure| Layer { figure: figure.clone(), stale: false })).remove(0);
    [run, live, both.figure]
}

/// Regression: the bands of the single live start replaced those of the best of three, under a headline about the latter.
#[test]
fn live_fits_replace_only_those_that_the_run_has_not_finished() {
    let link = "#/mlp.curve?hidden=3&examples=12&hyper=fixed&restarts=3&hmc=0";
    let methods = ["map", "laplace", "diagonal", "factor", "full"];
    for (finished, units) in [(5, 15), (4, 12)] {
        let [run, live, both] = layers(link, units);
        let mut improved = 0;
        for (place, key) in methods.into_iter().enumerate() {
            let of = if place < finished { &run } else { &live };
            assert_eq!(values(&both, key), values(of, key), "{key}");
            improved += usize::from(place < finished && values(&run, key) != values(&live, key));
        }
        assert!(improved > 0, "three starts are as good as one everywhere: the test cannot fail");
        // The headline is about the band of the full covariance that is drawn.
        assert_eq!(both.finding, if finished == 5 { &*run.finding } else { &*live.finding });
        assert!(both.finding.contains("ensemble learning") && run.finding.is_empty() == (finished == 4));
    }
}

/// The ellipses and their titles are of the same fit.
#[test]
fn the_panels_of_finished_fits_stay_as_they_are() {
    let [run, live, both] =
        layers("#/mlp?set=own&points=1,2.4,1.5,3.6,2,4.8&alpha=0.02&beta=1&seed=3&restarts=8&hmc=0", 25);
    assert_ne!(titles(&run), titles(&live), "eight starts are as good as two: the test cannot fail");
    assert_eq!(titles(&both), titles(&run));
    for key in ["laplace", "diagonal", "full"] {
        assert_eq!(values(&both, key), values(&run, key), "{key}");
    }
    let is_ellipse = |mark: &&Mark| matches!(mark, Mark::Ellipses(_));
    assert!(both.marks.iter().filter(is_ellipse).count() >= 6);
}

fn titles(figure: &Figure) -> Vec<&str> {
    figure.all_panels().iter().map(|panel| panel.title.as_str()).collect()
}
