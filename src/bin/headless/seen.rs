//! The files that show a run: figures, tables, a page to print.

use meanfield::app::layers::{self, Layer, overlay};
use meanfield::app::own_data::for_live;
use meanfield::app::printed::Printed;
use meanfield::app::sizes;
use meanfield::app::view;
use meanfield::data::{Artefact, Store};
use meanfield::lab::{InputError, Raw, Task, TaskResult};
use meanfield::models::catalog;
use meanfield::render::{self, Drawing};

use super::compute::compute;
use super::{Arguments, write};

/// What there is to see of a run.
pub struct Seen<'a> {
    pub task: &'static dyn Task,
    pub raw: &'a Raw,
    pub result: &'a dyn TaskResult,
    pub made: &'a [Artefact],
    pub jobs: usize,
}

impl Seen<'_> {
    /// Writes the files that are asked for.
    ///
    /// # Errors
    /// If one cannot be written, or shows what there is not.
    pub fn write(&self, arguments: &Arguments, data: Store) -> Result<(), String> {
        let Arguments { svg, csv, first_paint, sketch, report, .. } = arguments;
        if [svg, csv, first_paint, sketch, report].iter().all(|file| file.is_none()) {
            return Ok(());
        }
        let figures = self.figures(data)?;
        if let Some(path) = report {
            write(path, self.printed(&figures))?;
        }
        let of = |id: &str| figures.iter().find(|f| f.figure.id == id);
        let figure = match &arguments.figure {
            None => arguments.predict.as_ref().and_then(|_| of("predictions")).or(figures.first()),
            Some(id) => Some(of(id).ok_or_else(|| {
                let known: Vec<&str> = figures.iter().map(|f| f.figure.id.as_str()).collect();
                format!("there is no figure {id}, only {}", known.join(", "))
            })?),
        };
        let figure = figure.ok_or("this task has no figure")?;
        if let Some(path) = svg {
            let (width, height) = arguments.size.unwrap_or((760, 480));
            write(path, render::svg(figure, width, height, render::Theme::Light))?;
        }
        if let Some(path) = csv {
            write(path, figure.figure.csv(|| self.result.records()).csv)?;
        }
        if let Some(folder) = first_paint {
            for (name, width) in [("wide", 760), ("narrow", 358)] {
                write(
                    &format!("{folder}/{}-{name}.html", self.task.meta().id),
                    self::first_paint(figure, width),
                )?;
            }
        }
        if let Some(path) = sketch {
            write(path, render::sketch_for_page(figure, 320, 190))?;
        }
        Ok(())
    }

    /// As on the page: the companion's curves over the task's own, and it takes what the run has made.
    fn figures(&self, mut data: Store) -> Result<Vec<Drawing>, String> {
        let mut layers = self.result.figures();
        if let Some(live) = self.task.meta().live.and_then(meanfield::models::task) {
            for artefact in self.made {
                data.load(&artefact.to_bytes()).map_err(|problem| problem.to_string())?;
            }
            let names: Vec<_> = self.made.iter().map(Artefact::reference).collect();
            let told = for_live(live.fields(), self.raw, &names);
            let values = live.check(&told).map_err(InputError::joined)?;
            let over = compute(live, &values, &data, self.jobs, None)?;
            layers.extend(over.result.figures());
        }
        Ok(overlay(layers.into_iter().map(|figure| Layer { figure, role: layers::Role::Current })))
    }

    /// The run as one page.
    fn printed(&self, figures: &[Drawing]) -> String {
        let status = self.result.status();
        let status = view::ending(Some(&status), None);
        Printed {
            catalog: catalog(),
            meta: self.task.meta(),
            fields: self.task.fields(),
            raw: self.raw,
            status: &status,
            address: None,
            figures,
        }
        .html()
    }
}

/// The figure and its caption as the page has them.
fn first_paint(figure: &Drawing, width: u32) -> String {
    let figure = figure.clone().with_switches();
    let height = sizes::height(f64::from(width), &figure);
    let picture = render::svg_for_page(&figure, width, height as u32);
    let figure = &figure.figure;
    let [finding, caption] = [&figure.headline(), &figure.caption].map(|text| render::escape(text));
    format!(
        "{picture}<figcaption>\n\
         <p class=\"finding\"><span class=\"number\">Fig. 1.</span> <strong>{finding}</strong></p>\n\
         <p class=\"details folded\">{caption}</p>\n\
         </figcaption>\n"
    )
}
