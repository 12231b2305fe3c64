//! Averages with their standard errors.

/// A mean over independent runs and its standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean; NaN over nothing.
    pub mean: f64,
    /// One standard error of the mean; NaN over fewer than two values.
    pub se: f64,
    /// How many values.
    pub count: usize,
}

/// Mean and standard error of `values`, in their order; values that are not finite are left out.
pub fn mean(values: impl Iterator<Item = f64> + Clone) -> Mean {
    let finite = values.filter(|x| x.is_finite());
    let count = finite.clone().count();
    let mean = finite.clone().sum::<f64>() / count as f64;
    let squares: f64 = finite.map(|x| (x - mean) * (x - mean)).sum();
    let se = if count < 2 { f64::NAN } else { libm::sqrt(squares / ((count - 1) as f64 * count as f64)) };
    Mean { mean, se, count }
}

/// The middle value (the mean of the two middle ones for an even number); NaN over nothing.
pub fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    match (sorted.len(), sorted.len() / 2) {
        (0, _) => f64::NAN,
        (n, h) if n % 2 == 1 => sorted[h],
        (_, h) => 0.5 * (sorted[h - 1] + sorted[h]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn textbook_values() {
        let m = mean([1.0, 2.0, 3.0, 4.0, f64::NAN].into_iter());
        assert_eq!((m.mean, m.count), (2.5, 4));
        assert!((m.se - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        assert!(mean([1.0].into_iter()).se.is_nan());
        assert_eq!(median([3.0, 1.0, 2.0].into_iter()), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0].into_iter()), 2.5);
        assert!(median(std::iter::empty()).is_nan());
    }
}
