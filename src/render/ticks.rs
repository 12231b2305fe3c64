//! Ticks at round numbers.

use crate::figure::{Axis, Scale};

/// Ticks of an axis in data units.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Ticks {
    /// Values with a number or name, and its text.
    pub major: Vec<(f64, String)>,
    /// Values without a number.
    pub minor: Vec<f64>,
}

/// Returns the ticks of an axis for a range of [`super::geometry::drawable_range`], about `wanted` of them with a number.
pub(super) fn axis_ticks(axis: &Axis, range: (f64, f64), wanted: usize) -> Ticks {
    let mut all = ticks(axis.scale, range, wanted);
    if axis.whole {
        let is_whole = |v: f64| (v - v.round()).abs() < 1e-6;
        all.major.retain(|(v, _)| is_whole(*v));
        all.minor.retain(|v| is_whole(*v));
        all.major.iter_mut().for_each(|(_, text)| {
            if let Some((whole, _)) = text.split_once('.').filter(|_| range.1.abs() < 1e6) {
                *text = whole.to_owned();
            }
        });
    }
    all
}

/// Returns ticks for a range of [`super::geometry::drawable_range`], about `wanted` of them with a number.
pub(super) fn ticks(scale: Scale, range: (f64, f64), wanted: usize) -> Ticks {
    let wanted = wanted.max(2);
    match scale {
        Scale::Linear => linear(range, wanted),
        Scale::Log => log(range, wanted),
    }
}

/// Returns true if `v` is in the range up to rounding errors.
fn inside(v: f64, (lo, hi): (f64, f64)) -> bool {
    let slack = 1e-9 * (hi - lo);
    v >= lo - slack && v <= hi + slack
}

/// Returns digit and power of the smallest step 1, 2 or 5 × 10ⁿ that is at least `raw`.
fn step_above(raw: f64) -> (u32, i32) {
    let power = raw.log10().floor() as i32;
    let digit = raw / 10f64.powi(power);
    match digit {
        d if d <= 1.0 + 1e-9 => (1, power),
        d if d <= 2.0 + 1e-9 => (2, power),
        d if d <= 5.0 + 1e-9 => (5, power),
        _ => (1, power + 1),
    }
}

/// Returns the multiples of `step` in the range.
fn multiples(step: f64, range: (f64, f64)) -> Vec<f64> {
    let (first, last) = ((range.0 / step).floor(), (range.1 / step).ceil());
    // The step is derived from the range; the bound is a safeguard.
    let n = (last - first).clamp(0.0, 1000.0) as usize;
    (0..=n).map(|i| (first + i as f64) * step).filter(|v| inside(*v, range)).collect()
}

fn linear(range: (f64, f64), wanted: usize) -> Ticks {
    // Up to a fifth more than wanted is preferred to half as many.
    let (digit, power) = step_above(0.8 * (range.1 - range.0) / wanted as f64);
    let unit = 10f64.powi(power);
    let step = f64::from(digit) * unit;
    let parts = if digit == 2 { 4.0 } else { 5.0 };
    let major = multiples(step, range);
    let minor = multiples(step / parts, range)
        .into_iter()
        .filter(|v| {
            let r = (v / step).rem_euclid(1.0);
            r > 1e-6 && r < 1.0 - 1e-6
        })
        .collect();
    let largest = range.0.abs().max(range.1.abs());
    Ticks { major: major.into_iter().map(|v| (v, number(v, power, largest))).collect(), minor }
}

fn log(range: (f64, f64), wanted: usize) -> Ticks {
    let (first, last) = (range.0.log10().floor() as i32, range.1.log10().ceil() as i32);
    let decades = (range.1 / range.0).log10();
    if decades < 0.7 {
        // Less than 0.7 decades: equal differences are clearer.
        return linear(range, wanted);
    }
    let stride = ((decades / wanted as f64).ceil() as i32).max(1);
    // Numbers per decade, as room permits.
    let digits: &[u32] = match decades / (wanted as f64 + 1.0) {
        d if 3.0 * d <= 1.0 => &[1, 2, 5],
        d if 2.0 * d <= 1.0 => &[1, 3],
        _ => &[1],
    };
    // Plain numbers if all are short, otherwise powers.
    let plain = range.0 >= 0.8e-3 && range.1 <= 1.2e4;
    let mut out = Ticks::default();
    for power in first..=last {
        for digit in 1..=9 {
            let v = f64::from(digit) * 10f64.powi(power);
            if !in_log(v, range) {
                continue;
            }
            if digits.contains(&digit) && power.rem_euclid(stride) == 0 {
                let text = match (plain, digit) {
                    (true, _) => number(v, power.min(0), 1.0),
                    (false, 1) => format!("10{}", superscript(power)),
                    (false, _) => format!("{digit}×10{}", superscript(power)),
                };
                out.major.push((v, text));
            } else if stride == 1 || (digit == 1 && stride <= 10) {
                out.minor.push(v);
            }
        }
    }
    out
}

fn in_log(v: f64, (lo, hi): (f64, f64)) -> bool {
    v >= lo * (1.0 - 1e-9) && v <= hi * (1.0 + 1e-9)
}

/// Formats a number with the decimals of its step (`10^power`), on an axis with values up to `largest`.
fn number(v: f64, power: i32, largest: f64) -> String {
    if v == 0.0 || v.abs() < 1e-6 * 10f64.powi(power) {
        return "0".into();
    }
    if power < -5 || largest >= 1e6 {
        let exponent = (v.abs().log10() + 1e-9).floor() as i32;
        let places = (exponent - power).clamp(0, 9) as usize;
        let mantissa = v / 10f64.powi(exponent);
        return minus(&format!("{mantissa:.places$}×10{}", superscript(exponent)));
    }
    let text = format!("{v:.*}", (-power).max(0) as usize);
    minus(&grouped(&text))
}

/// Inserts thin spaces between groups of three digits from 10 000 on.
fn grouped(text: &str) -> String {
    let whole = text.split('.').next().unwrap_or(text).trim_start_matches('-').len();
    if whole < 5 {
        return text.into();
    }
    let sign = usize::from(text.starts_with('-'));
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        let left = (whole + sign).saturating_sub(i);
        if i > sign && left > 0 && left % 3 == 0 {
            out.push('\u{2009}');
        }
        out.push(c);
    }
    out
}

fn minus(text: &str) -> String {
    text.replace('-', "−")
}

fn superscript(n: i32) -> String {
    n.to_string()
        .chars()
        .map(|c| match c {
            '-' => '⁻',
            '0' => '⁰',
            '1' => '¹',
            '2' => '²',
            '3' => '³',
            '4' => '⁴',
            '5' => '⁵',
            '6' => '⁶',
            '7' => '⁷',
            '8' => '⁸',
            _ => '⁹',
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(t: &Ticks) -> Vec<&str> {
        t.major.iter().map(|(_, s)| s.as_str()).collect()
    }

    #[test]
    fn linear_ticks_are_round_and_in_range() {
        assert_eq!(words(&ticks(Scale::Linear, (0.0, 10.0), 5)), ["0", "2", "4", "6", "8", "10"]);
        assert_eq!(
            words(&ticks(Scale::Linear, (-0.1, 0.52), 6)),
            ["−0.1", "0", "0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        assert_eq!(
            words(&ticks(Scale::Linear, (0.0, 60_000.0), 3)),
            ["0", "20\u{2009}000", "40\u{2009}000", "60\u{2009}000"]
        );
        assert_eq!(words(&ticks(Scale::Linear, (0.0, 3e-8), 3)), ["0", "1×10⁻⁸", "2×10⁻⁸", "3×10⁻⁸"]);
        assert_eq!(words(&ticks(Scale::Linear, (-3e7, 0.0), 3)), ["−3×10⁷", "−2×10⁷", "−1×10⁷", "0"]);
        for (lo, hi) in [(0.013, 0.98), (-7.0, 3.3), (1e5, 1.2e5), (-1e200, 1e200), (1e16, 1.1e16)] {
            for wanted in 2..12 {
                let t = ticks(Scale::Linear, (lo, hi), wanted);
                assert!(
                    !t.major.is_empty() && t.major.len() <= 2 + wanted + wanted / 4,
                    "{lo} {hi} {wanted} {t:?}"
                );
                let slack = 1e-9 * (hi - lo);
                assert!(t.major.iter().all(|(v, _)| *v >= lo - slack && *v <= hi + slack));
                let step = (hi - lo) / wanted as f64;
                let (digit, _) = step_above(step);
                assert!([1, 2, 5].contains(&digit));
                let mut texts = words(&t);
                texts.dedup();
                assert_eq!(texts.len(), t.major.len(), "numbers repeat: {texts:?}");
            }
        }
    }

    #[test]
    fn counts_have_no_fractions() {
        let at = |range| {
            let of = axis_ticks(&Axis::counts("sets", range), range, 8);
            (words(&of).concat(), of.minor.len())
        };
        assert_eq!(at((0.0, 2.0)), ("012".to_owned(), 0));
        assert_eq!(at((0.0, 6.2)), ("0123456".to_owned(), 0));
        assert!(at((0.0, 61.0)).1 > 10);
    }

    #[test]
    fn minor_ticks_differ_from_major_ticks() {
        let t = ticks(Scale::Linear, (0.0, 1.0), 5);
        assert_eq!(t.major.len(), 6);
        assert_eq!(t.minor.len(), 15);
    }

    #[test]
    fn log_ticks_are_decades_and_digits_between() {
        let t = ticks(Scale::Log, (0.01, 100.0), 6);
        assert_eq!(words(&t), ["0.01", "0.1", "1", "10", "100"]);
        assert_eq!(t.minor.len(), 32);
        assert_eq!(words(&ticks(Scale::Log, (1e-6, 1.0), 3)), ["10⁻⁶", "10⁻⁴", "10⁻²", "10⁰"]);
        assert_eq!(words(&ticks(Scale::Log, (1.0, 10.0), 5)), ["1", "2", "5", "10"]);
        assert_eq!(words(&ticks(Scale::Log, (0.2, 0.5), 4)), ["0.2", "0.3", "0.4", "0.5"]);
        for (lo, hi) in [(1e-200, 1e200), (3.1, 77.0), (0.3, 4.0), (0.9, 1.1)] {
            for wanted in 2..9 {
                let t = ticks(Scale::Log, (lo, hi), wanted);
                assert!(!t.major.is_empty() && t.major.len() <= 2 * wanted + 2, "{lo} {hi} {wanted} {t:?}");
                assert!(t.minor.len() < 500);
                assert!(t.major.iter().all(|(v, _)| in_log(*v, (lo, hi))));
            }
        }
    }
}
