//! What the lab asks of the task: its experiment, and what is made of a snapshot.

use std::ops::Range;

use super::experiment::OwnExperiment;
#[cfg(feature = "report")]
use super::report;
use super::rows::Rows;
use super::{OwnData, OwnSnapshot, OwnSpec, figures, status};
use crate::data::Store;
use crate::figure::Figure;
use crate::lab::{self, Checked, Run, Started, Status};

impl Run for OwnData {
    type Snapshot = OwnSnapshot;

    fn merge(parts: Vec<OwnSnapshot>) -> OwnSnapshot {
        let mut all = OwnSnapshot::default();
        for part in parts {
            all.main = all.main.or(part.main);
            all.scan.extend(part.scan);
            all.retrained.extend(part.retrained);
        }
        all
    }

    fn status(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Status {
        status::status(spec, snapshot)
    }

    fn figures(spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> Vec<Figure> {
        figures::figures(spec, snapshot)
    }

    #[cfg(feature = "report")]
    fn report(_spec: &Checked<OwnSpec>, snapshot: &OwnSnapshot) -> serde_json::Value {
        report::own(snapshot)
    }

    fn start(
        spec: &Checked<OwnSpec>,
        units: Range<usize>,
        data: &Store,
    ) -> Result<Started<OwnSnapshot>, Vec<lab::InputError>> {
        let rows = Rows::new(spec, data).map_err(|problem| vec![problem])?;
        Ok(Box::new(OwnExperiment::new((**spec).clone(), rows, units)))
    }
}
