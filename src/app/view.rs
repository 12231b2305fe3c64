//! A run as the page shows it: sentences and layered figures, derived from the pool.

use super::form::in_a_sentence;
use super::pool::{Expected, Phase, TrackedRun};
use crate::data::{DataRef, counted};
use crate::figure::{Figure, percent, rounded};
use crate::lab::{Field, InputError, Kind, Raw, Role, Status, Values, raw_of, read_real};
use crate::render::{Drawing, Layer, overlay};

/// Least expected time and memory that are shown before a run, in milliseconds and bytes.
const MUCH_MS: f64 = 3_000.0;
const MUCH_BYTES: u64 = 500_000_000;
/// Least remaining time that is shown from the start of a run, in milliseconds.
const LONG_MS: f64 = 20_000.0;
/// Longest value shown on a button, in bytes.
const SHORT: usize = 24;
/// Least duration that is shown of a run that does not go on, in milliseconds: a run of single steps counts no time.
const SOME_MS: f64 = 0.5;

/// State of a run as the page shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// Not started.
    Idle,
    /// Waiting for a file.
    AwaitingFile,
    /// In progress.
    Running,
    /// Paused by the user.
    Paused,
    /// Finished.
    Finished,
    /// Ended by the user.
    Stopped,
    /// Not started because of invalid settings.
    Rejected,
    /// Ended by a failure.
    Failed,
}

impl RunState {
    /// Returns the word for the state in the style sheet.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Idle | Self::AwaitingFile => "idle",
            Self::Running => "running",
            Self::Paused => "paused",
            Self::Finished => "done",
            Self::Stopped => "stopped",
            Self::Rejected => "rejected",
            Self::Failed => "failed",
        }
    }

    /// Returns true while the run is in progress or paused.
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Running | Self::Paused)
    }

    /// Returns true if the run is over, with or without a result.
    pub const fn has_ended(self) -> bool {
        !matches!(self, Self::Idle | Self::AwaitingFile | Self::Running | Self::Paused)
    }
}

/// A run in words.
#[derive(Clone, Debug, PartialEq)]
pub struct RunView {
    /// State of the run.
    pub state: RunState,
    /// Fraction done, 0 to 1.
    pub fraction: f64,
    /// Progress of the run, or how it ended.
    pub sentence: String,
    /// Failures that were recovered from.
    pub incidents: Vec<String>,
    /// Invalid fields, with the nearest valid values. See [`Phase::Rejected`].
    pub problems: Vec<InputError>,
    /// True if the result belongs to other settings than those of the form.
    pub changed: bool,
    /// Expected time and memory of a run with the settings of the form; empty where both are small.
    pub expected: String,
}

impl RunView {
    /// Returns the view before any run.
    pub fn idle() -> Self {
        Self {
            state: RunState::Idle,
            fraction: 0.0,
            sentence: "Ready.".to_owned(),
            incidents: Vec::new(),
            problems: Vec::new(),
            changed: false,
            expected: String::new(),
        }
    }

    /// Returns the view of `run` at time `now` (milliseconds), while the form holds `chosen`.
    pub fn of(run: &TrackedRun, status: Option<&Status>, chosen: Option<&Values>, now: f64) -> Self {
        let worked_ms = run.elapsed_ms(now);
        let elapsed = duration(worked_ms);
        let after = if worked_ms < SOME_MS { String::new() } else { format!(" · {elapsed}") };
        let percent = percent(run.fraction());
        let note = if run.note.is_empty() { String::new() } else { format!(" · {}", run.note) };
        let (state, sentence) = match &run.phase {
            Phase::AwaitingData(named) => (RunState::AwaitingFile, awaited(named.as_ref())),
            Phase::Running if run.revision == 0 => {
                (RunState::Running, format!("Starting · {elapsed}{}", held(run)))
            }
            Phase::Running => {
                // An early estimate is shown only if it is long.
                let left = run.left_ms(now).filter(|ms| worked_ms > 2_000.0 || *ms > LONG_MS);
                let left = left.map_or(String::new(), |ms| {
                    format!(", about {}\u{a0}left", rough(ms).replace(' ', "\u{a0}"))
                });
                (RunState::Running, format!("{percent}{note} · {elapsed}{left}{}", held(run)))
            }
            Phase::Paused => (RunState::Paused, format!("Paused at {percent}{note}{after}")),
            Phase::Stopped => (
                RunState::Stopped,
                format!("Stopped at {percent}; the headline and figures show only the completed part{after}"),
            ),
            Phase::Rejected(problems) => {
                let describe = |problem: &InputError| format!("{}: {}", problem.name(), problem.describe());
                let problems: Vec<String> = problems.iter().map(describe).collect();
                (RunState::Rejected, format!("Invalid setting. {}", problems.join(" ")))
            }
            Phase::Failed(why) => (RunState::Failed, format!("Failed: {why}")),
            Phase::Finished if run.is_empty() => {
                (RunState::Finished, "Done: there is nothing to compute.".to_owned())
            }
            Phase::Finished => {
                (RunState::Finished, status.unwrap_or(&Status::CONVERGED).describe(Some(&elapsed)))
            }
        };
        let changed = chosen.is_some_and(|chosen| !chosen.run_as(&run.values, run.task.fields()));
        let problems = run.phase.problems().to_vec();
        Self {
            state,
            fraction: run.fraction(),
            sentence,
            incidents: run.incidents.clone(),
            problems,
            changed,
            expected: String::new(),
        }
    }

    /// Returns a remark on settings that the result does not have, after a space. It is empty unless they are `settled`: until then a
    /// control is being dragged or a file read, after which the page may run by itself.
    pub fn remark(&self, settled: bool) -> String {
        if !(self.changed && settled) {
            return String::new();
        }
        format!(" Settings changed: run again. {}", self.expected).trim_end().to_owned()
    }

    /// Returns the label of the button that replaces the form's `texts` with those that the run found or suggests.
    pub fn found_label(&self, found: &Raw, texts: &Raw, fields: &[Field]) -> String {
        let changed: Vec<_> = found.iter().filter(|(key, text)| texts.get(*key) != Some(*text)).collect();
        let field = |key: &str| fields.iter().find(|field| field.key == key);
        match changed.as_slice() {
            [(key, text)] if (1..=SHORT).contains(&text.len()) => match field(key) {
                Some(Field { kind: Kind::Flag, label, .. }) if *text == "true" => (*label).to_owned(),
                Some(Field { role: Role::Ignored, .. }) => format!("Ignore “{text}”"),
                Some(Field { role: Role::Reading, label, .. }) => format!("{label}: “{text}”"),
                _ => format!("Use “{text}”"),
            },
            _ if self.state == RunState::Rejected => "Use the nearest valid values".to_owned(),
            _ => "Keep the fitted settings".to_owned(),
        }
    }

    /// Returns the value that the run has fitted or suggests for a number field, to be shown beside its name; `None` while the run is
    /// unfinished or out of date, or if the value is the entered `text`.
    pub fn found_beside(&self, found: &Raw, text: &str, field: &Field) -> Option<String> {
        let is_number = matches!(field.kind, Kind::Integer { .. } | Kind::Real { .. });
        let shown = is_number && self.state == RunState::Finished && !self.changed;
        let value = found.get(field.key).filter(|value| shown && *value != text)?;
        let number = read_real(value)?;
        let words = if number.is_finite() { rounded(number) } else { in_a_sentence(value) };
        Some(format!("found: {words}"))
    }

    /// Returns the nearest valid texts of the invalid fields.
    pub fn nearest(&self) -> Raw {
        let known = |problem: &InputError| Some((problem.field.clone(), problem.nearest.clone()?));
        raw_of(self.problems.iter().filter_map(known))
    }
}

/// Describes the memory of a run, where it is large.
fn held(run: &TrackedRun) -> String {
    let (bytes, workers) = run.memory();
    if bytes > MUCH_BYTES {
        format!(" · {} of memory, {}", gigabytes(bytes), counted(workers, "worker"))
    } else {
        String::new()
    }
}

/// Describes the expected time and memory of a run; empty where both are small.
pub fn expectation(Expected { ms, bytes, workers }: Expected) -> String {
    if ms.is_none_or(|ms| ms <= MUCH_MS) && bytes <= MUCH_BYTES {
        return String::new();
    }
    let memory = (bytes > MUCH_BYTES).then(|| gigabytes(bytes) + " of memory");
    let both: Vec<String> = ms.map(rough).into_iter().chain(memory).collect();
    format!("About {} on this device with {}.", both.join(" and "), counted(workers, "worker"))
}

fn gigabytes(bytes: u64) -> String {
    format!("{:.1} GB", bytes as f64 / 1e9)
}

/// Describes the file that a run waits for.
fn awaited(data: Option<&DataRef>) -> String {
    match data {
        None => "Load a CSV file of your own, or try the example.".to_owned(),
        Some(data) if data.known().is_some() => {
            format!("Waiting for the data set {}: download it, or choose the file.", data.name)
        }
        Some(DataRef { name, hash: None }) => {
            format!("Waiting for {name}: a link holds the name of a file, not its contents. Choose the file.")
        }
        Some(DataRef { name, hash: Some(hash) }) => {
            format!(
                "Waiting for {name} (hash {hash}): a link holds the name and hash of a file, not its contents."
            )
        }
    }
}

/// Formats a duration.
pub fn duration(ms: f64) -> String {
    let seconds = (ms / 1e3).round();
    match ms {
        ms if ms < 995.0 => format!("{ms:.0} ms"),
        ms if ms < 59_500.0 => format!("{:.1} s", ms / 1e3),
        ms if ms < 3_570_000.0 => format!("{} min {} s", (seconds / 60.0).floor(), seconds % 60.0),
        ms => format!("{:.1} h", ms / 3600e3),
    }
}

/// Formats an estimated duration: whole seconds, and above a minute whole minutes.
fn rough(ms: f64) -> String {
    let seconds = (ms / 1e3).ceil().max(1.0);
    match seconds {
        ..10.0 => format!("{seconds} s"),
        ..60.0 => format!("{} s", (seconds / 5.0).round() * 5.0),
        ..3600.0 => format!("{} min", (seconds / 60.0).round()),
        _ => format!("{:.1} h", seconds / 3600.0),
    }
}

/// Returns the figures of the page: those of the run, faded if the settings have changed, and those of the live companion over them.
pub fn figures(run: Option<Vec<Figure>>, changed: bool, live: Option<Vec<Figure>>) -> Vec<Drawing> {
    let layers = |figures: Option<Vec<Figure>>, stale| {
        figures.unwrap_or_default().into_iter().map(move |figure| Layer { figure, stale })
    };
    overlay(layers(run, changed).chain(layers(live, false)))
}

#[cfg(test)]
mod tests {
    use super::super::pool::tests::PoolHarness;
    use super::*;

    #[test]
    fn no_time_is_shown_for_a_run_of_single_steps() {
        let sentence = |harness: &PoolHarness| {
            let run = harness.run();
            RunView::of(run, None, None, harness.now).sentence
        };
        let mut harness = PoolHarness::new(1);
        harness.start("#/feedforward?inputs=20&alphas=1,2&runs=6");
        harness.pool.pause(harness.now);
        let paused = sentence(&harness);
        assert!(paused.starts_with("Paused at 0 %") && !paused.contains("ms"), "{paused}");
        harness.pool.resume(harness.now);
        harness.turn();
        harness.pool.pause(harness.now);
        assert!(sentence(&harness).ends_with(" · 1 ms"), "{}", sentence(&harness));
    }

    #[test]
    fn a_new_run_is_suggested_only_once_the_settings_are_settled() {
        let of = |changed| RunView { changed, expected: "About 9 s.".to_owned(), ..RunView::idle() };
        assert_eq!([of(true).remark(false), of(false).remark(true)], ["", ""]);
        assert!(of(true).remark(true).ends_with("run again. About 9 s."));
    }

    #[test]
    fn a_button_names_what_it_puts_into_the_form() {
        let raw = |pairs: &[(&str, &str)]| raw_of(pairs.iter().map(|(key, text)| (*key, (*text).to_owned())));
        let fields = [
            Field { label: "Skip rows", ..Field::new("skip", Kind::Flag, "false") },
            Field { role: Role::Ignored, ..Field::new("ignored", Kind::Flag, "") },
        ];
        let texts = raw(&[("fit", "evidence"), ("beta", "2"), ("skip", "false")]);
        let label = |state, found: &[(&str, &str)]| {
            RunView { state, ..RunView::idle() }.found_label(&raw(found), &texts, &fields)
        };
        let (done, rejected) = (RunState::Finished, RunState::Rejected);
        assert_eq!(label(done, &[("fit", "none"), ("beta", "0.8")]), "Keep the fitted settings");
        assert_eq!(label(done, &[("fit", "evidence"), ("beta", "0.8")]), "Use “0.8”");
        assert_eq!(label(rejected, &[("skip", "true")]), "Skip rows");
        assert_eq!(label(rejected, &[("ignored", "note")]), "Ignore “note”");
        assert_eq!(label(rejected, &[("fit", "none"), ("beta", "1")]), "Use the nearest valid values");
    }

    #[test]
    fn a_found_number_is_shown_while_it_differs_from_the_entered_one() {
        let field =
            Field::new("v", Kind::Real { min: 0.0, max: 9.0, slider: (0.0, 1.0, 0.1), infinity: false }, "0");
        let found = raw_of([("v", "0.123456".to_owned()), ("fit", "none".to_owned())]);
        let of = |state, text, field: &Field| {
            RunView { state, ..RunView::idle() }.found_beside(&found, text, field)
        };
        assert_eq!(of(RunState::Finished, "0.2", &field).as_deref(), Some("found: 0.123"));
        assert_eq!(of(RunState::Finished, "0.123456", &field), None);
        assert_eq!(of(RunState::Rejected, "0.2", &field), None, "the nearest valid value");
        assert_eq!(of(RunState::Finished, "", &Field::new("fit", Kind::Flag, "false")), None);
    }

    #[test]
    fn times_read_well() {
        let texts: Vec<String> =
            [0.4, 340.0, 999.0, 12_340.0, 59_999.0, 150_000.0, 7_200_000.0].map(duration).into();
        assert_eq!(texts, ["0 ms", "340 ms", "1.0 s", "12.3 s", "1 min 0 s", "2 min 30 s", "2.0 h"]);
    }

    #[test]
    fn an_estimate_is_as_coarse_as_it_is() {
        let texts = [525.0, 8_200.0, 22_100.0, 141_000.0, 9e6].map(rough);
        assert_eq!(texts, ["1 s", "9 s", "25 s", "2 min", "2.5 h"]);
    }

    #[test]
    fn large_expected_times_and_memory_are_shown() {
        let describe = |ms, bytes, workers| expectation(Expected { ms, bytes, workers });
        assert_eq!(describe(Some(2_900.0), 400_000_000, 2), "");
        assert_eq!(describe(None, 0, 1), "");
        assert_eq!(describe(Some(141_000.0), 400_000_000, 2), "About 2 min on this device with 2 workers.");
        let both = describe(Some(141_000.0), 1_200_000_000, 2);
        assert_eq!(both, "About 2 min and 1.2 GB of memory on this device with 2 workers.");
        assert_eq!(describe(None, 640_000_000, 1), "About 0.6 GB of memory on this device with 1 worker.");
    }
}
