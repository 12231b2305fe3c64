//! The command line: `headless '#/feedforward?beta=0.5'` runs a task of the page and prints its report.
//!
//! The output is JSON Lines: `started`, `progress` …, `finished`, with exit status 1 if the run has no result; or `rejected` with every
//! input error, and exit status 2.

mod arguments;
mod completions;
mod compute;
mod input;
mod listing;
mod output;
mod parts;
mod reproduce;
mod saved;
mod table;

use std::io::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use meanfield::data::{Artefact, folder};
use meanfield::lab::{InputError, Outcome, SavedRun};
use meanfield::models::TASKS;
use serde_json::{Value, json};

use arguments::{Action, Arguments, USAGE};
use compute::{Computed, PreparedRun};
use input::Input;
use output::Output;

fn main() -> ExitCode {
    let arguments = match Arguments::read(lexopt::Parser::from_env()) {
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("{error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    let Arguments { json, ref spec, .. } = arguments;
    match &arguments.action {
        None => return run(&arguments),
        Some(Action::Help) if spec.is_empty() => print(USAGE),
        Some(Action::Help) => match listing::find(spec) {
            Ok(task) if json => print_json(&listing::as_json(task)),
            Ok(task) => print(&listing::settings(task)),
            Err(error) => {
                eprintln!("{error}");
                return ExitCode::from(2);
            }
        },
        Some(Action::Version) => print(&format!("headless {}", meanfield::protocol::VERSION)),
        Some(Action::List) if json => TASKS.iter().for_each(|task| print_json(&listing::as_json(*task))),
        Some(Action::List) => print(&listing::tasks()),
        Some(Action::Reproduce(claims)) => return exit(reproduce(claims, threads(arguments.jobs))),
        Some(Action::Table(path)) => match table::show(path, spec, json) {
            Ok(text) => print(&text),
            Err(problems) => return rejected(&problems),
        },
        Some(Action::Completions(shell)) => return exit(completions::script(shell).map(print)),
        Some(Action::Complete(previous, word)) => {
            for found in completions::candidates(previous, word) {
                print(&found);
            }
        }
    }
    ExitCode::SUCCESS
}

/// Prints the input errors and returns their exit status.
fn rejected(problems: &[InputError]) -> ExitCode {
    print_json(&json!({ "event": "rejected", "problems": problems }));
    ExitCode::from(2)
}

/// Returns the number of threads: as given, or one per core.
fn threads(jobs: Option<usize>) -> usize {
    jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// Runs claims of the papers, see [`reproduce::reproduce`].
fn reproduce(claims: &str, threads: usize) -> Result<(), String> {
    reproduce::reproduce(claims, |link| {
        let Input { task, values, data, .. } = Input::read(link, None).map_err(InputError::joined)?;
        let prepared = PreparedRun { task, values: &values, data: &data, threads, record: false };
        Ok(prepared.run(Some(Instant::now()))?.result.report())
    })
}

/// Runs a task and writes the requested files.
fn run(arguments: &Arguments) -> ExitCode {
    let input = match Input::read(&arguments.spec, arguments.predict.as_deref()) {
        Ok(input) => input,
        Err(problems) => return rejected(&problems),
    };
    let Input { task, raw, values, data, sources, saved } = input;
    let id = task.meta().id;
    let given: Vec<_> = saved.iter().flat_map(SavedRun::given).map(|file| file.to_vec()).collect();
    print_json(&json!({ "event": "started", "model": id, "spec": values.to_json() }));
    let start = Instant::now();
    let record = arguments.frame.is_some() || arguments.save_run.is_some();
    let prepared =
        PreparedRun { task, values: &values, data: &data, threads: threads(arguments.jobs), record };
    let computed = match obtain(arguments, saved, &prepared, start) {
        Ok(Some(computed)) => computed,
        Ok(None) => return ExitCode::SUCCESS,
        Err(error) => {
            print_json(&json!({ "event": "failed", "model": id, "error": error }));
            return ExitCode::FAILURE;
        }
    };
    let elapsed_ms = start.elapsed().as_secs_f64() * 1e3;
    let written = || {
        if let Some(file) = &arguments.save {
            save(file, computed.units.artefacts.last())?;
        }
        let Some(path) = &arguments.save_run else { return Ok(()) };
        let files = given.into_iter().chain(sources.iter().flat_map(|source| folder::files(source)));
        write(path, saved::to_bytes(&prepared, &computed, files.collect(), elapsed_ms))
    };
    let written = written();
    let status = computed.result.status();
    let table = table::facts(&values, &data);
    let mut finished = json!({
        "event": "finished", "model": id, "status": status.outcome, "reason": status.reason,
        "elapsed_ms": elapsed_ms, "spec": values.to_json(), "reading": table::reading(table.as_ref()),
        "figures": output::findings(&computed.result.figures()),
    });
    // The macro would copy the report, which has a value for every row.
    finished["result"] = computed.result.report();
    print_json(&finished);
    drop(finished);
    let output = Output { prepared: &prepared, raw: &raw, computed: &computed, table: table.as_ref() };
    match written.and_then(|()| output.write(arguments)) {
        Ok(()) if status.outcome == Outcome::NoResult => ExitCode::FAILURE,
        written => exit(written),
    }
}

/// Computes the run, restores or merges it; `None` if only some units were requested, which are written to their file.
fn obtain(
    arguments: &Arguments,
    saved: Option<SavedRun>,
    prepared: &PreparedRun,
    start: Instant,
) -> Result<Option<Computed>, String> {
    let options = &arguments.share;
    if options.is_partial() {
        return parts::share(options, prepared).map(|()| None);
    }
    if !options.merge.is_empty() {
        return parts::merge(&options.merge, prepared).map(Some);
    }
    let restored = saved.map_or(Ok(None), |saved| saved::restore(saved, prepared))?;
    restored.map_or_else(|| prepared.run(Some(start)), Ok).map(Some)
}

/// Writes a file.
fn write(path: &str, contents: impl AsRef<[u8]>) -> Result<(), String> {
    std::fs::write(path, contents).map_err(|error| format!("{path}: {error}"))
}

/// Writes an artefact and prints its name in a link.
fn save(file: &str, artefact: Option<&Artefact>) -> Result<(), String> {
    let artefact =
        artefact.ok_or_else(|| format!("--save {file}: this run has trained nothing that can be saved"))?;
    let bytes = artefact.to_bytes();
    write(file, &bytes).map_err(|error| format!("--save {error}"))?;
    let named = folder::named(file, &bytes).to_string();
    print_json(&json!({ "event": "saved", "kind": artefact.kind, "file": file, "named": named }));
    Ok(())
}

/// Prints the error, if there is one.
fn exit(result: Result<(), String>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a line of JSON.
fn print_json(line: &Value) {
    print(&line.to_string());
}

/// Prints a line. A closed pipe is not a failure.
fn print(text: &str) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}
