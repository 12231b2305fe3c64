//! The work: one fit per restart, with its results in the units of the table.

use std::rc::Rc;

use super::channels::explained;
use super::{NewRows, TableRow, TableSnapshot, TableSpec};
use crate::data::{Channels, ColumnScale, Preprocessing};
use crate::lab::{Budget, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fit::{FactorFit, FitSummary, FitUnits};
use crate::models::nfa::solver::inference::SourceInference;
use crate::models::nfa::solver::linear::linear_reconstruction;

/// The work of one worker.
pub(super) struct TableWork {
    spec: TableSpec,
    channels: Channels,
    /// Scale of each channel, if the channels are standardised.
    scales: Vec<Option<ColumnScale>>,
    /// The measurements, standardised or not; T rows of m.
    rows: Vec<Vec<f64>>,
    /// Those of the second table, in the same units.
    second_rows: Vec<Vec<f64>>,
    restart: usize,
    fit: Option<FactorFit>,
    /// Inference of the sources of the second table, after a fit.
    inference: Option<NewRowsInference>,
    /// Results of the finished restarts.
    done: Vec<Rc<TableRow>>,
}

/// Inference of the sources of the second table by a finished fit.
pub(super) struct NewRowsInference {
    /// Result of the fit.
    row: Rc<TableRow>,
    units: FitUnits,
    sources: SourceInference,
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let stream = Stream::for_purpose(self.spec.seed, Purpose::NfaInitialState, unit as u64);
        self.fit = Some(FactorFit::new(&self.rows, self.spec.options(), stream));
        self.restart = unit;
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        if let Some(mut inference) = self.inference.take() {
            let predicted = self.infer(&mut inference, budget);
            let done = predicted.is_some();
            match predicted {
                Some(row) => self.done.push(Rc::new(row)),
                None => self.inference = Some(inference),
            }
            return done;
        }
        let Some(fit) = &mut self.fit else { return true };
        if !fit.advance(budget) {
            return false;
        }
        let Some(fit) = self.fit.take() else { return true };
        let row = Rc::new(self.finished_row(&fit));
        if self.second_rows.is_empty() {
            self.done.push(row);
            return true;
        }
        self.inference = Some(self.inference_by(row));
        false
    }

    fn fraction(&self) -> f64 {
        // Inference takes a small part of the time.
        let of_fit = if self.second_rows.is_empty() { 1.0 } else { 0.95 };
        match (&self.fit, &self.inference) {
            (Some(fit), _) => of_fit * fit.fraction(),
            (None, Some(_)) => of_fit,
            (None, None) => 0.0,
        }
    }

    fn note(&self) -> String {
        let waiting = if self.inference.is_some() { "sources of the second table" } else { "done" };
        self.fit.as_ref().map_or(waiting.to_owned(), FactorFit::note)
    }

    fn snapshot(&self) -> TableSnapshot {
        let fitting = self.fit.as_ref().map(|fit| Rc::new(self.row(fit.summary())));
        let inferring = self.inference.as_ref().map(|inference| Rc::clone(&inference.row));
        TableSnapshot { rows: self.done.iter().cloned().chain(fitting).chain(inferring).collect() }
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
        let all = |rows: &[Vec<f64>]| -> Vec<Vec<f64>> {
            rows.iter().map(|row| row.iter().zip(&scales).map(standardised).collect()).collect()
        };
        Self {
            rows: all(&channels.rows),
            second_rows: all(&channels.second_rows),
            spec: spec.clone(),
            channels,
            scales,
            restart: 0,
            fit: None,
            inference: None,
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
        self.described(TableRow { restart: self.restart, fitted, ..TableRow::default() })
    }

    /// Returns a result with the columns and the rows of the table.
    fn described(&self, row: TableRow) -> TableRow {
        let channels = &self.channels;
        TableRow {
            names: channels.names.clone(),
            constant: channels.constant.clone(),
            without_numbers: channels.without_numbers.clone(),
            groups: channels.groups.clone(),
            treated: Preprocessing { malformed: channels.malformed, ..Preprocessing::default() },
            carried: channels.carried.clone(),
            lines: channels.lines.clone(),
            measured: channels.rows.iter().flatten().map(|x| *x as f32).collect(),
            second: NewRows::default(),
            ..row
        }
    }

    /// Returns the result of a finished fit, with its reconstruction of the rows.
    fn finished_row(&self, fit: &FactorFit) -> TableRow {
        let mut row = TableRow { learnt: fit.learnt(), ..self.row(fit.summary()) };
        let (mut reconstruction, channels) = (Vec::new(), row.names.len());
        for t in 0..self.rows.len() {
            let (means, sds) = fit.reconstruction(t);
            self.push_in_units((&means, &sds), &mut row.reconstruction, &mut row.reconstruction_sd);
            reconstruction.extend(means);
        }
        let measured = self.rows.concat();
        let linear = linear_reconstruction(&self.rows, row.fitted.sources).concat();
        row.explained = explained(&measured, &reconstruction, channels);
        row.linear_explained = explained(&measured, &linear, channels);
        row
    }

    /// Starts the inference of the sources of the second table by a finished fit.
    fn inference_by(&self, row: Rc<TableRow>) -> NewRowsInference {
        let units = FitUnits::of(&self.rows);
        let learnt = (self.rows.as_slice(), row.fitted.means.as_slice());
        let sources = units.infer(&row.learnt, self.spec.options(), learnt, &self.second_rows);
        NewRowsInference { row, units, sources }
    }

    /// Starts the inference by a fit of a finished run, whose table had no second one, or another.
    pub(super) fn inference_of_finished(&self, row: &TableRow) -> NewRowsInference {
        self.inference_by(Rc::new(self.described(row.clone())))
    }

    /// Continues an inference; returns the result of its fit with the rows of the second table after the last sweep.
    pub(super) fn infer(&self, inference: &mut NewRowsInference, budget: &mut Budget) -> Option<TableRow> {
        inference
            .sources
            .advance(budget)
            .then(|| TableRow { second: self.new_rows(inference), ..(*inference.row).clone() })
    }

    /// Returns the rows of the second table with their sources and their reconstruction.
    fn new_rows(&self, NewRowsInference { row, units, sources }: &NewRowsInference) -> NewRows {
        let (sources, moments) = (sources.sources(), self.spec.options().moments);
        let mut rows = NewRows {
            lines: self.channels.second_lines.clone(),
            measured: self.channels.second_rows.iter().flatten().map(|x| *x as f32).collect(),
            ..NewRows::default()
        };
        for t in 0..self.second_rows.len() {
            let (mean, var) = (sources.means(t), sources.vars(t));
            let (means, sds) = units.predict(&row.learnt, moments, (&mean, &var));
            self.push_in_units((&means, &sds), &mut rows.reconstruction, &mut rows.reconstruction_sd);
            rows.means.extend(mean.iter().map(|x| *x as f32));
            rows.sds.extend(var.iter().map(|var| var.sqrt() as f32));
        }
        rows
    }

    /// Appends means and standard deviations of the channels, in the units of the table.
    fn push_in_units(&self, (means, sds): (&[f64], &[f64]), to: &mut Vec<f32>, to_sd: &mut Vec<f32>) {
        for ((mean, sd), scale) in means.iter().zip(sds).zip(&self.scales) {
            to.push(scale.map_or(*mean, |scale| scale.invert(*mean)) as f32);
            to_sd.push(deviation(*scale, *sd) as f32);
        }
    }
}
