//! Everything that a page shows of its run and of the live companion, derived from the pool.

use super::pool::{Phase, Pool, Request, TrackedRun};
use super::replay::{Timeline, at_frame};
use super::results::Results;
use super::view::{RunState, RunView, expectation, figures};
use crate::data::DataRef;
use crate::figure::Figure;
use crate::lab::{Attempt, InputError, Queue, Raw, Values};
use crate::render::Drawing;

/// Maximum time for which the ready-made picture is shown instead of the figures of a new run, in milliseconds.
const PICTURE_MS: f64 = 3_000.0;

/// The page for which a run is displayed.
#[derive(Clone, Debug)]
pub struct PageView<'a> {
    /// Id of the task.
    pub task: &'a str,
    /// Id of its live companion.
    pub live: Option<&'a str>,
    /// Settings of the form, if they are valid.
    pub chosen: Option<&'a Values>,
    /// Position of the replay; `None` for the end of the run.
    pub position: Option<usize>,
    /// Ids of the figures that follow the replay while it plays; `None` for all. Redrawing all would take several animation frames.
    pub played: Option<&'a [String]>,
    /// True if the ready-made picture is shown instead of the figures of a new run, for at most three seconds.
    pub keeps_picture: bool,
    /// Time in milliseconds.
    pub now: f64,
}

impl PageView<'_> {
    /// Returns the run of the page and that of its live companion.
    fn runs<'a>(&self, pool: &'a Pool) -> [Option<&'a TrackedRun>; 2] {
        let of_task = |queue, id: &str| pool.run(queue).filter(|run| run.task.meta().id == id);
        [of_task(Queue::Run, self.task), self.live.and_then(|id| of_task(Queue::Live, id))]
    }

    /// Returns true if the ready-made picture is still shown instead of the figures of `run`.
    fn shows_picture(&self, run: &TrackedRun) -> bool {
        self.keeps_picture && run.phase == Phase::Running && run.elapsed_ms(self.now) < PICTURE_MS
    }

    /// Returns the comparison with the challenge of the page: that of the run or, if the settings have `changed` or the run has none,
    /// that of the live companion.
    pub fn attempt(&self, pool: &Pool, results: &Results, changed: bool) -> Option<Attempt> {
        let [run, live] = self.runs(pool);
        let of_run = run.filter(|_| !changed).and_then(|run| results.attempt(Queue::Run, run));
        of_run.or_else(|| results.attempt(Queue::Live, live?))
    }
}

/// State of the run that is shown.
#[derive(Clone, Debug)]
pub struct RunDisplay {
    /// The run in words.
    pub view: RunView,
    /// Its figures, with those of the live companion over them; `None` while the ready-made picture stays.
    pub figures: Option<Vec<Drawing>>,
    /// Frames of the replay.
    pub timeline: Timeline,
    /// Description of the work at the position of the replay.
    pub note: String,
    /// Settings that the run has found.
    pub found: Raw,
    /// Milliseconds worked, and true while the run goes on.
    pub elapsed: Option<(f64, bool)>,
    /// Settings of the run.
    pub settings: Option<Values>,
    /// Artefacts of the run.
    pub artefacts: Vec<DataRef>,
    /// Panic message of the worker that crashed last.
    pub crash: Option<String>,
}

impl RunDisplay {
    /// Returns the state of the run of `page` and its live companion. The runs of the pool may still be those of another page.
    pub fn of(pool: &Pool, results: &mut Results, page: &PageView) -> Self {
        let [run, live] = page.runs(pool);
        if let Some(run) = run.filter(|run| page.shows_picture(run)) {
            return Self::behind_picture(pool, run, live, page);
        }
        let result = run.map(|run| results.of(Queue::Run, run, run.values_shown(page.chosen))).transpose();
        let result = match result {
            Ok(result) => result.flatten(),
            Err(why) => return Self::failed(&why),
        };
        let live_result = live.and_then(|run| results.of(Queue::Live, run, &run.values).ok().flatten());
        let status = result.as_ref().map(|result| &result.status);
        let mut view = run.map_or_else(RunView::idle, |run| RunView::of(run, status, page.chosen, page.now));
        view.problems.extend(problems(live));
        view.expected = expected(pool, run.filter(|_| view.changed), page);
        let timeline = if view.changed { Timeline::default() } else { Timeline::of(run, live) };
        let (own, found) = result.map(|result| (result.figures, result.found)).unzip();
        let ends = [own, live_result.map(|result| result.figures)];
        let ([own, of_live], note) = replayed(results, [run, live], ends, timeline, page);
        Self {
            figures: Some(figures(own, view.changed, of_live)),
            timeline,
            note,
            view,
            found: found.unwrap_or_default(),
            elapsed: run.map(|run| (run.elapsed_ms(page.now), run.phase.is_active())),
            settings: run.map(|run| run.values.clone()),
            artefacts: run.map(|run| run.artefacts.clone()).unwrap_or_default(),
            crash: pool.crash().map(str::to_owned),
        }
    }

    /// Returns the state of a run whose snapshots cannot be read.
    fn failed(why: &str) -> Self {
        let view = RunView { state: RunState::Failed, sentence: format!("Failed: {why}"), ..RunView::idle() };
        Self { figures: Some(Vec::new()), ..Self::without_result(view) }
    }

    /// Returns the state of a run without reading its snapshots, while the ready-made picture is shown.
    fn behind_picture(pool: &Pool, run: &TrackedRun, live: Option<&TrackedRun>, page: &PageView) -> Self {
        let mut view = RunView::of(run, None, page.chosen, page.now);
        view.problems.extend(problems(live));
        Self {
            elapsed: Some((run.elapsed_ms(page.now), true)),
            settings: Some(run.values.clone()),
            artefacts: run.artefacts.clone(),
            crash: pool.crash().map(str::to_owned),
            ..Self::without_result(view)
        }
    }

    /// Returns the state of a run without its result.
    fn without_result(view: RunView) -> Self {
        Self {
            view,
            figures: None,
            timeline: Timeline::default(),
            note: String::new(),
            found: Raw::new(),
            elapsed: None,
            settings: None,
            artefacts: Vec::new(),
            crash: None,
        }
    }
}

/// Returns the problems of the live companion.
fn problems(live: Option<&TrackedRun>) -> impl Iterator<Item = InputError> {
    live.into_iter().flat_map(|run| run.phase.problems()).cloned()
}

/// Describes the expected time and memory of another run like `run` with the settings of the form; empty where both are small.
fn expected(pool: &Pool, run: Option<&TrackedRun>, page: &PageView) -> String {
    let Some((run, values)) = run.zip(page.chosen.cloned()) else { return String::new() };
    let request = Request { task: run.task, values, record: false };
    pool.expected(&request, page.now).map_or(String::new(), expectation)
}

/// Returns the figures of the run and of the live companion at the position of the replay, and the note of the frame that changes.
fn replayed(
    results: &mut Results,
    [run, live]: [Option<&TrackedRun>; 2],
    mut ends: [Option<Vec<Figure>>; 2],
    timeline: Timeline,
    page: &PageView,
) -> ([Option<Vec<Figure>>; 2], String) {
    let mut note = String::new();
    let Some(position) = page.position.filter(|at| *at < timeline.positions()) else { return (ends, note) };
    let at = timeline.at(position);
    let is_played = |id: &str| page.played.is_none_or(|ids| ids.iter().any(|played| played == id));
    for ((queue, run, frame), end) in
        [(Queue::Run, run, at.run), (Queue::Live, live, at.live)].into_iter().zip(&mut ends)
    {
        let Some((run, number)) = run.zip(frame) else { continue };
        note.clone_from(&run.frames()[number].note);
        let frame = results.of_frame(queue, run, run.values_shown(page.chosen), number).ok().flatten();
        *end = end.take().map(|end| at_frame(end, frame.unwrap_or_default(), is_played));
    }
    (ends, note)
}

#[cfg(test)]
mod tests {
    use super::super::pool::tests::PoolHarness;
    use super::*;

    const RUN: &str = "#/feedforward?inputs=20&alphas=1,2&runs=6";

    fn page(harness: &PoolHarness) -> PageView<'static> {
        PageView {
            task: "feedforward",
            live: None,
            chosen: None,
            position: None,
            played: None,
            keeps_picture: false,
            now: harness.now,
        }
    }

    /// Returns a finished run with frames.
    fn finished() -> PoolHarness {
        let mut harness = PoolHarness::new(1);
        harness.start(RUN);
        harness.finish();
        harness
    }

    #[test]
    fn a_run_of_another_page_is_not_shown() {
        let harness = finished();
        let display = RunDisplay::of(
            &harness.pool,
            &mut Results::default(),
            &PageView { task: "gp", ..page(&harness) },
        );
        assert_eq!(display.view, RunView::idle());
        assert_eq!(display.figures, Some(Vec::new()));
        assert!(display.settings.is_none());
    }

    #[test]
    fn figures_of_other_settings_are_faded_and_not_replayed() {
        let harness = finished();
        let mut results = Results::default();
        let display = RunDisplay::of(&harness.pool, &mut results, &page(&harness));
        assert!(display.timeline.positions() > 1);
        let mut other = harness.run().values.to_raw();
        other.insert("inputs".to_owned(), "30".to_owned());
        let other = harness.run().task.check(&other).unwrap();
        let changed = PageView { chosen: Some(&other), position: Some(0), ..page(&harness) };
        let display = RunDisplay::of(&harness.pool, &mut results, &changed);
        assert!(display.view.changed);
        assert_eq!((display.timeline, display.note.as_str()), (Timeline::default(), ""));
        let figures = display.figures.unwrap();
        assert!(figures.iter().all(|drawing| drawing.marks().all(|(_, style)| style.faint)));
    }

    #[test]
    fn a_position_of_the_replay_shows_its_frame_in_the_figures_that_follow() {
        let harness = finished();
        let mut results = Results::default();
        let end = RunDisplay::of(&harness.pool, &mut results, &page(&harness)).figures.unwrap();
        let ids: Vec<String> = end.iter().map(|drawing| drawing.figure.id.clone()).collect();
        let at = |played, results: &mut Results| {
            RunDisplay::of(&harness.pool, results, &PageView { position: Some(0), played, ..page(&harness) })
        };
        let all = at(None, &mut results);
        assert_eq!(all.note, harness.run().frames()[0].note);
        let all = all.figures.unwrap();
        assert_ne!(all[0], end[0]);
        let first = at(Some(&ids[..1]), &mut results).figures.unwrap();
        assert_eq!(first[0], all[0]);
        assert_eq!(first[1..], end[1..]);
    }

    #[test]
    fn the_ready_made_picture_is_replaced_after_a_while_or_when_the_run_ends() {
        let mut harness = PoolHarness::new(1);
        harness.start(RUN);
        harness.turn();
        let mut results = Results::default();
        let mut figures = |harness: &PoolHarness, elapsed: f64| {
            let page = PageView { keeps_picture: true, now: harness.now + elapsed, ..page(harness) };
            RunDisplay::of(&harness.pool, &mut results, &page).figures
        };
        assert_eq!(figures(&harness, 0.0), None);
        assert!(figures(&harness, PICTURE_MS).is_some());
        harness.finish();
        assert!(figures(&harness, 0.0).is_some_and(|figures| !figures.is_empty()));
    }
}
