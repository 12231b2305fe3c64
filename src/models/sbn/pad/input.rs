//! The image on the pad.

use crate::lab::Pixels;
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::digits::preprocessing::{Bits, GREY, PIXELS};
use crate::models::sbn::digits::strokes;
use crate::models::sbn::spec::{Canvas, LEVELS, LearnSpec};

/// The digit that is on the pad at first.
const EXAMPLE_DIGIT: u8 = 2;
/// Seed of its drawing: with its lower half hidden, a 3 is nearly as probable.
const EXAMPLE_SEED: u64 = 26;
/// Pixels that are hidden at first: the lower half.
const EXAMPLE_HIDDEN: std::ops::Range<usize> = PIXELS / 2..PIXELS;

/// Returns the input of the networks: the binary image and its missing pixels.
pub fn image(spec: &LearnSpec) -> (Bits, Bits) {
    match (spec.canvas, &spec.drawing, &spec.ink) {
        (Canvas::Grid, Some(drawing), _) => {
            let pixels_with = |state: Option<u8>| {
                let pixels = drawing.values().iter().enumerate();
                pixels.filter(|(_, value)| **value == state).map(|(i, _)| 1 << i).sum()
            };
            (pixels_with(Some(1)), pixels_with(None))
        }
        (Canvas::Pen, _, Some(ink)) => {
            let grey: Vec<f64> = ink.shades().into_iter().map(f64::from).collect();
            (spec.preprocess.bits(&grey), 0)
        }
        (Canvas::Grid, None, _) => {
            let hidden: Bits = EXAMPLE_HIDDEN.map(|i| 1 << i).sum();
            (spec.preprocess.bits(&example()) & !hidden, hidden)
        }
        (Canvas::Pen, _, None) => (spec.preprocess.bits(&inked(&example())), 0),
    }
}

/// Returns the digit that is on the pad at first, 28×28 intensities.
pub fn example() -> Vec<f64> {
    strokes::draw(EXAMPLE_DIGIT, &mut Stream::for_purpose(EXAMPLE_SEED, Purpose::SbnPadExample, 0))
}

/// Rounds a grey image to the levels of the pen.
fn inked(grey: &[f64]) -> Vec<f64> {
    let shades = grey.iter().map(|ink| *ink as f32);
    let pixels = Pixels::of_shades(GREY, LEVELS, shades);
    pixels.shades().into_iter().map(f64::from).collect()
}
