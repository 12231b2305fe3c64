//! Standardisation of columns to zero mean and unit variance over the training rows.

/// Scales of the inputs and of a numeric target.
#[derive(Clone, Debug, PartialEq)]
pub struct Scaling {
    /// One scale per input.
    pub inputs: Vec<ColumnScale>,
    /// Scale of a numeric target.
    pub target: Option<ColumnScale>,
}

impl Scaling {
    /// Standardises rows of inputs.
    pub fn standardise_rows(&self, inputs: &mut [f64]) {
        for row in inputs.chunks_exact_mut(self.inputs.len()) {
            row.iter_mut().zip(&self.inputs).for_each(|(x, scale)| *x = scale.standardise(*x));
        }
    }
}

/// The map of a number to standard units, ((x/unit − mean)/spread)·factor. Unit and spread are powers of two that scale the largest
/// number to between 1 and 2, so that sums and squares do not overflow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ColumnScale {
    unit: f64,
    mean: f64,
    spread: f64,
    factor: f64,
}

impl ColumnScale {
    /// Returns the scale of these numbers; `None` if they are all equal.
    pub fn of(mut numbers: Vec<f64>) -> Option<Self> {
        if numbers.iter().all(|x| *x == numbers[0]) {
            return None;
        }
        let mean_of = |numbers: &[f64], f: fn(f64) -> f64| {
            numbers.iter().map(|x| f(*x)).sum::<f64>() / numbers.len() as f64
        };
        let unit = power_of_two(&numbers);
        for x in &mut numbers {
            *x /= unit;
        }
        let mean = mean_of(&numbers, |x| x);
        for x in &mut numbers {
            *x -= mean;
        }
        let spread = power_of_two(&numbers);
        for x in &mut numbers {
            *x /= spread;
        }
        let factor = 1.0 / mean_of(&numbers, |x| x * x).sqrt();
        Some(Self { unit, mean, spread, factor })
    }

    /// Maps a number to standard units.
    pub fn standardise(&self, x: f64) -> f64 {
        (x / self.unit - self.mean) / self.spread * self.factor
    }

    /// Maps a number in standard units back.
    pub fn invert(&self, z: f64) -> f64 {
        (z / self.factor * self.spread + self.mean) * self.unit
    }

    /// Maps a standard deviation in standard units back.
    pub fn invert_deviation(&self, sd: f64) -> f64 {
        sd / self.factor * self.spread * self.unit
    }
}

/// Returns the power of two that scales the largest of the numbers to between 1 and 2.
fn power_of_two(numbers: &[f64]) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    let largest = numbers.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    f64::from_bits(largest.to_bits() & EXPONENT)
}
/// Relative range of numbers that are equal up to rounding, such as 0.3 and 0.1 + 0.2.
const ROUNDING: f64 = 1e-14;

/// Returns true if numbers differ by more than rounding; missing ones are left out.
pub(crate) fn varies(numbers: impl Iterator<Item = f64>) -> bool {
    let known = numbers.filter(|x| !x.is_nan());
    let (low, high) =
        known.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    // Halves: the difference of two large numbers may overflow.
    high / 2.0 - low / 2.0 > ROUNDING * high.abs().max(low.abs())
}
