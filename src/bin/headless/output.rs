//! Files of a run: figures, tables, and an HTML page to print.

use meanfield::data::{Artefact, Store, TableFacts};
use meanfield::figure::{Figure, opening, unbroken};
use meanfield::lab::{InputError, Raw, companion_settings};
use meanfield::models::{catalog, task};
use meanfield::render::{self, Drawing, Layer, overlay};
use meanfield::run_page::RunPage;
use serde_json::{Value, json};

use super::arguments::Arguments;
use super::compute::{Computed, PreparedRun};
use super::write;

/// Default size of a figure, in CSS pixels.
const SIZE: (u32, u32) = (760, 480);

/// Default size of a small picture, in CSS pixels.
const SKETCH: (u32, u32) = (320, 190);

/// A run whose results are written to files.
pub struct Output<'a> {
    pub prepared: &'a PreparedRun<'a>,
    /// The settings as given.
    pub raw: &'a Raw,
    pub computed: &'a Computed,
    /// The main table, if there is one.
    pub table: Option<&'a TableFacts>,
}

impl Output<'_> {
    /// Writes the requested files.
    ///
    /// # Errors
    /// If a file cannot be written, or the requested figure does not exist.
    pub fn write(&self, arguments: &Arguments) -> Result<(), String> {
        let Arguments { svg, csv, first_paint, sketch, report, .. } = arguments;
        if [svg, csv, first_paint, sketch, report].iter().all(|file| file.is_none()) {
            return Ok(());
        }
        let figures = self.figures(arguments.frame)?;
        if let Some(path) = report {
            write(path, self.page(&figures))?;
        }
        let find = |id: &str| figures.iter().find(|drawing| drawing.figure.id == id);
        let figure = match &arguments.figure {
            None => arguments.predict.as_ref().and_then(|_| find("predictions")).or(figures.first()),
            Some(id) => Some(find(id).ok_or_else(|| {
                let known: Vec<&str> = figures.iter().map(|drawing| drawing.figure.id.as_str()).collect();
                format!("there is no figure {id}, only {}", known.join(", "))
            })?),
        };
        let figure = figure.ok_or("this task has no figure")?;
        if let Some(path) = svg {
            let (width, height) = arguments.size.unwrap_or(SIZE);
            write(path, render::svg(figure, width, height, render::Theme::Light))?;
        }
        if let Some(path) = csv {
            let csv = figure.figure.csv(|| self.computed.result.records()).csv;
            write(path, &csv)?;
            if csv.lines().nth(1).is_none() {
                return Err(format!(
                    "--csv {path}: figure {} has no rows, so only names were written",
                    figure.figure.id
                ));
            }
        }
        if let Some(folder) = first_paint {
            let meta = self.prepared.task.meta();
            // The result of an example stands beside the choice of a table.
            let wide = if self.table.is_some() { (900, render::BESIDE) } else { (1080, render::WIDE) };
            for (name, size) in [("wide", wide), ("narrow", (358, render::WIDE))] {
                write(
                    &format!("{folder}/{}-{name}.html", meta.id),
                    first_paint_markup(figure, size, meta.pair),
                )?;
            }
        }
        if let Some(path) = sketch {
            let (width, height) = arguments.size.unwrap_or(SKETCH);
            write(path, render::sketch_for_page(figure, width, height))?;
        }
        Ok(())
    }

    /// Returns the figures of the page at a frame or at the end: those of the task, with those of its live companion laid over them.
    fn figures(&self, frame: Option<usize>) -> Result<Vec<Drawing>, String> {
        let units = &self.computed.units;
        let mut figures = match frame {
            Some(number) => self.prepared.frame(units, number)?.figures(),
            None => self.computed.result.figures(),
        };
        if let Some(live) = self.prepared.task.meta().live.and_then(task) {
            let mut data: Store = self.prepared.data.clone();
            for artefact in &units.artefacts {
                data.load(&artefact.to_bytes()).map_err(|error| error.to_string())?;
            }
            let names: Vec<_> = units.artefacts.iter().map(Artefact::reference).collect();
            let settings = companion_settings(live.fields(), self.raw, &names);
            let values = live.check(&settings).map_err(InputError::joined)?;
            let prepared = PreparedRun {
                task: live,
                values: &values,
                data: &data,
                threads: self.prepared.threads,
                record: false,
            };
            figures.extend(prepared.run(None)?.result.figures());
        }
        Ok(overlay(figures.into_iter().map(|figure| Layer { figure, stale: false })))
    }

    /// Returns the run as one HTML page.
    fn page(&self, figures: &[Drawing]) -> String {
        RunPage {
            catalog: catalog(),
            meta: self.prepared.task.meta(),
            fields: self.prepared.task.fields(),
            raw: self.raw,
            reading: &self.table.map_or(Vec::new(), TableFacts::sentences),
            status: &self.computed.result.status().describe(None),
            address: None,
            figures,
        }
        .html()
    }
}

/// Returns the title, finding and caption of each figure, as on the page.
pub fn findings(figures: &[Figure]) -> Value {
    let row = |figure: &Figure| json!({ "id": figure.id, "title": figure.title, "finding": figure.finding, "caption": figure.caption });
    figures.iter().map(row).collect()
}

/// Returns picture and caption as the page shows them before its program has loaded. In a `pair` whose first figure can be edited, a phone
/// leaves room for the prediction above the headline. `aspect` is width ÷ height.
fn first_paint_markup(drawing: &Drawing, (width, aspect): (u32, f64), pair: bool) -> String {
    let drawing = drawing.clone().with_switches();
    let height = render::height(f64::from(width), &drawing, aspect);
    let picture = render::svg_for_page(&drawing, width, height as u32);
    let figure = &drawing.figure;
    let (details, rest) = opening(&figure.caption);
    let [finding, details, rest] =
        [&figure.headline(), details, rest].map(|text| render::escape(&unbroken(text)));
    let more = match &*rest {
        "" => String::new(),
        rest => format!(
            " <span class=\"rest\">{rest} </span><button type=\"button\" class=\"quiet fold\" disabled>More</button>"
        ),
    };
    let room = if pair && figure.handles.is_some() { " below-prediction" } else { "" };
    format!(
        "{picture}<figcaption>\n\
         <p class=\"finding{room}\"><span class=\"number\">Fig. 1.</span> <strong>{finding}</strong></p>\n\
         <p class=\"details folded\"><span class=\"opening\">{details}</span>{more}</p>\n\
         </figcaption>\n"
    )
}
