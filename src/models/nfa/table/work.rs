//! The work: one fit per restart, with its results in the units of the table.

use std::rc::Rc;

use super::{TableRow, TableSnapshot, TableSpec};
use crate::data::{Channels, ColumnScale, Preprocessing};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fit::{FactorFit, FitSummary};

/// The work of one worker.
pub(super) struct TableWork {
    spec: TableSpec,
    channels: Channels,
    /// Scale of each channel, if the channels are standardised.
    scales: Vec<Option<ColumnScale>>,
    /// The measurements, standardised or not; T rows of m.
    rows: Vec<Vec<f64>>,
    restart: usize,
    fit: Option<FactorFit>,
    /// Results of the finished restarts.
    done: Vec<Rc<TableRow>>,
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let stream = Stream::for_purpose(self.spec.seed, Purpose::NfaInitialState, unit as u64);
        self.fit = Some(FactorFit::new(&self.rows, self.spec.options(), stream));
        self.restart = unit;
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Some(fit) = &mut self.fit else { return true };
        if !fit.advance(budget) {
            return false;
        }
        if let Some(fit) = self.fit.take() {
            let mut row = self.row(fit.summary());
            for t in 0..self.rows.len() {
                let (means, sds) = fit.reconstruction(t);
                for ((mean, sd), scale) in means.into_iter().zip(sds).zip(&self.scales) {
                    row.reconstruction.push(scale.map_or(mean, |scale| scale.invert(mean)) as f32);
                    row.reconstruction_sd.push(deviation(*scale, sd) as f32);
                }
            }
            self.done.push(Rc::new(row));
        }
        true
    }

    fn fraction(&self) -> f64 {
        self.fit.as_ref().map_or(0.0, FactorFit::fraction)
    }

    fn note(&self) -> String {
        self.fit.as_ref().map_or("done".to_owned(), FactorFit::note)
    }

    fn snapshot(&self) -> TableSnapshot {
        let current = self.fit.as_ref().map(|fit| Rc::new(self.row(fit.summary())));
        TableSnapshot { rows: self.done.iter().cloned().chain(current).collect() }
    }
}

/// Returns a standard deviation in the units of the table.
fn deviation(scale: Option<ColumnScale>, sd: f64) -> f64 {
    scale.map_or(sd, |scale| scale.invert_deviation(sd))
}

impl TableWork {
    /// Creates the work for the channels of a table.
    pub(super) fn new(spec: &TableSpec, channels: Channels) -> Self {
        let scale = |k: usize| {
            let finite = channels.rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
            if spec.standardise { ColumnScale::of(finite.collect()) } else { None }
        };
        let scales: Vec<Option<ColumnScale>> = (0..channels.names.len()).map(scale).collect();
        let standardised =
            |(x, scale): (&f64, &Option<ColumnScale>)| scale.map_or(*x, |scale| scale.standardise(*x));
        let rows = channels.rows.iter().map(|row| row.iter().zip(&scales).map(standardised).collect());
        Self {
            rows: rows.collect(),
            spec: spec.clone(),
            channels,
            scales,
            restart: 0,
            fit: None,
            done: Vec::new(),
        }
    }

    /// Returns the result of a fit in the units of the table, without reconstructions.
    fn row(&self, mut fitted: FitSummary) -> TableRow {
        for (sd, scale) in fitted.noise.iter_mut().zip(&self.scales) {
            *sd = deviation(*scale, *sd);
        }
        for point in &mut fitted.curve {
            for (mean, scale) in point.mean.iter_mut().zip(&self.scales) {
                *mean = scale.map_or(*mean, |scale| scale.invert(*mean));
            }
            for (sd, scale) in point.sd.iter_mut().zip(&self.scales) {
                *sd = deviation(*scale, *sd);
            }
        }
        TableRow {
            restart: self.restart,
            fitted,
            names: self.channels.names.clone(),
            constant: self.channels.constant.clone(),
            treated: Preprocessing { malformed: self.channels.malformed, ..Preprocessing::default() },
            carried: self.channels.carried.clone(),
            lines: self.channels.lines.clone(),
            measured: self.channels.rows.iter().flatten().map(|x| *x as f32).collect(),
            reconstruction: Vec::new(),
            reconstruction_sd: Vec::new(),
        }
    }
}
