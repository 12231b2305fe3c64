//! Budgets that are measured in a browser. `scripts/budgets` prints them as one table.

/// A measured quantity with its limits.
pub struct Budget {
    /// Name of the quantity.
    pub what: &'static str,
    pub unit: &'static str,
    /// Limit on a quiet machine.
    pub bar: f64,
    /// Limit on a shared test machine.
    pub slack: f64,
}

impl Budget {
    /// Returns a measured value as a share of the strict limit.
    pub fn share(&self, measured: f64) -> f64 {
        measured / self.bar
    }

    /// Prints the result as a line for `scripts/budgets`.
    ///
    /// # Panics
    /// If the limit is exceeded.
    #[track_caller]
    pub fn check(&self, measured: f64) {
        let Self { what, unit, bar, slack } = self;
        let number = |x: f64| if x.abs() < 9.5 { format!("{x:.2}") } else { format!("{x:.0}") };
        let (seen, most, verdict) =
            (number(measured), number(*bar), if measured <= *bar { "ok" } else { "over" });
        println!("\nbudget|{what}|{seen} {unit}|{most} {unit}|{verdict}");
        assert!(measured <= *slack, "{what}: {seen} {unit}; the budget is {most}, {slack} on a busy machine");
    }
}
