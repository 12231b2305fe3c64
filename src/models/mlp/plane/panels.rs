//! The figure of panels: the exact posterior and each Gaussian, and below each the curves drawn from it.

use super::exact::{DRAWS, SHARES, Window};
use super::{ExactPosterior, FITTED, PlaneFit, PlaneSnapshot, PlaneSpec};
use crate::figure::{
    Axis, Band, Curve, Dot, Ellipse, Ellipses, Figure, Hue, Interval, Marker, Panel, Point, Points, Stroke,
    Thread, Threads,
};
use crate::math::random::{Purpose, Stream};
use crate::models::mlp::exact::density::TwoWeightDensity;
use crate::models::mlp::fits::FitRow;
use crate::models::mlp::solver::examples::ExampleBlocks;
use crate::models::mlp::solver::network::{NetworkShape, outputs};

/// Panels per row: the exact posterior, and one for each approximation.
const COLUMNS: usize = 1 + FITTED.len();
/// Headings of the rows.
const WEIGHTS: &str = "Weights (red: outside the exact 99 %)";
const CURVES: &str = "Curves that these weights give";
/// Size of the ellipses in standard deviations; in two dimensions, the larger one holds 86 % of the mass.
const LEVELS: [f64; 2] = [2.0, 1.0];
/// Values of u at which the part of an ellipse outside the region is computed.
const ELLIPSE_STEPS: usize = 96;
/// Radii of the dots of draws and means, relative to an ordinary marker.
const DOT: f64 = 0.62;
const MEAN: f64 = 0.8;
/// Opacities of the regions, in the order of [`SHARES`]; they lie over each other.
const OPACITIES: [f64; 3] = [0.3, 0.22, 0.15];
/// Largest extension of the window at each side for ellipses, relative to its size.
const MAX_EXTENSION: f64 = 1.0;

/// Context of the panels.
pub struct Panels<'a> {
    spec: &'a PlaneSpec,
    snapshot: &'a PlaneSnapshot,
    /// Exact posterior and its density, once it is known.
    exact: Option<(&'a ExactPosterior, TwoWeightDensity)>,
    /// Inputs of the curves.
    inputs: Vec<f64>,
}

impl<'a> Panels<'a> {
    pub fn new(spec: &'a PlaneSpec, snapshot: &'a PlaneSnapshot) -> Self {
        let exact = snapshot.exact.as_ref().map(|exact| {
            let (x, t): (Vec<f64>, Vec<f64>) = spec.examples().into_iter().unzip();
            (exact, TwoWeightDensity::new(&x, &t, spec.alpha, spec.beta, exact.ln_z))
        });
        let inputs = spec.inputs()[..PlaneSpec::DRAWN].iter().step_by(2).copied().collect();
        Self { spec, snapshot, exact, inputs }
    }

    /// Returns the share of a Gaussian's probability outside the region of 99 % of the posterior.
    pub fn excluded_share(&self, row: &FitRow<PlaneFit>) -> Option<f64> {
        let (exact, density) = self.exact.as_ref()?;
        let PlaneFit { mean, covariance, .. } = row.details;
        Some(density.mass_below(exact.ln_level, mean, covariance)).filter(|share| share.is_finite())
    }

    /// Adds the panels with their marks to `figure`. `titles` are those of the upper panels, `heights` the range of the curves.
    pub fn draw(&self, figure: Figure, titles: [String; COLUMNS], heights: &Axis) -> Figure {
        let [u, v] = self.axes();
        let x = Axis::linear("input, x", (self.inputs[0], self.inputs[self.inputs.len() - 1]));
        let key = |column: usize| match column.checked_sub(1) {
            None => "exact",
            Some(fit) => FITTED[fit].word(),
        };
        let upper = titles.into_iter().enumerate().map(|(column, title)| {
            let hue = if column == 0 { Hue::Ink } else { FITTED[column - 1].hue() };
            let panel = Panel::new(key(column), u.clone(), v.clone()).titled(title, hue);
            if column == 0 { panel.with_row_heading(WEIGHTS) } else { panel }
        });
        let lower = (0..COLUMNS).map(|column| {
            let panel = Panel::new(format!("{}_curves", key(column)), x.clone(), heights.clone());
            if column == 0 { panel.with_row_heading(CURVES) } else { panel }
        });
        let mut figure = figure.panels(COLUMNS, upper.chain(lower));
        for column in 0..COLUMNS {
            figure = figure.on(column, self.regions(key(column)));
        }
        figure = self.draw_exact(figure);
        for (index, method) in FITTED.into_iter().enumerate() {
            if let Some(row) = self.snapshot.best(method) {
                figure = self.draw_fit(figure, index + 1, row);
            }
        }
        for column in 0..COLUMNS {
            let points = self.spec.examples().into_iter().map(|(x, t)| Dot::new(Point::new(x, t), ""));
            let examples = Points::new(
                format!("{}_examples", key(column)),
                "examples",
                Hue::Ink,
                Marker::Rimmed,
                points,
            );
            figure = figure.on(COLUMNS + column, [examples.unnamed()]);
        }
        figure
    }

    /// Returns the indices of the panels in which the examples can be dragged.
    pub fn editable() -> std::ops::Range<usize> {
        COLUMNS..2 * COLUMNS
    }

    /// Returns the regions of the exact posterior, the largest first.
    fn regions(&self, panel: &str) -> Vec<Band> {
        let Some((exact, _)) = &self.exact else { return Vec::new() };
        let interval = |[u, lower, upper]: &[f32; 3]| Interval {
            x: (*u).into(),
            lower: (*lower).into(),
            upper: (*upper).into(),
        };
        let region = |((share, region), opacity): ((&f64, &Vec<[f32; 3]>), f64)| {
            let percent = 100.0 * share;
            let (key, label) =
                (format!("{panel}_region_{percent:.0}"), format!("{percent:.0} % of the posterior"));
            Band::new(key, label, Hue::Ink, region.iter().map(interval)).opacity(opacity).unnamed()
        };
        SHARES.iter().zip(&exact.regions).zip(OPACITIES).rev().map(region).collect()
    }

    fn draw_exact(&self, figure: Figure) -> Figure {
        let Some((exact, _)) = &self.exact else { return figure };
        let draws: Vec<(f64, f64)> = exact.draws.iter().map(|(u, v)| ((*u).into(), (*v).into())).collect();
        self.draw_draws(figure, 0, ("exact", "exact", Hue::Ink), &draws)
    }

    /// Adds the marks of a fit: the ellipse, its part outside the region, draws, and the mean.
    fn draw_fit(&self, figure: Figure, column: usize, row: &FitRow<PlaneFit>) -> Figure {
        let (word, reads, hue) = (row.method.word(), row.method.label(), row.method.hue());
        let PlaneFit { mean: [u, v], covariance, .. } = row.details;
        let ellipse = |level: f64| {
            let ellipse = Ellipse { mean: (u, v), covariance, label: String::new() };
            (level, ellipse)
        };
        let [(two, outer), (one, inner)] = LEVELS.map(ellipse);
        let label =
            |sd: f64| format!("{reads}, {sd:.0} standard deviation{}", if sd > 1.0 { "s" } else { "" });
        let outer = Ellipses::new(word, label(two), hue, two, [outer]).unnamed();
        let inner = Ellipses::new(format!("{word}_1sd"), label(one), hue, one, [inner]);
        let figure = figure.on(column, [outer]).on(column, self.excluded(row));
        let figure = figure.on(column, [inner.outlined(Stroke::Solid).unnamed()]);
        let draws = gaussian_draws(self.spec, column as u64, row);
        let figure = self.draw_draws(figure, column, (word, reads, hue), &draws);
        let mean = Dot::new(Point::new(u, v), "").size(MEAN);
        let mean = Points::new(format!("{word}_mean"), format!("{reads}, mean"), hue, Marker::Rimmed, [mean]);
        figure.on(column, [mean.unnamed()])
    }

    /// Returns the parts of the larger ellipse above and below the region of 99 % of the posterior.
    fn excluded(&self, row: &FitRow<PlaneFit>) -> Vec<Band> {
        let Some((exact, density)) = &self.exact else { return Vec::new() };
        let PlaneFit { mean: [u, v], covariance: [uu, uv, vv], .. } = row.details;
        let (sd, slope) = (uu.sqrt(), uv / uu);
        let rest = (vv - uv * slope).max(0.0).sqrt();
        let parts = (0..=ELLIPSE_STEPS).map(|step| {
            // Chebyshev spacing: the ellipse is vertical at its ends.
            let z = -libm::cos(std::f64::consts::PI * step as f64 / ELLIPSE_STEPS as f64);
            let (at, middle) = (u + LEVELS[0] * sd * z, v + LEVELS[0] * slope * sd * z);
            let half = LEVELS[0] * rest * (1.0 - z * z).max(0.0).sqrt();
            let (bottom, top) = (middle - half, middle + half);
            let (lower, upper) = density.interval(at, exact.ln_level);
            let above = Interval { x: at, lower: upper.clamp(bottom, top), upper: top };
            let below = Interval { x: at, lower: bottom, upper: lower.clamp(bottom, top) };
            (above, below)
        });
        let (above, below): (Vec<_>, Vec<_>) = parts.filter(|(above, _)| above.lower.is_finite()).unzip();
        let word = row.method.word();
        let band = |(side, part): (&str, Vec<Interval>)| {
            let label = format!("{}, outside the 99 % region", row.method.label());
            Band::new(format!("{word}_excluded_{side}"), label, Hue::Red, part).hatched().unnamed()
        };
        [("above", above), ("below", below)].map(band).into()
    }

    /// Adds draws as dots, and their curves in the panel below; red if they are outside the region of 99 % of the posterior.
    fn draw_draws(
        &self,
        mut figure: Figure,
        column: usize,
        (word, reads, hue): (&str, &str, Hue),
        draws: &[(f64, f64)],
    ) -> Figure {
        let outside = |draw: &(f64, f64)| {
            self.exact.as_ref().is_some_and(|(exact, density)| density.is_below(exact.ln_level, *draw))
        };
        let (excluded, fitting): (Vec<_>, Vec<_>) = draws.iter().copied().partition(outside);
        let blocks = ExampleBlocks::unlabelled(&self.inputs, 1);
        let kinds = [
            ("draws", "draws", hue, fitting),
            ("excluded_draws", "draws outside the 99 % region", Hue::Red, excluded),
        ];
        for (key, label, hue, draws) in kinds {
            let dots = draws.iter().map(|(u, v)| Dot::new(Point::new(*u, *v), "").size(DOT));
            let (key, label) = (format!("{word}_{key}"), format!("{reads}, {label}"));
            figure = figure.on(column, [Points::new(&*key, &*label, hue, Marker::Disc, dots).unnamed()]);
            let thread = |(u, v): &(f64, f64)| {
                let f = outputs(NetworkShape { hidden: 1, inputs: 1 }, &[*u, *v], &blocks);
                Thread::new("", self.inputs.iter().copied().zip(f))
            };
            let threads = Threads::new(format!("{key}_curves"), label, hue, draws.iter().map(thread));
            figure = figure.on(COLUMNS + column, [threads.unnamed()]);
        }
        figure
    }

    /// Returns the axes of the weights, which hold the window, the means of all finished starts and the larger ellipse of
    /// the best of each fit.
    fn axes(&self) -> [Axis; 2] {
        let window: Window = self.exact.as_ref().map_or([(0.0, 1.0); 2], |(exact, _)| exact.window);
        let finished = self.snapshot.fits.iter().filter(|row| row.ending.is_some());
        let best = |row: &FitRow<PlaneFit>| {
            self.snapshot.best(row.method).is_some_and(|best| best.restart == row.restart)
        };
        let shown: Vec<(&PlaneFit, f64)> =
            finished.map(|row| (&row.details, if best(row) { 1.05 * LEVELS[0] } else { 0.0 })).collect();
        let range = |axis: usize, variance: usize| {
            let (low, high) = window[axis];
            let most = MAX_EXTENSION * (high - low);
            let ends = shown.iter().flat_map(|(fit, sds)| {
                let half = sds * fit.covariance[variance].sqrt();
                let mean = fit.mean[axis];
                [mean - half, mean + half]
                    .map(|end| end.clamp((low - most).min(mean), (high + most).max(mean)))
            });
            ends.filter(|end| end.is_finite())
                .fold((low, high), |(low, high), end| (low.min(end), high.max(end)))
        };
        [Axis::linear("input weight, u", range(0, 0)), Axis::linear("output weight, v", range(1, 2))]
    }
}

/// Returns draws from a fit: the same standard normal numbers in every frame, so that a draw moves with its ellipse.
fn gaussian_draws(spec: &PlaneSpec, unit: u64, row: &FitRow<PlaneFit>) -> Vec<(f64, f64)> {
    let PlaneFit { mean: [u, v], covariance: [uu, uv, vv], .. } = row.details;
    let mut stream = Stream::for_purpose(spec.seed, Purpose::MlpDraws, unit);
    let sd = uu.sqrt();
    let (slope, rest) = (uv / sd, (vv - uv * uv / uu).max(0.0).sqrt());
    let draw = |_| {
        let (a, b) = (stream.normal(), stream.normal());
        (u + sd * a, v + slope * a + rest * b)
    };
    (0..DRAWS).map(draw).collect()
}

/// Returns the ellipse of a fit in another optimum.
pub fn other_ellipse(row: &FitRow<PlaneFit>, label: String) -> Ellipses {
    let PlaneFit { mean: [u, v], covariance, .. } = row.details;
    let ellipse = Ellipse { mean: (u, v), covariance, label: String::new() };
    let key = format!("{}_other", row.method.word());
    Ellipses::new(key, label, row.method.hue(), LEVELS[0], [ellipse]).outlined(Stroke::Dashed).unnamed()
}

/// Returns the path of the mean of a fit, hidden at first.
pub fn mean_path(row: &FitRow<PlaneFit>) -> Curve {
    let points = row.details.path.iter().map(|(u, v)| Point::new((*u).into(), (*v).into()));
    let (word, reads) = (row.method.word(), row.method.label());
    Curve::new(format!("{word}_path"), format!("{reads}: path of the mean"), row.method.hue())
        .stroke(Stroke::Dotted)
        .path(points)
        .hidden()
}
