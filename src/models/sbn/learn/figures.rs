//! Figures of the task `sbn`: figures 2 to 4 of SJ98, the error rates, and placeholders for the figures of the pad.

use super::{BOUND_UNIT, LearnSnapshot, LearnSpec, MissingErrors};
use crate::figure::{
    Axis, Bar, Bars, Colours, Curve, Figure, Grid, Hue, Mark, Marker, Point, Stroke, minus, percent,
};
use crate::lab::confusion_figure;
use crate::models::sbn::baselines::neighbours::NEIGHBOUR_COUNTS;
use crate::models::sbn::digits::preprocessing::SIDE;
use crate::models::sbn::pad;

/// Hues of the digits, used cyclically.
const HUES: [Hue; 7] = [Hue::Blue, Hue::Vermilion, Hue::Green, Hue::Orange, Hue::Sky, Hue::Purple, Hue::Ink];
/// First digit whose curve is dashed.
const FIRST_DASHED: u8 = 7;
/// Range of the error rates of the networks printed in SJ98, in per cent.
const PAPER_NETWORK: (f64, f64) = (4.9, 5.2);
/// Range of the error rates of the mixtures printed in SJ98, in per cent.
const PAPER_MIXTURE: (f64, f64) = (5.9, 6.2);
/// Error rates of k nearest neighbours printed in SJ98, in per cent.
const PAPER_NEIGHBOURS: [f64; 5] = [6.3, 5.8, 5.5, 5.4, 5.5];

/// Returns all figures.
pub fn figures(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Vec<Figure> {
    let mut figures = vec![pad::drawing(spec, None), pad::network_samples(spec, None), pad::bounds(None)];
    if !spec.missing.is_empty() {
        figures.push(missing_pixels(spec, snapshot));
    }
    figures.extend([
        errors(spec, snapshot),
        confusion(spec, snapshot),
        learning(spec, snapshot),
        samples(spec, snapshot),
    ]);
    figures
}

/// Returns an error rate in per cent with its standard error.
fn rate(errors: usize, count: usize) -> (f64, f64) {
    let p = errors as f64 / count.max(1) as f64;
    (100.0 * p, 100.0 * (p * (1.0 - p) / count.max(1) as f64).sqrt())
}

/// Returns the name of the data set.
fn data_set(spec: &LearnSpec) -> &str {
    match &spec.data {
        Some(data) if !spec.drawn() => {
            if spec.is_mnist() {
                "MNIST"
            } else {
                &data.name
            }
        }
        _ => "strokes drawn by this program (easier than scans)",
    }
}

/// Returns the error rates against the fraction of missing pixels, SJ98 figure 4.
fn missing_pixels(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let (count, errors) = snapshot.errors();
    let rows = snapshot.missing();
    let point = |fraction: f64, errors: usize| {
        let (percent, se) = rate(errors, count);
        Point::new(fraction, percent).with_se(se)
    };
    let curve = |key: &str, label: &str, hue, whole: Option<usize>, of: fn(&MissingErrors) -> usize| {
        let whole = whole.map(|errors| point(0.0, errors));
        let points: Vec<Point> = match (count, whole) {
            (0, _) | (_, None) => Vec::new(),
            (_, Some(first)) => {
                [first].into_iter().chain(rows.iter().map(|row| point(row.fraction, of(row)))).collect()
            }
        };
        Curve::new(key, label, hue).stroke(Stroke::Solid).marker(Marker::Disc).points(points)
    };
    let neighbours = snapshot.neighbour_errors().map(|errors| errors[2]);
    let mut curves = vec![curve("network", "networks", Hue::Blue, Some(errors), |row| row.network)];
    if spec.baselines.mixture() {
        curves
            .push(curve("mixture", "mixtures", Hue::Vermilion, snapshot.mixture_errors(), |row| row.mixture));
    }
    if spec.baselines.neighbours() {
        curves.push(curve("knn", "5 nearest neighbours", Hue::Green, neighbours, |row| row.neighbours));
    }
    if spec.is_mnist() {
        let printed = [Point::new(0.0, 5.0), Point::new(0.5, 12.0)];
        curves.push(
            Curve::new("paper", "networks, printed in the paper", Hue::Ink)
                .marker(Marker::Circle)
                .points(printed),
        );
    }
    let largest = curves.iter().flat_map(|curve| &curve.points).map(|p| p.y).fold(10.0, f64::max);
    let finding = rows.iter().min_by(|a, b| (a.fraction - 0.5).abs().total_cmp(&(b.fraction - 0.5).abs()));
    let finding = match finding {
        Some(row) if count > 0 => format!(
            "With {} of the pixels missing, {:.1} % of {count} digits are classified correctly",
            percent(row.fraction),
            100.0 - rate(row.network, count).0
        ),
        _ => "No digit is classified yet".to_owned(),
    };
    let largest_fraction = spec.missing.iter().fold(0.5_f64, |largest, f| largest.max(*f));
    Figure::new("erased", "Error rate against missing pixels")
        .x(Axis::linear("fraction of pixels missing, f", (-0.02, largest_fraction + 0.02)))
        .y(Axis::linear("error rate (%)", (0.0, 1.05 * largest)))
        .marks(curves)
        .caption(format!(
            "Digits: {}. Pixels are erased at random and summed over; the classifiers are not retrained. Error bars: one \
             standard error of the test sample.",
            data_set(spec)
        ))
        .finding_and_summary(format!("{finding}."))
}

/// Returns the error rates of all classifiers.
fn errors(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let (count, errors) = snapshot.errors();
    let mut entries = vec![("networks".to_owned(), Some(errors), Some(PAPER_NETWORK))];
    if spec.baselines.mixture() {
        entries.push(("mixtures".to_owned(), snapshot.mixture_errors(), Some(PAPER_MIXTURE)));
    }
    if spec.baselines.neighbours() {
        let found = snapshot.neighbour_errors();
        for (i, (k, printed)) in NEIGHBOUR_COUNTS.iter().zip(PAPER_NEIGHBOURS).enumerate() {
            entries.push((format!("{k}-NN"), found.map(|found| found[i]), Some((printed, printed))));
        }
    }
    let known = entries.iter().enumerate().filter_map(|(at, entry)| Some((at, rate(entry.1?, count))));
    let bars =
        known.filter(|_| count > 0).map(|(at, (percent, se))| Bar::new(at as f64 + 1.0, percent).with_se(se));
    let bars: Vec<Bar> = bars.collect();
    let mut marks: Vec<Mark> = vec![Bars::new("ours", "this run", Hue::Blue, 0.6, bars).into()];
    if spec.is_mnist() {
        let printed = entries.iter().enumerate().flat_map(|(at, entry)| {
            entry
                .2
                .into_iter()
                .flat_map(move |(low, high)| [low, high].map(|y| Point::new(at as f64 + 1.0, y)))
        });
        marks.push(
            Curve::new("paper", "printed in the paper (range)", Hue::Ink)
                .marker(Marker::Circle)
                .points(printed)
                .into(),
        );
    }
    let mut y = Axis::linear("error rate (%)", (0.0, 8.0));
    y.expand_to_fit(&marks);
    let (percent, se) = rate(errors, count);
    let summary = if count == 0 {
        "No digit is classified yet.".to_owned()
    } else {
        format!(
            "The networks misclassify {errors} of {count} test images: error rate {percent:.2} ± {se:.2} %."
        )
    };
    let passes = snapshot.tested.iter().fold((0, 0), |sum, row| (sum.0 + row.passes, sum.1 + row.solves));
    let effort = if passes.1 == 0 {
        String::new()
    } else {
        format!(" Mean number of passes per solve: {:.1}.", passes.0 as f64 / passes.1 as f64)
    };
    Figure::new("errors", "Error rates of the classifiers")
        .x(Axis::categories("classifier", entries.into_iter().map(|entry| entry.0).collect()))
        .y(y)
        .marks(marks)
        .caption(format!(
            "{summary}{effort} Digits: {}; training set: {}. The predicted class is the network with the largest bound. Error bars: one \
             standard error of the test sample.",
            data_set(spec),
            spec.trained_on()
        ))
        .summary(summary)
}

/// Returns the confusion matrix.
fn confusion(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let digits: Vec<String> = (0..10).map(|digit| digit.to_string()).collect();
    let base = Figure::new("confusion", "Confusion matrix of the networks");
    let figure = confusion_figure(base, "digit", &digits, &[("counts", "Test images", snapshot.confusion())]);
    let caption = format!("{} Digits: {}.", figure.caption, data_set(spec));
    figure.caption(caption)
}

/// Returns the mean bound over the epochs, SJ98 figure 2.
fn learning(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let curves: Vec<Mark> = snapshot
        .trained
        .iter()
        .map(|row| {
            let stroke = if row.digit < FIRST_DASHED { Stroke::Solid } else { Stroke::Dashed };
            let points = row.bounds.iter().enumerate();
            let points = points.map(|(epoch, bound)| Point::new((epoch + 1) as f64, bound / BOUND_UNIT));
            Curve::new(
                format!("digit_{}", row.digit),
                row.digit.to_string(),
                HUES[usize::from(row.digit) % HUES.len()],
            )
            .stroke(stroke)
            .marker(Marker::Disc)
            .points(points)
            .into()
        })
        .collect();
    let mut y = Axis::linear("mean bound / (100 ln 2)", (-0.6, -0.2));
    y.expand_to_fit(&curves);
    let epochs = spec.schedule().len();
    let last = snapshot.trained.iter().filter_map(|row| Some((row.digit, row.bounds.last()? / BOUND_UNIT)));
    let last: Vec<String> =
        last.map(|(digit, bound)| format!("{digit}: {}", minus(format_args!("{bound:.3}")))).collect();
    let summary = if last.is_empty() {
        "No epoch is finished yet.".to_owned()
    } else {
        format!("Mean bound in the last epoch by digit, divided by 100 ln 2: {}.", last.join(", "))
    };
    Figure::new("learning", "Training: bound per epoch")
        .x(Axis::linear("epoch", (0.5, epochs as f64 + 0.5)))
        .y(y)
        .marks(curves)
        .caption(
            "Mean of the bound (24) over the training images during training, in bits per pixel, one curve per digit. In each epoch, \
             every image is evaluated just before its own learning step.",
        )
        .summary(summary)
}

/// Returns samples of each network, SJ98 figure 3.
fn samples(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Figure {
    let rows = snapshot.trained.iter();
    let each =
        rows.flat_map(|row| row.samples.iter().enumerate().map(move |(i, sample)| (row.digit, i, sample)));
    let grey = Colours::Grey { low: 0.0, high: 1.0 };
    let grids = each.map(|(digit, i, sample)| {
        Grid::image(format!("sample_{digit}_{i}"), digit.to_string(), SIDE, &spec.shown.shades(sample), grey)
    });
    Figure::new("samples", "Samples of the trained networks")
        .x(Axis::linear("column", (0.5, SIDE as f64 + 0.5)))
        .y(Axis::linear("row", (0.5, SIDE as f64 + 0.5)))
        .pictures(8)
        .marks(grids.collect::<Vec<_>>())
        .caption(format!(
            "Ancestral samples of the networks trained in this run ({}). {}",
            spec.trained_on(),
            spec.shown.caption()
        ))
        .summary(format!("Samples of the {} trained networks.", snapshot.trained.len()))
}
