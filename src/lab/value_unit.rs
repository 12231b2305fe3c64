//! Units in which the ledger shows values.

/// Unit in which a value is shown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueUnit {
    /// Power of ten by which the value is multiplied: 2 for a share shown in per cent.
    pub shift: usize,
    /// Name after the number 1; empty for a pure number.
    pub one: &'static str,
    /// Name after other numbers.
    pub many: &'static str,
}

impl ValueUnit {
    /// Pure number.
    pub const NONE: Self = Self::named("", "");
    /// Log probability.
    pub const NATS: Self = Self::named("nat", "nats");
    /// Difference in units of its standard error.
    pub const STANDARD_ERRORS: Self = Self::named("standard error", "standard errors");
    /// Share.
    pub const PERCENT: Self = Self { shift: 2, ..Self::named("%", "%") };
    /// Difference of two shares.
    pub const POINTS: Self = Self { shift: 2, ..Self::named("percentage point", "percentage points") };

    /// Returns the unit of a number that is shown as it is.
    pub const fn named(one: &'static str, many: &'static str) -> Self {
        Self { shift: 0, one, many }
    }

    /// Returns a value in the number to be shown.
    fn scaled(&self, value: f64) -> f64 {
        value * [1.0, 10.0, 100.0][self.shift.min(2)]
    }

    /// Formats a value, with three significant digits.
    pub fn show(&self, value: f64) -> String {
        self.with_name(&number(self.scaled(value)))
    }

    /// Formats a value, with three significant digits, and its standard error.
    pub fn show_with_error(&self, value: f64, se: f64) -> String {
        self.with_name(&format!("{} ± {}", number(self.scaled(value)), number(self.scaled(se))))
    }

    /// Formats a value with `decimals` decimals of the unscaled value.
    pub fn show_decimals(&self, value: f64, decimals: usize) -> String {
        let decimals = decimals.saturating_sub(self.shift);
        self.with_name(&format!("{:.decimals$}", self.scaled(value)).replace('-', "−"))
    }

    /// Puts the name after a number.
    fn with_name(&self, number: &str) -> String {
        let name = if number == "1" { self.one } else { self.many };
        if name.is_empty() { number.to_owned() } else { format!("{number}\u{a0}{name}") }
    }
}

/// Formats a whole number, or three significant digits, with a power of ten for small ones; magnitudes below 10⁻¹² are 0.
fn number(x: f64) -> String {
    if x.abs() < 1e-12 {
        return "0".to_owned();
    }
    if x.fract() == 0.0 {
        return format!("{x:.0}").replace('-', "−");
    }
    let rounded = format!("{x:.2e}");
    let (digits, power) = rounded.split_once('e').unwrap_or((&rounded, "0"));
    let text = match power.parse::<i32>().unwrap_or(0) {
        3.. => format!("{x:.0}"),
        power @ -4..=2 => format!("{x:.*}", (2 - power) as usize),
        _ => format!("{digits}\u{a0}·\u{a0}10{}", superscript(power)),
    };
    text.replace('-', "−")
}

/// Returns the digits of a power as superscripts.
fn superscript(power: &str) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    power.chars().map(|c| c.to_digit(10).map_or('⁻', |digit| DIGITS[digit as usize])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_their_unit() {
        let texts = [0.0, 3e-13, 24.0, 0.006_694, 89.5, 2.083, -12_345.6, 1.23e-7].map(number);
        assert_eq!(texts, ["0", "0", "24", "0.00669", "89.5", "2.08", "−12346", "1.23\u{a0}·\u{a0}10⁻⁷"]);
        let texts = [
            ValueUnit::NONE.show(0.5),
            ValueUnit::NATS.show(1.0),
            ValueUnit::STANDARD_ERRORS.show(2.08),
            ValueUnit::POINTS.show_with_error(0.0067, 0.0027),
            ValueUnit::PERCENT.show_decimals(0.113, 3),
        ];
        let expected =
            ["0.500", "1 nat", "2.08 standard errors", "0.670 ± 0.270 percentage points", "11.3 %"];
        assert_eq!(texts.map(|text| text.replace('\u{a0}', " ")), expected);
    }
}
