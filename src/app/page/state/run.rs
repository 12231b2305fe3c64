//! The run that is shown: its state, its figures, and the buttons of the run bar.

use leptos::prelude::*;

use super::AppState;
use crate::app::display::{PageView, RunDisplay};
use crate::app::history::History;
use crate::app::page::browser;
use crate::app::page::workers::now;
use crate::app::pool::{Pool, Request};
use crate::app::results::Results;
use crate::app::view::{RunState, RunView};
use crate::data::DataRef;
use crate::figure::Records;
use crate::lab::{Attempt, Link, Queue, Raw, Task, Values, companion_settings, model_of};
use crate::render::Drawing;

/// Longest run that starts again by itself when a control is released, in milliseconds.
const CHEAP_MS: f64 = 3_000.0;

/// Time after a run has started by itself during which a click on Run does not pause it, in milliseconds: the click was meant to start it.
const MEANT_TO_START_MS: f64 = 600.0;

/// The picture in the place of the first figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstPicture {
    /// The figure itself.
    #[default]
    Live,
    /// A picture of its run that was made beforehand.
    ReadyMade,
    /// None, until the figure is drawn.
    Missing,
}

/// The run that is shown, as signals.
#[derive(Clone, Copy)]
pub struct RunSignals {
    /// The run in words.
    pub view: RwSignal<RunView>,
    /// Its figures, with those of the live companion over them.
    pub figures: RwSignal<Vec<Drawing>>,
    /// Settings that the run has found, or the nearest valid ones if it was rejected.
    pub found: RwSignal<Raw>,
    /// The picture that stands in place of the first figure.
    pub first_picture: RwSignal<FirstPicture>,
    /// The result compared with the challenge of the page.
    pub attempt: RwSignal<Option<Attempt>>,
    /// False while a control is dragged, or a file read, after which the page may run by itself.
    pub settled: RwSignal<bool>,
    /// The settings whose result is shown.
    pub(super) settings: RwSignal<Option<Values>>,
    /// The artefacts of the run, or of the last run that made any.
    pub(super) artefacts: RwSignal<Vec<DataRef>>,
    /// True while the first run of an untouched page leaves the ready-made picture in place.
    pub(super) keeps_picture: StoredValue<bool>,
    /// Time at which a control started a run by itself, in milliseconds.
    began_by_itself: StoredValue<f64>,
    /// Duration of the last finished run, in milliseconds.
    pub(super) last_elapsed: StoredValue<f64>,
    pub(super) results: StoredValue<Results, LocalStorage>,
    /// True while a comparison with the challenge is scheduled.
    compares: StoredValue<bool>,
}

impl RunSignals {
    pub(super) fn new() -> Self {
        Self {
            view: RwSignal::new(RunView::idle()),
            figures: RwSignal::default(),
            found: RwSignal::default(),
            first_picture: RwSignal::default(),
            attempt: RwSignal::new(None),
            settled: RwSignal::new(true),
            settings: RwSignal::new(None),
            artefacts: RwSignal::default(),
            keeps_picture: StoredValue::new(true),
            began_by_itself: StoredValue::new(f64::NEG_INFINITY),
            last_elapsed: StoredValue::new(0.0),
            results: StoredValue::new_local(Results::default()),
            compares: StoredValue::new(false),
        }
    }

    /// Returns the state of the run, tracked.
    pub fn state(self) -> RunState {
        self.view.with(|view| view.state)
    }

    /// Returns one record for each row of the table of the run that is shown.
    pub fn records(self) -> Option<Records> {
        self.results.with_value(|results| results.records(Queue::Run))
    }
}

/// Returns the figures as they are shown: as sketches within a card of the front page.
fn as_shown(figures: Vec<Drawing>) -> Vec<Drawing> {
    if browser::option("sketch").is_none() {
        return figures;
    }
    figures.into_iter().map(Drawing::into_sketch).collect()
}

/// Sets a signal only if its value changes.
pub fn set_if_new<T: PartialEq + Send + Sync + 'static>(signal: RwSignal<T>, value: T) {
    if signal.with_untracked(|before| *before != value) {
        signal.set(value);
    }
}

impl AppState {
    /// Starts the run again after a control was released, if that takes little time. The address has the settings in any case: a
    /// setting that only the live companion follows starts no run, and a reload must keep it, too.
    pub fn settle(self) {
        self.run.settled.set(true);
        self.form.history.update(History::end_step);
        let cheap = self.run.last_elapsed.get_value() < CHEAP_MS;
        let before = |state| matches!(state, RunState::Idle | RunState::AwaitingFile | RunState::Rejected);
        let changed = self.run.view.with_untracked(|view| view.changed || before(view.state));
        if cheap && changed && self.form.checked.with(Result::is_ok) {
            self.start(false);
            self.run.began_by_itself.set_value(now());
            // At once: otherwise the bar would ask for a run that has begun.
            self.refresh();
        } else {
            // Restarts the live companion to restore its replay frames.
            if !changed {
                self.start_live(true);
            }
            self.store_link();
        }
    }

    /// Puts valid settings into the address and into the links to the page.
    fn store_link(self) {
        let (Some(task), Ok(values)) = (self.task(), self.form.checked.get_untracked()) else { return };
        let id = task.meta().id;
        let link = Link { task: id.to_owned(), raw: values.to_raw() }.to_string();
        browser::replace_hash(&link);
        browser::set_navigation_link(model_of(id), &link);
        self.visited.update(|visited| {
            visited.insert(id.to_owned(), link);
        });
    }

    /// Starts a run with the settings of the form; if `paused`, it waits for [`Self::step`].
    pub fn start(self, paused: bool) {
        self.start_live(true);
        let (Some(task), Ok(values)) = (self.task(), self.form.checked.get()) else { return };
        self.run.settled.set(true);
        self.store_link();
        browser::mark("data-crash", "");
        self.change_pool(|pool, now| pool.start(Request { task, values, record: true }, paused, now));
    }

    /// Runs, pauses or resumes. The page is refreshed at once: the next redraw may come late where redraws are slow.
    pub fn run_or_pause(self) {
        self.run.keeps_picture.set_value(false);
        let (state, changed) = self.run.view.with_untracked(|view| (view.state, view.changed));
        match state {
            RunState::Running if !changed => {
                if now() - self.run.began_by_itself.get_value() > MEANT_TO_START_MS {
                    self.change_pool(Pool::pause);
                }
            }
            RunState::Paused if !changed => self.change_pool(Pool::resume),
            _ => {
                self.notices.set(Vec::new());
                self.start(false);
            }
        }
        self.refresh();
    }

    /// Does one slice of work, then pauses; steps through the replay of a finished run.
    pub fn step(self) {
        self.run.keeps_picture.set_value(false);
        match self.run.view.with_untracked(|view| view.state) {
            RunState::Running => self.change_pool(Pool::pause),
            RunState::Paused => self.change_pool(|pool, _| pool.step()),
            RunState::Finished
                if self.replay.timeline.with_untracked(|timeline| timeline.positions() > 0) =>
            {
                return self.step_replay();
            }
            _ => {
                self.start(true);
                self.change_pool(|pool, _| pool.step());
            }
        }
        self.refresh();
    }

    /// Ends the run and keeps its finished part.
    pub fn stop(self) {
        self.change_pool(|pool, now| pool.stop(Queue::Run, now));
        self.refresh();
    }

    /// Puts the settings that the run has found into the form and runs with them.
    pub fn use_found(self) {
        self.remember();
        self.change(&self.run.found.get_untracked().into_iter().collect::<Vec<_>>());
        self.start(false);
        self.refresh();
    }

    /// Starts the live companion with the settings of the form, without frames: a control may be moving.
    pub(super) fn update_live(self) {
        self.start_live(false);
    }

    fn start_live(self, record: bool) {
        self.end_replay();
        let Some(live) = self.task().and_then(|task| self.catalog.task(task.meta().live?)) else { return };
        let raw = self.run.artefacts.with_untracked(|made| {
            self.form.raw.with_untracked(|raw| companion_settings(live.fields(), raw, made))
        });
        if let Ok(values) = live.check(&raw) {
            self.change_pool(|pool, now| pool.start(Request { task: live, values, record }, false, now));
        }
    }

    /// Updates the signals from the pool, whose runs may still be those of another page.
    pub(super) fn refresh(self) {
        let Some(task) = self.task() else { return };
        let display = self.with_results(task, |page, pool, results| RunDisplay::of(pool, results, page));
        let Some(display) = display else { return };
        self.take_artefacts(display.artefacts);
        if let Some(words) = display.crash {
            browser::mark("data-crash", &words);
        }
        self.refresh_data_sets();
        if let Some((elapsed, false)) = display.elapsed {
            self.run.last_elapsed.set_value(elapsed);
        }
        set_if_new(self.replay.timeline, display.timeline);
        self.play_unseen();
        let view = display.view;
        let found = match view.state {
            RunState::Running => Raw::new(), // a fit may still improve
            RunState::Rejected if !view.changed => view.nearest(),
            _ => display.found,
        };
        set_if_new(self.run.found, found);
        let playing = view.state == RunState::Finished && self.replay.playing.get_untracked();
        browser::mark("data-state", if playing { "replaying" } else { view.state.word() });
        self.run.view.set(view);
        if let Some(figures) = display.figures {
            self.run.figures.set(as_shown(figures));
        }
        set_if_new(self.run.settings, display.settings);
        set_if_new(self.replay.note, display.note);
        // The report can take as long as the figures, so the comparison is made in a task of its own.
        if !self.run.compares.get_value() {
            self.run.compares.set_value(true);
            browser::timeout(0, move || self.refresh_attempt());
        }
    }

    /// Updates the comparison of the result with the challenge of the page.
    fn refresh_attempt(self) {
        self.run.compares.set_value(false);
        let Some(task) = self.task() else { return };
        let changed = self.run.view.with_untracked(|view| view.changed);
        let attempt = self.with_results(task, |page, pool, results| page.attempt(pool, results, changed));
        set_if_new(self.run.attempt, attempt.flatten());
    }

    /// Calls `of` with the page, the pool and the results; returns `None` before the first run.
    fn with_results<T>(
        self,
        task: &dyn Task,
        of: impl FnOnce(&PageView, &Pool, &mut Results) -> T,
    ) -> Option<T> {
        let chosen = self.form.checked.get_untracked().ok();
        let played = self.replay.playing.get_untracked().then(|| self.first_figures());
        let page = PageView {
            task: task.meta().id,
            live: task.meta().live,
            chosen: chosen.as_ref(),
            position: self.replay.position.get_untracked(),
            played: played.as_deref(),
            keeps_picture: self.run.keeps_picture.get_value(),
            now: now(),
        };
        let results = self.run.results;
        self.read_pool(|pool| results.try_update_value(|results| of(&page, pool, results)))?
    }

    /// Updates the artefacts. Those of the last run stay in use until the run has made one.
    fn take_artefacts(self, made: Vec<DataRef>) {
        if !made.is_empty() && self.run.artefacts.with_untracked(|before| *before != made) {
            self.run.artefacts.set(made);
            self.start_live(true);
        }
    }
}
