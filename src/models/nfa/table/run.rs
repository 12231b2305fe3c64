//! The experiment: one fit a restart.

use std::rc::Rc;

use super::report;
use super::{OwnData, TableRow, TableSnapshot, TableSpec, figures, records, spec::PRESETS};
use crate::data::{Channels, ColumnError, ColumnScale, Facts, Preprocessing, Store};
use crate::figure::{Figure, Records};
use crate::lab::{Budget, Checked, InputError, Meta, Plan, Prepared, Queue, Run, Status, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::nfa::fields::Method;
use crate::models::nfa::fit::{Fit, Fitted};
use crate::models::nfa::learn::status;

/// Cells of a table at most.
const MOST_CELLS: usize = 1_000_000;

impl Run for OwnData {
    const META: Meta = Meta {
        id: "nfa.data",
        title: "Nonlinear factor analysis of your data",
        subtitle: "Estimates a few hidden sources of the columns of your table, with error bars.",
        pair: false,
        tab: Some("Your data"),
        queue: Queue::Run,
        live: None,
        presets: PRESETS,
    };
    type Spec = TableSpec;
    type Snapshot = TableSnapshot;

    fn plan(spec: &Checked<TableSpec>, facts: Option<&Facts>) -> Plan {
        let Some(facts) = facts else { return Plan::default() };
        let cells = facts.rows() * facts.table().map_or(1, |table| table.columns.len());
        Plan::of(spec.restarts).times((spec.sweeps * cells * spec.hidden) as f64)
    }

    fn merge(parts: Vec<TableSnapshot>) -> TableSnapshot {
        let mut rows: Vec<Rc<TableRow>> = parts.into_iter().flat_map(|part| part.rows).collect();
        rows.sort_by_key(|row| row.restart);
        TableSnapshot { rows }
    }

    fn status(_spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Status {
        let shown = snapshot.shown();
        status(shown.map(|row| &row.fitted), shown.map_or(0, |row| row.measured.len()))
    }

    fn figures(_spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Vec<Figure> {
        figures::figures(snapshot)
    }

    fn records(spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> Option<Records> {
        records::records(spec, snapshot)
    }

    fn report(_spec: &Checked<TableSpec>, snapshot: &TableSnapshot) -> serde_json::Value {
        report::table(snapshot)
    }

    fn prepare(
        spec: &Checked<TableSpec>,
        data: &Store,
        _before: Option<TableSnapshot>,
    ) -> Result<Prepared<TableSnapshot>, Vec<InputError>> {
        let channels = channels(spec, data).map_err(|problem| vec![problem])?;
        let scales: Vec<Option<ColumnScale>> = (0..channels.names.len())
            .map(|k| {
                let seen = channels.rows.iter().map(|row| row[k]).filter(|x| x.is_finite());
                if spec.standardise { ColumnScale::of(seen.collect()) } else { None }
            })
            .collect();
        let scaled = |row: &Vec<f64>| -> Vec<f64> {
            row.iter()
                .zip(&scales)
                .map(|(x, scale)| scale.map_or(*x, |scale| scale.standardise(*x)))
                .collect()
        };
        Ok(Box::new(TableWork {
            rows: channels.rows.iter().map(scaled).collect(),
            spec: (**spec).clone(),
            channels,
            scales,
            restart: 0,
            fit: None,
            done: Vec::new(),
        }))
    }
}

/// The table that is named, as measurements.
fn channels(spec: &TableSpec, data: &Store) -> Result<Channels, InputError> {
    let named = spec.data.as_ref().map(ToString::to_string).unwrap_or_default();
    let of_file = |misfit: ColumnError| match misfit.field {
        "data" => ColumnError { given: named.clone(), ..misfit },
        _ => misfit,
    };
    let refused =
        |accepted: String| ColumnError { field: "data", given: named.clone(), accepted, nearest: None };
    let table = spec.data.as_ref().and_then(|named| data.table(named));
    let table = table.ok_or_else(|| refused("load a CSV file first".into()))?;
    let table = table.with_missing(&spec.na);
    let channels =
        Channels::from_table(&table, &spec.ignore, &spec.id, spec.skip_malformed).map_err(of_file)?;
    let (samples, width) = (channels.rows.len(), channels.names.len());
    if samples * width > MOST_CELLS {
        return Err(refused(format!(
            "the table has {samples} rows of {width} columns; at most {MOST_CELLS} values are allowed"
        ))
        .into());
    }
    if samples < 2 {
        return Err(refused("the table needs at least two rows".into()).into());
    }
    if spec.sources > width {
        let error = Method::FIELDS.sources.error(spec.sources);
        return Err(error.expected(format!("at most {width}, the number of channels")).nearest(width));
    }
    Ok(channels)
}

struct TableWork {
    spec: TableSpec,
    channels: Channels,
    /// How each channel was standardised, where it was.
    scales: Vec<Option<ColumnScale>>,
    rows: Vec<Vec<f64>>,
    restart: usize,
    fit: Option<Fit>,
    done: Vec<Rc<TableRow>>,
}

impl Work for TableWork {
    type Snapshot = TableSnapshot;

    fn begin(&mut self, unit: usize) {
        let stream = Stream::for_purpose(self.spec.seed, Purpose::NfaInitialState, unit as u64);
        self.fit = Some(Fit::new(&self.rows, self.spec.options(), stream));
        self.restart = unit;
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let Some(fit) = &mut self.fit else { return true };
        if !fit.advance(budget) {
            return false;
        }
        if let Some(fit) = self.fit.take() {
            let mut row = self.row(fit.seen());
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
        self.fit.as_ref().map_or(0.0, Fit::fraction)
    }

    fn note(&self) -> String {
        self.fit.as_ref().map_or("done".to_owned(), Fit::note)
    }

    fn snapshot(&self) -> TableSnapshot {
        let under_way = self.fit.as_ref().map(|fit| Rc::new(self.row(fit.seen())));
        TableSnapshot { rows: self.done.iter().cloned().chain(under_way).collect() }
    }
}

/// A standard deviation in the table's units.
fn deviation(scale: Option<ColumnScale>, sd: f64) -> f64 {
    scale.map_or(sd, |scale| scale.invert_deviation(sd))
}

impl TableWork {
    /// A row without what only a fit that is done has, in the table's units.
    fn row(&self, mut fitted: Fitted) -> TableRow {
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
            ids: self.channels.ids.clone(),
            lines: self.channels.lines.clone(),
            measured: self.channels.rows.iter().flatten().map(|x| *x as f32).collect(),
            reconstruction: Vec::new(),
            reconstruction_sd: Vec::new(),
        }
    }
}
