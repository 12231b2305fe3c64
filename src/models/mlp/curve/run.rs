//! The task as the lab runs it.

#[cfg(feature = "report")]
use super::report;
use super::work::{CurveWork, costs};
use super::{Curve1d, CurveSnapshot, CurveSpec, FITTED, figures, spec::PRESETS};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Checked, Ending, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status};

impl Run for Curve1d {
    const META: Meta = Meta {
        id: "mlp.curve",
        title: "Regression in one dimension",
        subtitle: "Uncertainty of a network between the training examples and beyond them. \
                   Bands: f ± 2 sd, compared with Hamiltonian Monte Carlo.",
        pair: false,
        tab: Some("Regression"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = CurveSpec;
    type Snapshot = CurveSnapshot;

    fn plan(spec: &Checked<CurveSpec>, _facts: Option<&Facts>) -> Plan {
        let (fits, (chains, draws)) = costs(spec);
        let plan = fits.into_iter().fold(Plan::default(), |plan, cost| plan.and(spec.restarts, cost));
        plan.and(chains, draws)
    }

    fn merge(parts: Vec<CurveSnapshot>) -> CurveSnapshot {
        let mut all = CurveSnapshot::default();
        for part in parts {
            all.fits.extend(part.fits);
            all.chains.extend(part.chains);
        }
        all
    }

    /// Converged, if the best start of each fit has.
    fn status(_spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Status {
        let best = FITTED.iter().filter_map(|method| snapshot.best(*method));
        let failed = best.filter(|row| !row.ending.is_some_and(Ending::is_solution));
        let words = |row: &super::FitRow| {
            format!("{}: not converged after {} evaluations", row.method.reads(), row.evaluations)
        };
        let reasons: Vec<String> = failed.map(words).collect();
        let outcome = if reasons.is_empty() { Outcome::Converged } else { Outcome::MaxIterations };
        Status { outcome, reason: (!reasons.is_empty()).then(|| reasons.join("; ")) }
    }

    fn figures(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(spec: &Checked<CurveSpec>, snapshot: &CurveSnapshot) -> serde_json::Value {
        report::report(spec, snapshot)
    }

    fn prepare(
        spec: &Checked<CurveSpec>,
        _data: &Store,
        _before: Option<CurveSnapshot>,
    ) -> Result<Prepared<CurveSnapshot>, Vec<InputError>> {
        Ok(Box::new(CurveWork::new(spec)))
    }
}
