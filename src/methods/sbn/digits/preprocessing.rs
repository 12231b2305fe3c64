//! The pre-processing of SJ98: grey images of 28×28 pixels are deslanted, downsampled and thresholded to 10×10 binary ones. The
//! paper gives no details; [`Preprocessing::Paper`] reproduces its nearest-neighbour error rates to within .3 percentage points.

/// Number of rows, and of columns, of a binary image.
pub const SIDE: usize = 10;
/// Number of pixels of a binary image.
pub const PIXELS: usize = SIDE * SIDE;
/// Number of rows, and of columns, of a grey image.
pub const GREY: usize = 28;

/// A binary image: bit SIDE·row + column, from the upper left corner.
pub type Bits = u128;

crate::choice! {
    /// Method of pre-processing.
    pub enum Preprocessing {
        /// Deslants the image, averages the central 20×20 pixels two by two, and thresholds at .55.
        Paper = "paper" "as in the paper: central 20×20 pixels, 2×2 means",
        /// Deslants the image, scales the bounding box of the digit to 10×10 pixels, and thresholds at .25.
        Bbox = "bbox" "bounding box of the digit scaled to fill the image",
    }
}

/// First row and column of the central part.
const MARGIN: usize = 4;
/// Smallest mean intensity of a pixel that is 1, for [`Preprocessing::Paper`].
const PAPER_THRESHOLD: f64 = 0.55;
/// Smallest mean intensity of a pixel that is 1, for [`Preprocessing::Bbox`].
const BOX_THRESHOLD: f64 = 0.25;
/// Intensity above which a pixel belongs to the bounding box.
const INK: f64 = 0.3;

impl Preprocessing {
    /// Returns the binary image of a grey one, GREY·GREY intensities from 0 to 1, row by row.
    pub fn bits(self, grey: &[f64]) -> Bits {
        let upright = deslant(grey);
        let (means, threshold) = match self {
            Self::Paper => (middle(&upright), PAPER_THRESHOLD),
            Self::Bbox => (boxed(&upright), BOX_THRESHOLD),
        };
        means.iter().enumerate().filter(|(_, mean)| **mean >= threshold).map(|(i, _)| 1 << i).sum()
    }

    /// Returns the binary image of an image of bytes. An image of 10×10 pixels is only thresholded.
    pub fn bits_of_bytes(self, grey: &[u8]) -> Bits {
        if grey.len() == PIXELS {
            return grey.iter().enumerate().filter(|(_, pixel)| **pixel > 127).map(|(i, _)| 1 << i).sum();
        }
        let unit: Vec<f64> = grey.iter().map(|pixel| f64::from(*pixel) / 255.0).collect();
        self.bits(&unit)
    }
}

/// Shears an image so that x and y are uncorrelated: each row is shifted by c_xy/c_yy times its distance from the centre of mass.
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

/// Returns the 2×2 means of the central part.
fn middle(grey: &[f64]) -> Vec<f64> {
    let mean = |i: usize| {
        let (row, column) = (MARGIN + 2 * (i / SIDE), MARGIN + 2 * (i % SIDE));
        let pair = |row: usize| grey[row * GREY + column] + grey[row * GREY + column + 1];
        (pair(row) + pair(row + 1)) / 4.0
    };
    (0..PIXELS).map(mean).collect()
}

/// Returns the means of the bounding box divided into 10×10 cells.
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
    // Each side is at least half the other, so that a one stays narrow.
    let widened = |(low, high): (f64, f64), other: (f64, f64)| {
        let lack = (0.5 * (other.1 - other.0) - (high - low)).max(0.0);
        (low - 0.5 * lack, high + 0.5 * lack)
    };
    let (rows, columns) = (widened(rows, columns), widened(columns, rows));
    let cell = |(low, high): (f64, f64), i: usize| {
        let size = (high - low) / SIDE as f64;
        (low + size * i as f64, low + size * (i + 1) as f64)
    };
    // Length of the part of pixel p inside an interval.
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

/// Returns true if pixel i of an image is 1.
pub fn is_on(bits: Bits, i: usize) -> bool {
    bits >> i & 1 == 1
}

/// Parses an image written as 100 digits 0 and 1, with any white space; `None` for any other text.
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

/// Returns the rows of an image as words of 0 and 1.
pub fn rows(bits: Bits) -> Vec<String> {
    let row = |y: usize| (0..SIDE).map(|x| if is_on(bits, y * SIDE + x) { '1' } else { '0' }).collect();
    (0..SIDE).map(row).collect()
}
