//! The budgets that are measured in a browser. `scripts/budgets` prints them as one table.

/// Something that must not be more than it should be.
pub struct Budget {
    /// What is measured.
    pub what: &'static str,
    pub unit: &'static str,
    /// What it must not exceed where nothing else runs.
    pub bar: f64,
    /// What it must not exceed on a test machine, which is shared.
    pub slack: f64,
}

impl Budget {
    /// Whether it holds to the letter.
    pub fn holds(&self, measured: f64) -> bool {
        measured <= self.bar
    }

    /// Says how it stands, in a line that `scripts/budgets` reads.
    ///
    /// # Panics
    /// If it is exceeded by more than its slack.
    #[track_caller]
    pub fn check(&self, measured: f64) {
        let Self { what, unit, bar, slack } = self;
        let number = |x: f64| if x.abs() < 9.5 { format!("{x:.2}") } else { format!("{x:.0}") };
        let (seen, most, verdict) =
            (number(measured), number(*bar), if self.holds(measured) { "ok" } else { "over" });
        println!("\nbudget|{what}|{seen} {unit}|{most} {unit}|{verdict}");
        assert!(measured <= *slack, "{what}: {seen} {unit}; the budget is {most}, {slack} on a busy machine");
    }
}
