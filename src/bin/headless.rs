//! `headless '#/feedforward?beta=0.5'`: the runs of the page without the page.
//!
//! Prints JSON Lines: `started`, `progress` …, `finished`; or `rejected` with every problem, and exit status 2.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use lexopt::Arg::{Long, Short, Value as Positional};
use lexopt::ValueExt as _;

use meanfield::data::{Artefact, folder};
use meanfield::lab::{InputError, SavedRun};
use meanfield::models::TASKS;
use serde_json::{Value, json};

#[path = "headless/asked.rs"]
mod asked;
#[path = "headless/compute.rs"]
mod compute;
#[path = "headless/parts.rs"]
mod parts;
#[path = "headless/reproduce.rs"]
mod reproduce;
#[path = "headless/saved.rs"]
mod saved;
#[path = "headless/seen.rs"]
mod seen;

use asked::{Prepared, prepare};
use compute::compute;
use parts::{Share, merge, share};
use seen::Seen;

const USAGE: &str = "Usage: headless [options] TASK

Runs one task of Mean Field Lab and prints JSON Lines: started, progress, finished (or rejected, with exit status 2). TASK is
  '#/MODEL?key=value&…'   a permalink of the page,
  SPEC.json               a JSON file with the same keys and \"model\", or
  RUN.bin                 a run saved by --save-run or by the page; it is not computed again.
A setting that has no effect with the others is set to its default.

  --list              lists every task and its settings
  --jobs N            number of threads (default: all cores); the result does not depend on it
  --svg FILE          writes the first figure
  --csv FILE          writes the numbers of the first figure; of --figure predictions, one line for each row of the table
  --figure ID         writes this figure instead of the first
  --size WxH          size of the figure in pixels (default: 760x480)
  --report FILE       writes an HTML page to print: settings, figures and findings
  --save FILE         writes what the run has trained, for a setting that takes such a file
                      ('#/sbn?…' --save mine.bin, then '#/sbn.pad?networks=mine.bin')
  --save-run FILE     writes the run with its data and results; headless and the page open such a file
  --predict FILE      predicts the rows of that table with the settings that RUN.bin found; --csv writes the predictions
  --version           prints version and build
  --help              prints this text

A run can be shared among machines of the same version and build. Its units are numbered; units of a later stage need the parts
of all stages before.
  --plan              prints the units of each stage and their expected costs
  --units A..B        computes only the units from A to before B, which are of one stage
  --part FILE         writes the results of these units
  --after FILE…       parts of the stages before
  --merge FILE…       merges the parts of all units: the same result, bit for bit, as on one machine

For the sources of Mean Field Lab:
  --first-paint FOLDER  writes what the page shows of the figure before its program has loaded, wide and narrow
  --sketch FILE       writes the figure without axes and words, small, for the front page
  --reproduce WHAT    runs the claims of the papers (all, stale or a MODEL) and writes the findings into the sources";

fn main() -> ExitCode {
    match Arguments::read(lexopt::Parser::from_env()) {
        Ok(Arguments { help: true, .. }) => print(USAGE),
        Ok(Arguments { version: true, .. }) => print(&format!("headless {}", meanfield::protocol::VERSION)),
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
    report: Option<String>,
    save_run: Option<String>,
    predict: Option<String>,
    list: bool,
    help: bool,
    version: bool,
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
                Long("report") => read.report = Some(args.value()?.string()?),
                Long("save-run") => read.save_run = Some(args.value()?.string()?),
                Long("predict") => read.predict = Some(args.value()?.string()?),
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
                Short('h') | Long("help") => return Ok(Self { help: true, ..read }),
                Short('V') | Long("version") => return Ok(Self { version: true, ..read }),
                Positional(spec) if read.spec.is_empty() => read.spec = spec.string()?,
                other => return Err(other.unexpected()),
            }
        }
        if read.spec.is_empty() && !read.list && read.reproduce.is_none() {
            Err("no task is given".into())
        } else if read.save.is_some() && (read.share.is_partial() || !read.share.merge.is_empty()) {
            Err("--save FILE is for a whole run: leave out --plan, --units, --part, --after and --merge"
                .into())
        } else if read.share.is_partial() && (read.save_run.is_some() || read.report.is_some()) {
            Err("--save-run FILE and --report FILE are for a whole run: leave out --plan, --units, --part and --after".into())
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

fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn reproduce(what: &str, jobs: Option<usize>) -> ExitCode {
    let report = |link: &str| {
        let Prepared { task, values, data, .. } = prepare(link, None).map_err(InputError::joined)?;
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
    let prepared = match prepare(&arguments.spec, arguments.predict.as_deref()) {
        Ok(prepared) => prepared,
        Err(problems) => return reject(&problems),
    };
    let Prepared { task, raw, values, data, sources, saved } = prepared;
    let id = task.meta().id;
    let given: Vec<_> = saved.iter().flat_map(SavedRun::given).map(|file| file.to_vec()).collect();
    say(&json!({ "event": "started", "model": id, "spec": values.to_json() }));
    let start = Instant::now();
    let jobs = threads(arguments.jobs);
    let asked = &arguments.share;
    let result = if asked.is_partial() {
        share(asked, task, &values, &data, jobs).map(|()| None)
    } else if !asked.merge.is_empty() {
        merge(&asked.merge, task, &values, &data).map(Some)
    } else {
        let restored = saved.map_or(Ok(None), |saved| saved::restore(saved, task, &values, &data));
        restored.and_then(|restored| match restored {
            Some(restored) => Ok(Some(restored)),
            None => compute(task, &values, &data, jobs, Some(start)).map(Some),
        })
    };
    let computed = match result {
        Ok(Some(computed)) => computed,
        Ok(None) => return ExitCode::SUCCESS,
        Err(why) => {
            say(&json!({ "event": "failed", "model": id, "error": why }));
            return ExitCode::FAILURE;
        }
    };
    let elapsed = start.elapsed().as_secs_f64() * 1e3;
    let result = &computed.result;
    let kept = arguments.save.as_ref().map_or(Ok(()), |file| save(file, computed.made.last()));
    let kept = kept.and_then(|()| {
        let Some(path) = &arguments.save_run else { return Ok(()) };
        let units = compute::plan_of(task, &values, &data).units();
        let files =
            given.into_iter().chain(sources.iter().flat_map(|source| folder::files(source))).collect();
        let file = saved::to_bytes(task, &values, result.found(), files, &computed, units, elapsed);
        write(path, file)
    });
    let status = result.status();
    say(&json!({
        "event": "finished", "model": id, "status": status.outcome, "reason": status.reason,
        "elapsed_ms": elapsed, "spec": values.to_json(), "result": result.report(),
    }));
    let seen = Seen { task, raw: &raw, result: result.as_ref(), made: &computed.made, jobs };
    match kept.and_then(|()| seen.write(arguments, data)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn write(path: &str, contents: impl AsRef<[u8]>) -> Result<(), String> {
    std::fs::write(path, contents).map_err(|why| format!("{path}: {why}"))
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

fn reject(problems: &[InputError]) -> ExitCode {
    say(&json!({ "event": "rejected", "problems": problems }));
    ExitCode::from(2)
}

fn say(line: &Value) {
    print(&line.to_string());
}

fn print(text: &str) -> ExitCode {
    // A closed pipe is no failure.
    let _ = writeln!(std::io::stdout().lock(), "{text}");
    ExitCode::SUCCESS
}
