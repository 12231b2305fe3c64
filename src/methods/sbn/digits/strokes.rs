//! Simulated pen drawings of digits: a few strokes each, jittered, slanted, rotated and warped, as grey images of 28×28 pixels.
//! They replace scanned digits, and are easier to classify: see the README of the model.

use super::preprocessing::GREY;
use crate::math::random::Stream;

/// A segment of a stroke, in a unit box with the y axis pointing downwards.
#[derive(Clone, Copy, Debug)]
enum PenMove {
    /// Sets the pen down.
    At(f64, f64),
    /// A straight line.
    To(f64, f64),
    /// A cubic Bézier curve: two control points and the end point.
    By([f64; 6]),
}
use PenMove::{At, By, To};

/// A way to write a digit, with its probability among those of the digit.
type WritingStyle = (f64, &'static [PenMove]);

/// Ways to write each digit.
const STYLES: [&[WritingStyle]; 10] = [
    &[
        (
            0.8,
            &[
                At(0.55, 0.03),
                By([0.1, 0.0, 0.05, 0.5, 0.15, 0.75]),
                By([0.25, 1.05, 0.75, 1.05, 0.85, 0.7]),
                By([0.95, 0.4, 0.85, 0.02, 0.5, 0.03]),
            ],
        ),
        (
            0.2,
            &[
                At(0.7, 0.1),
                By([0.3, -0.08, 0.08, 0.3, 0.12, 0.6]),
                By([0.15, 1.1, 0.7, 1.05, 0.82, 0.7]),
                By([0.95, 0.35, 0.8, 0.0, 0.45, 0.12]),
            ],
        ),
    ],
    &[
        (0.72, &[At(0.52, 0.02), To(0.48, 0.98)]),
        (0.2, &[At(0.3, 0.22), To(0.52, 0.02), To(0.5, 0.98)]),
        (0.08, &[At(0.3, 0.2), To(0.52, 0.02), To(0.5, 0.96), At(0.28, 0.97), To(0.74, 0.96)]),
    ],
    &[
        (
            0.55,
            &[
                At(0.15, 0.25),
                By([0.2, -0.05, 0.85, -0.05, 0.8, 0.3]),
                By([0.75, 0.55, 0.35, 0.75, 0.12, 0.94]),
                To(0.92, 0.93),
            ],
        ),
        (
            0.45,
            &[
                At(0.15, 0.22),
                By([0.3, -0.08, 0.85, -0.02, 0.76, 0.35]),
                By([0.68, 0.7, 0.3, 1.0, 0.14, 0.92]),
                By([0.02, 0.72, 0.4, 0.72, 0.55, 0.88]),
                By([0.65, 0.98, 0.8, 0.98, 0.94, 0.88]),
            ],
        ),
    ],
    &[
        (
            0.75,
            &[
                At(0.16, 0.13),
                By([0.4, -0.05, 0.85, 0.0, 0.78, 0.25]),
                By([0.72, 0.42, 0.5, 0.46, 0.38, 0.47]),
                By([0.95, 0.45, 0.98, 0.9, 0.6, 0.96]),
                By([0.4, 1.0, 0.2, 0.95, 0.1, 0.84]),
            ],
        ),
        (
            0.25,
            &[
                At(0.15, 0.06),
                To(0.8, 0.06),
                To(0.42, 0.42),
                By([0.95, 0.4, 0.98, 0.9, 0.58, 0.96]),
                By([0.4, 1.0, 0.2, 0.95, 0.1, 0.85]),
            ],
        ),
    ],
    &[
        (
            0.65,
            &[
                At(0.2, 0.05),
                By([0.15, 0.25, 0.1, 0.5, 0.18, 0.54]),
                By([0.35, 0.58, 0.6, 0.54, 0.85, 0.48]),
                At(0.78, 0.06),
                By([0.72, 0.35, 0.68, 0.7, 0.66, 0.98]),
            ],
        ),
        (0.35, &[At(0.64, 0.04), To(0.1, 0.62), To(0.92, 0.6), At(0.66, 0.04), To(0.62, 0.98)]),
    ],
    &[
        (
            0.6,
            &[
                At(0.86, 0.06),
                To(0.32, 0.07),
                To(0.24, 0.44),
                By([0.6, 0.28, 0.98, 0.5, 0.8, 0.8]),
                By([0.66, 1.04, 0.3, 1.0, 0.12, 0.86]),
            ],
        ),
        (
            0.4,
            &[
                At(0.34, 0.06),
                By([0.28, 0.2, 0.26, 0.32, 0.24, 0.42]),
                By([0.6, 0.34, 0.95, 0.55, 0.76, 0.82]),
                By([0.62, 1.02, 0.3, 1.0, 0.12, 0.9]),
                At(0.34, 0.07),
                To(0.9, 0.05),
            ],
        ),
    ],
    &[
        (
            0.7,
            &[
                At(0.66, 0.03),
                By([0.35, 0.15, 0.12, 0.45, 0.18, 0.75]),
                By([0.25, 1.05, 0.75, 1.05, 0.82, 0.74]),
                By([0.82, 0.48, 0.42, 0.46, 0.22, 0.74]),
            ],
        ),
        (
            0.3,
            &[
                At(0.38, 0.02),
                By([0.2, 0.3, 0.1, 0.6, 0.2, 0.8]),
                By([0.3, 1.05, 0.8, 1.02, 0.8, 0.76]),
                By([0.78, 0.52, 0.4, 0.52, 0.2, 0.78]),
            ],
        ),
    ],
    &[
        (0.5, &[At(0.12, 0.1), To(0.86, 0.08), By([0.7, 0.35, 0.5, 0.65, 0.42, 0.97])]),
        (
            0.25,
            &[At(0.12, 0.22), By([0.15, 0.02, 0.3, 0.12, 0.86, 0.06]), By([0.75, 0.4, 0.6, 0.7, 0.52, 0.97])],
        ),
        (
            0.25,
            &[
                At(0.12, 0.1),
                To(0.86, 0.08),
                By([0.7, 0.35, 0.5, 0.65, 0.42, 0.97]),
                At(0.32, 0.52),
                To(0.82, 0.5),
            ],
        ),
    ],
    &[
        (
            0.7,
            &[
                At(0.76, 0.15),
                By([0.55, -0.08, 0.15, 0.02, 0.25, 0.28]),
                By([0.35, 0.48, 0.85, 0.52, 0.78, 0.8]),
                By([0.7, 1.06, 0.18, 1.02, 0.2, 0.78]),
                By([0.22, 0.55, 0.7, 0.42, 0.76, 0.15]),
            ],
        ),
        (
            0.3,
            &[
                At(0.5, 0.45),
                By([0.1, 0.4, 0.2, 0.0, 0.5, 0.02]),
                By([0.82, 0.02, 0.88, 0.4, 0.5, 0.45]),
                By([0.05, 0.52, 0.1, 0.98, 0.5, 0.98]),
                By([0.92, 0.98, 0.92, 0.52, 0.5, 0.45]),
            ],
        ),
    ],
    &[
        (
            0.5,
            &[
                At(0.78, 0.18),
                By([0.6, -0.04, 0.18, 0.0, 0.18, 0.3]),
                By([0.18, 0.6, 0.66, 0.55, 0.78, 0.22]),
                By([0.78, 0.5, 0.74, 0.75, 0.66, 0.98]),
            ],
        ),
        (
            0.25,
            &[
                At(0.76, 0.2),
                By([0.6, -0.05, 0.2, 0.0, 0.2, 0.28]),
                By([0.2, 0.55, 0.66, 0.55, 0.76, 0.22]),
                To(0.7, 0.98),
            ],
        ),
        (
            0.25,
            &[
                At(0.76, 0.2),
                By([0.6, -0.05, 0.2, 0.0, 0.2, 0.28]),
                By([0.2, 0.55, 0.66, 0.55, 0.76, 0.22]),
                By([0.84, 0.7, 0.75, 1.05, 0.28, 0.92]),
            ],
        ),
    ],
];

/// Standard deviation of each control point, in units of the box.
const JITTER: f64 = 0.075;
/// Width over height: mean and standard deviation.
const ASPECT: (f64, f64) = (0.86, 0.17);
/// Standard deviation of the shear.
const SHEAR: f64 = 0.25;
/// Standard deviation of the rotation, in radians.
const ROTATION: f64 = 0.13;
/// Standard deviation of the warp, in units of the box.
const WARP: f64 = 0.04;
/// Half the width of the pen in pixels: mean and standard deviation.
const PEN: (f64, f64) = (1.45, 0.38);
/// Side of the square around the ink, in pixels.
const FIT: f64 = 20.0;
/// Number of line segments per curve.
const SEGMENTS: usize = 14;

/// Coordinates x and y.
type PenPoint = [f64; 2];

/// Draws `digit`. Returns GREY·GREY intensities from 0 to 1, row by row.
///
/// # Panics
/// If `digit` is larger than 9.
pub fn draw(digit: u8, stream: &mut Stream) -> Vec<f64> {
    let mut strokes = written(STYLES[usize::from(digit)], stream);
    distort(&mut strokes, stream);
    fit(&mut strokes);
    let radius = (PEN.0 + PEN.1 * stream.normal()).clamp(0.9, 2.6);
    let mut image = rendered(&strokes, radius, (0.0, 0.0));
    // The centre of mass is moved to the centre of the image, as in MNIST.
    let ink: f64 = image.iter().sum();
    if ink > 0.0 {
        let mean = |of: fn(usize) -> usize| {
            image.iter().enumerate().map(|(i, p)| p * (of(i) as f64 + 0.5)).sum::<f64>() / ink
        };
        let middle = GREY as f64 / 2.0;
        let shift = (middle - mean(|i| i % GREY), middle - mean(|i| i / GREY));
        image = rendered(&strokes, radius, shift);
    }
    image
}

/// Returns the strokes of a random style as polylines with jittered control points.
fn written(styles: &[WritingStyle], stream: &mut Stream) -> Vec<Vec<PenPoint>> {
    let mut choice = stream.uniform();
    let fits = |style: &&WritingStyle| {
        choice -= style.0;
        choice < 0.0
    };
    let (_, pieces) = styles.iter().find(fits).unwrap_or(&styles[0]);
    let mut jittered = |x: f64, y: f64| [x + JITTER * stream.normal(), y + JITTER * stream.normal()];
    let mut strokes: Vec<Vec<PenPoint>> = Vec::new();
    for piece in *pieces {
        let last = strokes.last().and_then(|stroke| stroke.last().copied()).unwrap_or_default();
        let mut go = |a: PenPoint, b: PenPoint, end: PenPoint| {
            let at = |i: usize| {
                let t = i as f64 / SEGMENTS as f64;
                let u = 1.0 - t;
                std::array::from_fn(|c| {
                    u * u * u * last[c] + 3.0 * u * u * t * a[c] + 3.0 * u * t * t * b[c] + t * t * t * end[c]
                })
            };
            if let Some(stroke) = strokes.last_mut() {
                stroke.extend((1..=SEGMENTS).map(at));
            }
        };
        match *piece {
            At(x, y) => strokes.push(vec![jittered(x, y)]),
            To(x, y) => {
                let end = jittered(x, y);
                let bend = jittered(0.0, 0.0);
                let part = |t: f64| std::array::from_fn(|c| last[c] + t * (end[c] - last[c]) + bend[c]);
                go(part(1.0 / 3.0), part(2.0 / 3.0), end);
            }
            By([ax, ay, bx, by, x, y]) => go(jittered(ax, ay), jittered(bx, by), jittered(x, y)),
        }
    }
    strokes
}

/// Applies a random aspect ratio, shear, rotation and smooth warp.
fn distort(strokes: &mut [Vec<PenPoint>], stream: &mut Stream) {
    let aspect = (ASPECT.0 + ASPECT.1 * stream.normal()).clamp(0.4, 1.4);
    let shear = SHEAR * stream.normal();
    let (sin, cos) = libm::sincos(ROTATION * stream.normal());
    let mut wave = || {
        let phase = std::f64::consts::TAU * stream.uniform();
        let (x, y) = (4.0 * stream.normal(), 4.0 * stream.normal());
        let size = WARP * std::f64::consts::SQRT_2;
        move |p: PenPoint| size * libm::sin(x * p[0] + y * p[1] + phase)
    };
    let (warp_x, warp_y) = (wave(), wave());
    for p in strokes.iter_mut().flatten() {
        let (x, y) = (p[0] - 0.5 + warp_x(*p), p[1] - 0.5 + warp_y(*p));
        let x = aspect * x - shear * y;
        *p = [cos * x - sin * y, sin * x + cos * y];
    }
}

/// Scales the strokes so that the larger side of their bounding box is [`FIT`], and centres them.
fn fit(strokes: &mut [Vec<PenPoint>]) {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for p in strokes.iter().flatten() {
        for c in 0..2 {
            low[c] = low[c].min(p[c]);
            high[c] = high[c].max(p[c]);
        }
    }
    let scale = FIT / (high[0] - low[0]).max(high[1] - low[1]).max(1e-3);
    for p in strokes.iter_mut().flatten() {
        *p = std::array::from_fn(|c| GREY as f64 / 2.0 + scale * (p[c] - 0.5 * (low[c] + high[c])));
    }
}

/// Renders the strokes with a round pen of this radius, moved by `shift`.
fn rendered(strokes: &[Vec<PenPoint>], radius: f64, shift: (f64, f64)) -> Vec<f64> {
    let mut image = vec![0.0_f64; GREY * GREY];
    let reach = radius + 0.5;
    for pair in strokes.iter().flat_map(|stroke| stroke.windows(2)) {
        let [a, b] = [pair[0], pair[1]].map(|p| [p[0] + shift.0, p[1] + shift.1]);
        let span = |c: usize| {
            let from = (a[c].min(b[c]) - reach - 0.5).max(0.0) as usize;
            let to = (a[c].max(b[c]) + reach + 0.5).clamp(0.0, GREY as f64) as usize;
            from..to.min(GREY)
        };
        let along = [b[0] - a[0], b[1] - a[1]];
        let length = along[0] * along[0] + along[1] * along[1];
        for row in span(1) {
            for column in span(0) {
                let from = [column as f64 + 0.5 - a[0], row as f64 + 0.5 - a[1]];
                let t = if length > 0.0 { (from[0] * along[0] + from[1] * along[1]) / length } else { 0.0 };
                let t = t.clamp(0.0, 1.0);
                let (x, y) = (from[0] - t * along[0], from[1] - t * along[1]);
                let ink = (reach - (x * x + y * y).sqrt()).clamp(0.0, 1.0);
                let pixel = &mut image[row * GREY + column];
                *pixel = pixel.max(ink);
            }
        }
    }
    image
}
