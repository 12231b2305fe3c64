//! The choice between given and fitted settings by the log loss of held-out rows.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Fold;
use crate::math::scores::log_loss;
use crate::math::stats::mean;

/// Settings whose results are shown, from least to most flexible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kept {
    /// The given settings.
    Given,
    /// Fitted settings with one length scale for all columns.
    OneLengthScale,
    /// All fitted settings.
    #[default]
    Fitted,
}

/// Log losses of given and fitted settings on the same held-out rows, and the settings that they favour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldOutComparison {
    /// Settings that are kept.
    pub kept: Kept,
    /// Number of rows.
    rows: usize,
    /// Log loss of the given settings, in nats.
    given: Option<f64>,
    /// Log loss of fitted settings with one length scale, if relevances are fitted.
    one_length_scale: Option<f64>,
    /// Log loss of all fitted settings.
    fitted: Option<f64>,
    /// Log loss of those fitted settings that are compared with the given ones.
    tuned: Option<f64>,
}

impl HeldOutComparison {
    /// Compares predictions of the held-out rows of `folds` with the `labels` of the training rows. Relevances are kept if they lower the
    /// log loss by more than its standard error in comparison with one length scale, which is the simpler model (the one-standard-error
    /// rule of Breiman et al. 1984), and fitted settings if they do not raise it in comparison with the given ones. Without predictions to
    /// compare, the fitted settings are kept.
    pub fn of<H>(folds: &[Fold<H>], labels: &[f64]) -> Self {
        let all = [Kept::Given, Kept::OneLengthScale, Kept::Fitted];
        let compared: Vec<Kept> =
            all.into_iter().filter(|kept| folds.iter().any(|fold| fold.of(*kept).is_some())).collect();
        // Folds in which one of them has no solution are left out for all.
        let complete = |fold: &&Fold<H>| compared.iter().all(|kept| fold.of(*kept).is_some());
        let folds: Vec<&Fold<H>> = folds.iter().filter(complete).collect();
        let losses = |kept: Kept| -> Vec<f64> {
            let rows =
                folds.iter().flat_map(|fold| fold.rows.iter().zip(fold.of(kept).into_iter().flatten()));
            rows.map(|(row, p)| log_loss(*p, labels[*row] > 0.0)).collect()
        };
        let [given, one, fitted] = all.map(losses);
        let change = |from: &[f64], to: &[f64]| mean(from.iter().zip(to).map(|(from, to)| to - from));
        let relevances = change(&one, &fitted);
        let helps = relevances.mean < -relevances.se;
        let (tuned, losses): (_, &[f64]) =
            if one.is_empty() || helps { (Kept::Fitted, &fitted) } else { (Kept::OneLengthScale, &one) };
        let kept = if change(&given, losses).mean > 0.0 { Kept::Given } else { tuned };
        let mean = |of: &[f64]| (!of.is_empty()).then(|| mean(of.iter().copied()).mean);
        Self {
            kept,
            rows: fitted.len(),
            given: mean(&given),
            one_length_scale: mean(&one),
            fitted: mean(&fitted),
            tuned: mean(losses),
        }
    }

    /// Returns true if predictions have been compared.
    pub fn is_made(&self) -> bool {
        self.rows > 0 && (self.given.is_some() || self.one_length_scale.is_some())
    }

    /// Returns sentences on settings that are not kept and on relevances, each preceded by a blank; `criterion` is that of the fit.
    pub fn sentences(&self, criterion: &str) -> String {
        let of = |loss: Option<f64>| loss.map_or_else(|| "?".to_owned(), |loss| format!("{loss:.3}"));
        let Self { rows, given, one_length_scale, fitted, .. } = *self;
        match self.kept {
            _ if !self.is_made() => String::new(),
            Kept::Given => format!(
                " Tuning by {criterion} has not helped: log loss {} → {} on {rows} held-out rows. The given settings are kept.",
                of(given),
                of(self.tuned)
            ),
            Kept::OneLengthScale => {
                let verdict =
                    if fitted < one_length_scale { "bring no clear improvement" } else { "do not help" };
                format!(
                    " Column weights {verdict}: log loss {} instead of {} with one length scale, on {rows} held-out rows. The results use one length scale.",
                    of(fitted),
                    of(one_length_scale)
                )
            }
            Kept::Fitted if one_length_scale.is_some() => format!(
                " Column weights help: log loss {} instead of {} on {rows} held-out rows.",
                of(fitted),
                of(one_length_scale)
            ),
            Kept::Fitted => String::new(),
        }
    }

    /// Returns the report.
    pub fn report(&self) -> Value {
        let kept = match self.kept {
            Kept::Given => "given",
            Kept::OneLengthScale => "one_length_scale",
            Kept::Fitted => "fitted",
        };
        let mut report =
            json!({ "kept": kept, "rows": self.rows, "given": self.given, "fitted": self.fitted });
        if let Some(one) = self.one_length_scale {
            report["one_length_scale"] = json!(one);
        }
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the comparison of probabilities of the true class of forty rows in two folds.
    fn kept(given: f64, one: Option<f64>, fitted: impl Fn(usize) -> f64) -> HeldOutComparison {
        let labels: Vec<f64> = (0..40).map(|row| if row % 2 == 0 { 1.0 } else { -1.0 }).collect();
        let of = |row: usize, p: f64| if labels[row] > 0.0 { p } else { 1.0 - p };
        let fold = |rows: std::ops::Range<usize>| Fold {
            p: Some(rows.clone().map(|row| of(row, fitted(row))).collect()),
            before_fit: Some(rows.clone().map(|row| of(row, given)).collect()),
            one_length_scale: one.map(|one| rows.clone().map(|row| of(row, one)).collect()),
            rows: rows.collect(),
            hyper: (),
        };
        HeldOutComparison::of(&[fold(0..20), fold(20..40)], &labels)
    }

    #[test]
    fn relevances_are_kept_only_if_they_help() {
        let clear = kept(0.6, Some(0.7), |_| 0.8);
        assert_eq!((clear.kept, clear.rows), (Kept::Fitted, 40));
        assert_eq!(
            clear.sentences("evidence"),
            " Column weights help: log loss 0.223 instead of 0.357 on 40 held-out rows."
        );
        // Better on average, by less than a standard error.
        let unclear = kept(0.6, Some(0.7), |row| if row % 4 == 0 { 0.3 } else { 0.98 });
        assert!(
            unclear.fitted < unclear.one_length_scale && unclear.kept == Kept::OneLengthScale,
            "{unclear:?}"
        );
        assert_eq!(
            unclear.sentences("evidence"),
            " Column weights bring no clear improvement: log loss 0.316 instead of 0.357 with one length scale, on 40 held-out rows. The results use one length scale."
        );
        assert_eq!(unclear.report()["kept"], "one_length_scale");
        let worse = kept(0.6, Some(0.7), |_| 0.65);
        assert!(
            worse
                .sentences("evidence")
                .starts_with(" Column weights do not help: log loss 0.431 instead of 0.357")
        );
        assert_eq!(kept(0.6, Some(0.7), |_| 0.5).kept, Kept::OneLengthScale);
    }

    #[test]
    fn the_given_settings_are_kept_if_tuning_makes_predictions_worse() {
        assert_eq!(kept(0.6, None, |_| 0.8).kept, Kept::Fitted);
        let worse = kept(0.8, None, |_| 0.6);
        assert_eq!(worse.kept, Kept::Given);
        assert_eq!(
            worse.sentences("evidence"),
            " Tuning by evidence has not helped: log loss 0.223 → 0.511 on 40 held-out rows. The given settings are kept."
        );
        assert_eq!(kept(0.8, Some(0.75), |_| 0.6).kept, Kept::Given);
        // The given settings are compared with relevances that help.
        let both = kept(0.8, Some(0.5), |_| 0.6);
        assert!(both.sentences("evidence").contains("0.223 → 0.511"), "{}", both.sentences("evidence"));
        assert_eq!(kept(0.72, Some(0.75), |_| 0.6).kept, Kept::OneLengthScale);
    }

    #[test]
    fn without_predictions_the_fitted_settings_are_kept() {
        let none = HeldOutComparison::of::<()>(&[], &[]);
        assert_eq!((none.kept, none.is_made()), (Kept::Fitted, false));
        assert_eq!(none.sentences("evidence"), "");
        // The only fold has no solution at the fitted settings: there is nothing to compare.
        let fold =
            Fold { rows: vec![0], p: None, hyper: (), before_fit: Some(vec![0.9]), one_length_scale: None };
        assert_eq!(HeldOutComparison::of(&[fold], &[1.0]).kept, Kept::Fitted);
    }
}
