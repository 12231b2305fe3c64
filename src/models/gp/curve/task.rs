//! The task `gp.curve` and its live companion.

use super::spec::PRESETS;
use super::work::{RegressionWork, work_of};
use super::{CurveRegression, RegressionSnapshot, RegressionSpec, figures, network, report};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Ending, Exercise, Goal, HasLive, InputError, Meta, Outcome, Plan, Prepared, Queue, Raw, Status,
    TypedTask, raw_of,
};
use crate::models::gp::fields::RegressionFitBy;

impl TypedTask for CurveRegression {
    const META: Meta = Meta {
        id: "gp.curve",
        title: "Regression with a Gaussian process",
        question: "How uncertain is a curve between and beyond its points?",
        subtitle: "A Gaussian process gives the mean of the curve, 50 % and 95 % bands for it, and a 95 % band for new points.",
        pair: false,
        tab: Some("Curve"),
        queue: Queue::Run,
        live: Some(Self::LIVE_ID),
        exercises: &[
            Exercise { text: "Drag a point upwards", goal: Goal::Changed(&["points"]) },
            Exercise { text: "Lower σ² to 0.02 to see overfitting", goal: Goal::AtMost("sigma2", 0.02) },
            Exercise { text: "Let the data choose σ²", goal: Goal::Is("fit", "evidence") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = RegressionSpec;
    type Snapshot = RegressionSnapshot;

    fn plan(spec: &Checked<RegressionSpec>, _facts: Option<&Facts>) -> Plan {
        let starts = if spec.network > 0 { network::STARTS } else { 0 };
        Plan::default().and(1, work_of(spec)).and(starts, network::cost(spec))
    }

    fn merge(parts: Vec<RegressionSnapshot>) -> RegressionSnapshot {
        let mut all = RegressionSnapshot::default();
        for part in parts {
            all.fit = all.fit.or(part.fit);
            all.result = all.result.or(part.result);
            all.failed |= part.failed;
            all.retrained.extend(part.retrained);
            all.networks.extend(part.networks);
        }
        all
    }

    fn status(_spec: &Checked<RegressionSpec>, snapshot: &RegressionSnapshot) -> Status {
        if snapshot.failed {
            let reason =
                "the covariance matrix is not positive definite in double precision: increase the noise s";
            return Status { outcome: Outcome::NoResult, reason: Some(reason.to_owned()) };
        }
        match snapshot.fit.and_then(|fit| fit.outcome) {
            None | Some(Outcome::Converged) => match snapshot.network().and_then(|network| network.ending) {
                None | Some(Ending::Converged | Ending::Stalled) => Status::CONVERGED,
                Some(_) => Status {
                    outcome: Outcome::Partial,
                    reason: Some("the network has not converged".to_owned()),
                },
            },
            Some(outcome) => Status {
                outcome,
                reason: Some("the fit of the hyperparameters has not converged".to_owned()),
            },
        }
    }

    fn figures(spec: &Checked<RegressionSpec>, snapshot: &RegressionSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    /// Returns the fitted hyperparameters.
    fn found(spec: &Checked<RegressionSpec>, snapshot: &RegressionSnapshot) -> Raw {
        let fitted = snapshot.result.as_ref().filter(|_| spec.fit == RegressionFitBy::Evidence);
        let Some(result) = fitted else { return Raw::new() };
        let fields = &RegressionSpec::FIELDS;
        raw_of([
            (fields.fit.key, RegressionFitBy::Nothing.word().to_owned()),
            (fields.sigma2.key, result.hyper.sigma2.to_string()),
            (fields.amplitude.key, result.hyper.amplitude.to_string()),
            (fields.noise.key, result.hyper.noise.to_string()),
        ])
    }

    fn report(spec: &Checked<RegressionSpec>, snapshot: &RegressionSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<RegressionSpec>,
        _data: &Store,
        _before: Option<RegressionSnapshot>,
    ) -> Result<Prepared<RegressionSnapshot>, Vec<InputError>> {
        Ok(Box::new(RegressionWork::new(spec, true)))
    }
}

impl HasLive for CurveRegression {
    const LIVE_ID: &'static str = "gp.bands";
    const LIVE_TITLE: &'static str = "Regression with a Gaussian process, live";

    fn prepare_live(
        spec: &Checked<RegressionSpec>,
        _data: &Store,
    ) -> Result<Prepared<RegressionSnapshot>, Vec<InputError>> {
        Ok(Box::new(RegressionWork::new(spec, false)))
    }

    fn live_figures(spec: &Checked<RegressionSpec>, snapshot: &RegressionSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }
}
