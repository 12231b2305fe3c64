//! `headless '#/feedforward?beta=0.5'`: the runs of the page without the page.
//!
//! Prints JSON Lines: `started`, `progress` …, `finished`; or `rejected` with every problem, and exit status 2.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use lexopt::Arg::{Long, Short, Value as Positional};
use lexopt::ValueExt as _;

use meanfield::app::layers::{Layer, Role, overlay};
use meanfield::app::own_data::for_live;
use meanfield::data::{Artefact, Store, folder};
use meanfield::lab::{InputError, Kind, Link, Raw, Values};
use meanfield::models::{MODELS, Runnable, TASKS, TaskResult, catalog, task};
use meanfield::render::{self, Drawing};
use serde_json::{Value, json};

#[path = "headless/compute.rs"]
mod compute;
#[path = "headless/parts.rs"]
mod parts;
#[path = "headless/reproduce.rs"]
mod reproduce;

use compute::{Computed, compute};
use parts::{Share, merge, share};

const USAGE: &str = "headless [--jobs N] [--svg FILE] [--csv FILE] [--figure ID] [--size WxH] [--first-paint FILE] [--sketch FILE] [--save FILE] '#/MODEL?key=value&…' | SPEC.json

Runs one task of Mean Field Lab and prints JSON Lines. The link is the page's own permalink; a JSON file has the
same keys and \"model\". A setting that has no effect with the others is set to its default.

  --jobs N         threads (default: all cores); the result does not depend on it
  --svg FILE       also writes the first figure
  --csv FILE       also writes the numbers behind it; those of --figure predictions are a line a row of the table
  --figure ID      writes that figure instead of the first
  --size WxH       of the written figure in pixels (default 760x480)
  --first-paint FILE  also writes what the page shows of it before its program has loaded
  --sketch FILE    also writes the figure without axes and words, small, for the front page
  --save FILE      also writes what the run has trained, for a setting that takes such a file
                   ('#/sbn?…' --save mine.bin, and then '#/sbn.pad?networks=mine.bin')
  --reproduce WHAT runs the claims of the papers (all, stale or a MODEL) and writes what they come to into the sources
  --list           names the tasks and their keys

A run can be shared among machines. Its units are numbered; those of a later stage need the parts of all stages before.
  --plan           prints the units of each stage and their expected costs
  --units A..B     computes only the units from A to before B, which are of one stage
  --part FILE      writes what these units give
  --after FILE…    parts of the stages before
  --merge FILE…    puts the parts of all units together: the same result, bit for bit, as on one machine";

fn main() -> ExitCode {
    match Arguments::read(lexopt::Parser::from_env()) {
        Ok(Arguments { list: true, .. }) => {
            list();
            ExitCode::SUCCESS
        }
        Ok(Arguments { reproduce: Some(what), jobs, .. }) => reproduce(&what, jobs),
        Ok(arguments) => run(&arguments),
        Err(why) => {
            eprintln!("{why}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

#[derive(Default)]
struct Arguments {
    spec: String,
    jobs: Option<usize>,
    svg: Option<String>,
    csv: Option<String>,
    figure: Option<String>,
    size: Option<(u32, u32)>,
    first_paint: Option<String>,
    sketch: Option<String>,
    save: Option<String>,
    list: bool,
    reproduce: Option<String>,
    share: Share,
}

impl Arguments {
    fn read(mut args: lexopt::Parser) -> Result<Self, lexopt::Error> {
        let mut read = Self::default();
        while let Some(arg) = args.next()? {
            match arg {
                Long("jobs") => {
                    let jobs = args.value()?.parse_with(|text| match text.parse() {
                        Ok(jobs @ 1..=256) => Ok(jobs),
                        _ => Err("enter a whole number from 1 to 256"),
                    });
                    read.jobs = Some(jobs?);
                }
                Long("svg") => read.svg = Some(args.value()?.string()?),
                Long("csv") => read.csv = Some(args.value()?.string()?),
                Long("first-paint") => read.first_paint = Some(args.value()?.string()?),
                Long("sketch") => read.sketch = Some(args.value()?.string()?),
                Long("save") => read.save = Some(args.value()?.string()?),
                Long("figure") => read.figure = Some(args.value()?.string()?),
                Long("size") => {
                    let size = args.value()?.parse_with(|text| {
                        let (width, height) =
                            text.split_once('x').ok_or("enter WxH in pixels, as in 760x480")?;
                        let pixels = |text: &str| {
                            text.parse::<u32>().map_err(|_| "enter WxH in pixels, as in 760x480")
                        };
                        Ok::<_, &str>((pixels(width)?, pixels(height)?))
                    });
                    read.size = Some(size?);
                }
                Long("plan") => read.share.plan = true,
                Long("units") => read.share.units = Some(args.value()?.parse_with(parts::units)?),
                Long("part") => read.share.part = Some(args.value()?.string()?),
                Long("after") => read.share.after = files(&mut args)?,
                Long("merge") => read.share.merge = files(&mut args)?,
                Long("list") => read.list = true,
                Long("reproduce") => read.reproduce = Some(args.value()?.string()?),
                Short('h') | Long("help") => return Err("Mean Field Lab without its page.".into()),
                Positional(spec) if read.spec.is_empty() => read.spec = spec.string()?,
                other => return Err(other.unexpected()),
            }
        }
        if read.spec.is_empty() && !read.list && read.reproduce.is_none() {
            Err("enter a task to run".into())
        } else if read.save.is_some() && (read.share.is_partial() || !read.share.merge.is_empty()) {
            Err("--save FILE is for a whole run: leave out --plan, --units, --part, --after and --merge"
                .into())
        } else {
            Ok(read)
        }
    }
}

/// All file names up to the next option.
fn files(args: &mut lexopt::Parser) -> Result<Vec<String>, lexopt::Error> {
    args.values()?.map(lexopt::ValueExt::string).collect()
}

fn list() {
    for task in TASKS.iter() {
        let fields: BTreeMap<_, _> = task
            .fields()
            .iter()
            .map(|f| (f.key, json!({ "help": f.help, "expected": f.expected(), "default": f.default })))
            .collect();
        say(&json!({ "task": task.meta().id, "title": task.meta().title, "fields": fields }));
    }
}

/// What is to be run: the task, its texts and values, and the data that they name.
type Prepared = (&'static dyn Runnable, Raw, Values, Store);

fn prepare(spec: &str) -> Result<Prepared, Vec<InputError>> {
    let (task, mut raw) = find(spec)?;
    let data = load(task, &mut raw)?;
    let values = task.check(&raw)?;
    // What does not fit the data is found out by starting on nothing.
    if values.takes_data() {
        task.start(&raw, 0..0, &data, &[])?;
    }
    Ok((task, raw, values, data))
}

fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn reproduce(what: &str, jobs: Option<usize>) -> ExitCode {
    let report = |link: &str| {
        let said = |problems: Vec<InputError>| {
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let (task, _, values, data) = prepare(link).map_err(said)?;
        let result = compute(task, &values, &data, threads(jobs), Some(Instant::now()));
        Ok(result?.result.report())
    };
    match reproduce::reproduce(what, report) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> ExitCode {
    let (task, raw, values, data) = match prepare(&arguments.spec) {
        Ok(prepared) => prepared,
        Err(problems) => return reject(&problems),
    };
    let id = task.meta().id;
    say(&json!({ "event": "started", "model": id, "spec": values.to_json() }));
    let start = Instant::now();
    let jobs = threads(arguments.jobs);
    let asked = &arguments.share;
    let result = if asked.is_partial() {
        share(asked, task, &values, &data, jobs).map(|()| None)
    } else if asked.merge.is_empty() {
        compute(task, &values, &data, jobs, Some(start)).map(Some)
    } else {
        merge(&asked.merge, task, &values, &data).map(|result| Some(Computed { result, made: Vec::new() }))
    };
    let Computed { result, made } = match result {
        Ok(Some(result)) => result,
        Ok(None) => return ExitCode::SUCCESS,
        Err(why) => {
            say(&json!({ "event": "failed", "model": id, "error": why }));
            return ExitCode::FAILURE;
        }
    };
    let elapsed = start.elapsed();
    let saved = arguments.save.as_ref().map_or(Ok(()), |file| save(file, made.last()));
    let status = result.status();
    say(&json!({
        "event": "finished", "model": id, "status": status.outcome, "reason": status.reason,
        "elapsed_ms": elapsed.as_secs_f64() * 1e3, "spec": values.to_json(), "result": result.report(),
    }));
    let figures = || write_figures(arguments, task, &raw, data, result.as_ref(), &made, jobs);
    match saved.and_then(|()| figures()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// The task and its texts, from a permalink or a file.
fn find(spec: &str) -> Result<(&'static dyn Runnable, Raw), Vec<InputError>> {
    let link = if spec.trim_start().starts_with('#') || spec.starts_with('/') && spec.contains('?') {
        Link::parse(spec.trim())
    } else {
        read_file(spec).map_err(|why| {
            let why = format!("a permalink that starts with #/, or a JSON file, is needed; {why}");
            vec![InputError::new("spec", spec).because(why)]
        })?
    };
    if let Some(task) = task(&catalog().route(&link)) {
        Ok((task, link.raw))
    } else {
        let known: Vec<&str> = TASKS.iter().map(|t| t.meta().id).collect();
        let coming = MODELS.iter().any(|m| m.id == link.task);
        let not_yet = if coming { "; this model is not built yet" } else { "" };
        let expected = format!("one of {}{not_yet}", known.join(", "));
        Err(vec![InputError::new("model", link.task).expected(expected).nearest(known[0])])
    }
}

fn read_file(path: &str) -> Result<Link, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let Value::Object(mut object) = serde_json::from_str(&text).map_err(|e| format!("{path}: {e}"))? else {
        return Err(format!("{path} holds no JSON object"));
    };
    let Some(Value::String(task)) = object.remove("model") else {
        return Err(format!("{path} does not say \"model\""));
    };
    Ok(Link { task, raw: object.into_iter().map(|(key, value)| (key, as_text(value))).collect() })
}

fn as_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Array(items) => items.into_iter().map(as_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Writes an artefact as a file, and says how a link names it.
fn save(file: &str, made: Option<&Artefact>) -> Result<(), String> {
    let made =
        made.ok_or_else(|| format!("--save {file}: this run has trained nothing that can be saved"))?;
    let bytes = made.to_bytes();
    std::fs::write(file, &bytes).map_err(|why| format!("--save {file}: {why}"))?;
    let named = folder::named(file, &bytes).to_string();
    say(&json!({ "event": "saved", "kind": made.kind, "file": file, "named": named }));
    Ok(())
}

/// Reads the files that the specification names, if any; their paths give way to names and hashes, as in a permalink.
fn load(task: &dyn Runnable, raw: &mut Raw) -> Result<Store, Vec<InputError>> {
    let mut store = Store::default();
    let mut problems = Vec::new();
    for field in task.fields().iter().filter(|f| f.kind == Kind::Data) {
        let Some(text) = raw.get_mut(field.key) else { continue };
        match folder::load(&mut store, text) {
            Ok(named) => *text = named.map_or(String::new(), |named| named.to_string()),
            Err(mut misfit) => {
                if field.is_artefact() {
                    misfit.accepted += "; a file that --save or the page has written is needed";
                }
                problems.push(InputError { field: field.key.into(), label: field.name(), ..misfit.into() });
            }
        }
    }
    if problems.is_empty() { Ok(store) } else { Err(problems) }
}

fn write_figures(
    arguments: &Arguments,
    task: &'static dyn Runnable,
    raw: &Raw,
    mut data: Store,
    result: &dyn TaskResult,
    made: &[Artefact],
    jobs: usize,
) -> Result<(), String> {
    if [&arguments.svg, &arguments.csv, &arguments.first_paint, &arguments.sketch]
        .iter()
        .all(|file| file.is_none())
    {
        return Ok(());
    }
    // As on the page: the companion's curves over the task's own, and it takes what the run has made.
    let mut layers = result.figures();
    if let Some(live) = task.meta().live.and_then(self::task) {
        for artefact in made {
            data.load(&artefact.to_bytes()).map_err(|problem| problem.to_string())?;
        }
        let names: Vec<_> = made.iter().map(Artefact::named).collect();
        let told = for_live(live.fields(), raw, &names);
        let values = live.check(&told).map_err(|problems| format!("{problems:?}"))?;
        let over = compute(live, &values, &data, jobs, None)?;
        layers.extend(over.result.figures());
    }
    let figures = overlay(layers.into_iter().map(|figure| Layer { figure, role: Role::Current }));
    let figure = match &arguments.figure {
        None => figures.first().ok_or("this task has no figure")?,
        Some(id) => figures.iter().find(|f| f.figure.id == *id).ok_or_else(|| {
            let known: Vec<&str> = figures.iter().map(|f| f.figure.id.as_str()).collect();
            format!("there is no figure {id}, only {}", known.join(", "))
        })?,
    };
    let write = |path: &String, text| std::fs::write(path, text).map_err(|e| format!("{path}: {e}"));
    if let Some(path) = &arguments.svg {
        let (width, height) = arguments.size.unwrap_or((760, 480));
        write(path, render::svg(figure, width, height, render::Theme::Light))?;
    }
    if let Some(path) = &arguments.csv {
        write(path, figure.figure.csv(|| result.records()).csv)?;
    }
    if let Some(path) = &arguments.first_paint {
        write(path, first_paint(figure))?;
    }
    if let Some(path) = &arguments.sketch {
        write(path, render::sketch_for_page(figure, 320, 190))?;
    }
    Ok(())
}

/// The figure for a wide page and for a phone, and its caption, as the page has them.
fn first_paint(figure: &Drawing) -> String {
    let [wide, narrow] = [(760, 480), (358, 340)].map(|(w, h)| render::svg_for_page(figure, w, h));
    let figure = &figure.figure;
    let [finding, caption] = [&figure.headline(), &figure.caption].map(|text| render::escape(text));
    format!(
        "<div class=\"wide\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n\
         <figcaption>\n\
         <p class=\"finding\"><span class=\"number\">Fig. 1.</span> <strong>{finding}</strong></p>\n\
         <p class=\"details folded\">{caption}</p>\n\
         </figcaption>\n"
    )
}

fn reject(problems: &[InputError]) -> ExitCode {
    say(&json!({ "event": "rejected", "problems": problems }));
    ExitCode::from(2)
}

fn say(line: &Value) {
    // Who closed the pipe does not want to hear the rest.
    let _ = writeln!(std::io::stdout().lock(), "{line}");
}
