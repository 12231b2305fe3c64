//! The pre-processing of SJ98: grey images of 28×28 pixels are deslanted, downsampled and thresholded to 10×10 binary ones. The paper
//! says no more; [`Prepare::Paper`] is one way that reproduces its nearest-neighbour errors to .3 points.

/// Rows and columns of a binary image.
pub const SIDE: usize = 10;
/// Its pixels.
pub const PIXELS: usize = SIDE * SIDE;
/// Rows and columns of a grey image.
pub const GREY: usize = 28;

/// A binary image: bit SIDE·row + column, from the upper left corner.
pub type Bits = u128;

crate::choice! {
    /// How a grey image becomes a binary one.
    pub enum Prepare {
        /// Deslanted; the middle 20×20 pixels averaged two by two; 1 from .55.
        Paper = "paper" "as in the paper: central 20×20 pixels, 2×2 means",
        /// Deslanted; the digit's own box brought to 10×10; 1 from .25.
        Bbox = "bbox" "bounding box of the digit scaled to fill the image",
    }
}

/// The first row and column of the middle part.
const MARGIN: usize = 4;
/// From which mean a pixel is 1.
const PAPER_THRESHOLD: f64 = 0.55;
const BOX_THRESHOLD: f64 = 0.25;
/// From which intensity a pixel is inside the box.
const INK: f64 = 0.3;

impl Prepare {
    /// The binary image of a grey one, GREY·GREY intensities from 0 to 1, row by row.
    pub fn bits(self, grey: &[f64]) -> Bits {
        let upright = deslant(grey);
        let (means, threshold) = match self {
            Self::Paper => (middle(&upright), PAPER_THRESHOLD),
            Self::Bbox => (boxed(&upright), BOX_THRESHOLD),
        };
        means.iter().enumerate().filter(|(_, mean)| **mean >= threshold).map(|(i, _)| 1 << i).sum()
    }

    /// The same of an image of bytes; one of 10×10 pixels is only brought to two levels.
    pub fn bits_of_bytes(self, grey: &[u8]) -> Bits {
        if grey.len() == PIXELS {
            return grey.iter().enumerate().filter(|(_, pixel)| **pixel > 127).map(|(i, _)| 1 << i).sum();
        }
        let unit: Vec<f64> = grey.iter().map(|pixel| f64::from(*pixel) / 255.0).collect();
        self.bits(&unit)
    }
}

/// Sheared so that x and y are uncorrelated: each row is moved by c_xy/c_yy of its distance from the middle.
fn deslant(grey: &[f64]) -> Vec<f64> {
    let all = || grey.iter().enumerate().map(|(i, ink)| ((i % GREY) as f64, (i / GREY) as f64, *ink));
    let ink: f64 = grey.iter().sum();
    if ink <= 0.0 {
        return grey.to_vec();
    }
    let mean_x = all().map(|(x, _, ink)| ink * x).sum::<f64>() / ink;
    let mean_y = all().map(|(_, y, ink)| ink * y).sum::<f64>() / ink;
    let xy: f64 = all().map(|(x, y, ink)| ink * (x - mean_x) * (y - mean_y)).sum();
    let yy: f64 = all().map(|(_, y, ink)| ink * (y - mean_y) * (y - mean_y)).sum();
    let slant = if yy > 0.0 { (xy / yy).clamp(-1.0, 1.0) } else { 0.0 };
    let at = |x: f64, row: usize| {
        let inside = (0.0..GREY as f64).contains(&x);
        if inside { grey[row * GREY + x as usize] } else { 0.0 }
    };
    let pixel = |i: usize| {
        let (row, x) = (i / GREY, (i % GREY) as f64 + slant * ((i / GREY) as f64 - mean_y));
        let (left, part) = (x.floor(), x - x.floor());
        (1.0 - part) * at(left, row) + part * at(left + 1.0, row)
    };
    (0..GREY * GREY).map(pixel).collect()
}

fn middle(grey: &[f64]) -> Vec<f64> {
    let mean = |i: usize| {
        let (row, column) = (MARGIN + 2 * (i / SIDE), MARGIN + 2 * (i % SIDE));
        let pair = |row: usize| grey[row * GREY + column] + grey[row * GREY + column + 1];
        (pair(row) + pair(row + 1)) / 4.0
    };
    (0..PIXELS).map(mean).collect()
}

fn boxed(grey: &[f64]) -> Vec<f64> {
    let inked = |row: usize, column: usize| grey[row * GREY + column] > INK;
    let extent = |has_ink: &dyn Fn(usize) -> bool| {
        let first = (0..GREY).find(|i| has_ink(*i))?;
        let last = (0..GREY).rev().find(|i| has_ink(*i))?;
        Some((first as f64, (last + 1) as f64))
    };
    let rows = extent(&|row| (0..GREY).any(|column| inked(row, column)));
    let columns = extent(&|column| (0..GREY).any(|row| inked(row, column)));
    let (Some(rows), Some(columns)) = (rows, columns) else { return vec![0.0; PIXELS] };
    // Neither side is less than half the other: a one stays narrow.
    let widened = |(low, high): (f64, f64), other: (f64, f64)| {
        let lack = (0.5 * (other.1 - other.0) - (high - low)).max(0.0);
        (low - 0.5 * lack, high + 0.5 * lack)
    };
    let (rows, columns) = (widened(rows, columns), widened(columns, rows));
    let cell = |(low, high): (f64, f64), i: usize| {
        let size = (high - low) / SIDE as f64;
        (low + size * i as f64, low + size * (i + 1) as f64)
    };
    // How much of pixel p lies in an interval.
    let shared = |(low, high): (f64, f64), p: usize| (high.min((p + 1) as f64) - low.max(p as f64)).max(0.0);
    let mean = |i: usize| {
        let (y, x) = (cell(rows, i / SIDE), cell(columns, i % SIDE));
        let mut sum = 0.0;
        for row in y.0.max(0.0) as usize..GREY.min(y.1.max(0.0) as usize + 1) {
            for column in x.0.max(0.0) as usize..GREY.min(x.1.max(0.0) as usize + 1) {
                sum += shared(y, row) * shared(x, column) * grey[row * GREY + column];
            }
        }
        sum / ((y.1 - y.0) * (x.1 - x.0))
    };
    (0..PIXELS).map(mean).collect()
}

/// Whether pixel i of an image is 1.
pub fn is_on(bits: Bits, i: usize) -> bool {
    bits >> i & 1 == 1
}

/// An image written as ten words of 0 and 1, one per row, or as one word; `None` for anything else.
pub fn parse(text: &str) -> Option<Bits> {
    let mut digits = text.chars().filter(|c| !c.is_whitespace());
    let mut bits = 0;
    for i in 0..PIXELS {
        match digits.next()? {
            '0' => {}
            '1' => bits |= 1 << i,
            _ => return None,
        }
    }
    digits.next().is_none().then_some(bits)
}

/// The rows of an image as words of 0 and 1.
pub fn rows(bits: Bits) -> Vec<String> {
    let row = |y: usize| (0..SIDE).map(|x| if is_on(bits, y * SIDE + x) { '1' } else { '0' }).collect();
    (0..SIDE).map(row).collect()
}
