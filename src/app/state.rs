//! The state of a model's page as signals, and everything a person can do to it.

mod files;
mod opening;
mod pinned;
mod presets;
mod saved;
mod undo;

pub use files::size;

use std::ops::Deref;

use leptos::prelude::*;

use super::browser;
use super::history::History;
use super::own_data;
use super::pins::Pins;
use super::pool::web::{WebPool, now};
use super::pool::{Pool, Request, RunState, Stage};
use super::view::{RunView, expectation, figures};
use super::viewer::Viewer;
use crate::data::DataRef;
use crate::figure::Records;
use crate::lab::{Catalog, InputError, Link, Queue, Raw, Shown, Task, Values, mend, model_of};
use crate::render::Drawing;

/// Runs that took less than this long start again by themselves when a control is let go, in milliseconds.
const CHEAP_MS: f64 = 3_000.0;
/// For so long a ready-made picture is better than what has been computed yet, in milliseconds.
const PICTURE_MS: f64 = 3_000.0;

/// Everything a component needs; copied freely. There is one for as long as the page is open.
#[derive(Clone, Copy)]
pub struct Lab(&'static State);

impl Deref for Lab {
    type Target = State;

    fn deref(&self) -> &State {
        self.0
    }
}

/// What a page knows, as signals.
pub struct State {
    /// All models and tasks.
    pub catalog: RwSignal<&'static Catalog>,
    /// Id of the task in the address; the registry may not have it.
    pub page: RwSignal<String>,
    /// Texts of the form.
    pub raw: RwSignal<Raw>,
    /// The form's specification, or what is wrong with it.
    pub checked: Memo<Result<Values, Vec<InputError>>>,
    /// What had to be changed for the form to be valid.
    pub notices: RwSignal<Vec<String>>,
    /// The run in words.
    pub run: RwSignal<RunView>,
    /// The figures as they stand.
    pub figures: RwSignal<Vec<Drawing>>,
    /// What is known of the data sets that the form names, by the keys of their fields.
    pub data: RwSignal<Vec<(&'static str, Stage)>>,
    /// Whether colours are those for dark surroundings.
    pub dark: RwSignal<bool>,
    /// Whether the page is being printed.
    pub paper: RwSignal<bool>,
    /// The last permalink of every page that has run since the program was loaded.
    pub visited: RwSignal<Raw>,
    /// The preset that the form says, by its query.
    pub active_preset: RwSignal<Option<&'static str>>,
    /// The settings whose result is shown.
    present: RwSignal<Option<Values>>,
    pins: RwSignal<Pins>,
    pool: StoredValue<Option<WebPool>, LocalStorage>,
    viewer: StoredValue<Viewer, LocalStorage>,
    /// The first run of an untouched page replaces the ready-made picture only when it is finished, or takes long.
    quiet: StoredValue<bool>,
    last_elapsed: StoredValue<f64>,
    /// Texts that a person chose and another choice made invalid: restored when they are valid again.
    displaced: StoredValue<Vec<(String, String)>>,
    /// Another main table is being read, which the form may not fit.
    unfitted: StoredValue<Option<Unfitted>>,
    /// The last table of one's own, for the other pages that take one.
    table: StoredValue<Option<DataRef>>,
    /// Another model's program is on its way.
    loading: StoredValue<bool>,
    /// What can be undone.
    history: RwSignal<History>,
    /// Settings that the run has found (see [`Shown::found`]), or that would be valid where it was rejected.
    pub found: RwSignal<Raw>,
    /// What the run has made, or the last one that has made anything.
    artefacts: RwSignal<Vec<DataRef>>,
}

/// What the form was for before another main table was given.
#[derive(Clone, Debug)]
struct Unfitted {
    /// Names of the columns of the table before, if they are known.
    columns: Option<Vec<String>>,
}

impl Lab {
    /// The state of a page just opened.
    pub fn new(catalog: &'static Catalog) -> Self {
        let (catalog, page) = (RwSignal::new(catalog), RwSignal::new(String::new()));
        let raw = RwSignal::new(Raw::new());
        // The model's program is asked once for each change, however many controls want to know.
        let checked = Memo::new(move |_| {
            let task = page.with(|id| catalog.get().page(id));
            task.map_or(Err(Vec::new()), |task| raw.with(|raw| task.check(raw)))
        });
        Self(Box::leak(Box::new(State {
            catalog,
            page,
            raw,
            checked,
            notices: RwSignal::new(Vec::new()),
            run: RwSignal::new(RunView::idle()),
            figures: RwSignal::new(Vec::new()),
            data: RwSignal::default(),
            dark: RwSignal::new(false),
            paper: RwSignal::new(false),
            visited: RwSignal::default(),
            active_preset: RwSignal::new(None),
            present: RwSignal::new(None),
            pins: RwSignal::default(),
            pool: StoredValue::new_local(None),
            viewer: StoredValue::new_local(Viewer::default()),
            quiet: StoredValue::new(true),
            last_elapsed: StoredValue::new(0.0),
            displaced: StoredValue::default(),
            unfitted: StoredValue::default(),
            table: StoredValue::default(),
            loading: StoredValue::new(false),
            history: RwSignal::default(),
            found: RwSignal::default(),
            artefacts: RwSignal::default(),
        })))
    }

    /// The task in the address.
    pub fn task(self) -> Option<&'static dyn Task> {
        self.page.with(|id| self.catalog.get().page(id))
    }

    /// The form's specification, or what is wrong with it.
    pub fn check(self) -> Result<Values, Vec<InputError>> {
        self.checked.get()
    }

    /// The permalink of the form.
    pub fn link(self) -> String {
        Link { task: self.page.get(), raw: self.whole() }.to_string()
    }

    /// The same, with the revision of the results: for those who open it with another version of the page.
    pub fn lasting_link(self) -> String {
        let mut link = Link { task: self.page.get(), raw: self.whole() };
        if let Some(model) = self.catalog.get().model(model_of(&link.task)) {
            link = link.with_revision(model.revision());
        }
        link.to_string()
    }

    /// What every field says: as checked where the form is valid, and else as it stands.
    pub fn whole(self) -> Raw {
        self.check().map_or_else(|_| self.raw.get(), |values| values.to_raw())
    }

    /// A control moves: the live companion follows, the run's result stays and is marked.
    pub fn edit(self, key: &'static str, text: &str) {
        self.remember_before(Some(key));
        self.change(&[(key.to_owned(), text.to_owned())]);
    }

    /// Several texts of the form change at once.
    pub fn change(self, texts: &[(String, String)]) {
        self.quiet.set_value(false);
        self.raw.update(|raw| texts.iter().cloned().for_each(|(key, text)| drop(raw.insert(key, text))));
        self.active_preset.set(None);
        self.notices.set(Vec::new());
        self.fit_positive(texts);
        let mut wanted = self.raw.get_untracked();
        for (key, text) in self.displaced.get_value() {
            if texts.iter().all(|(edited, _)| *edited != key) {
                wanted.insert(key, text);
            }
        }
        // Where the new value only clashes with others, those are changed: K = 3 turns N = 50 into 51.
        let problems = self.task().and_then(|task| task.check(&wanted).err()).unwrap_or_default();
        if problems.iter().all(|p| texts.iter().all(|(key, _)| p.field != *key)) {
            let (raw, changed) = self.mended(&wanted);
            self.notices.set(changed.iter().map(notice).collect());
            let displaced = wanted.into_iter().filter(|(key, text)| raw.get(key) != Some(text));
            self.displaced.set_value(displaced.collect());
            self.raw.set(raw);
        }
        self.follow();
        self.refresh();
    }

    /// The nearest specification that makes sense, and what had to be changed for it.
    fn mended(self, raw: &Raw) -> (Raw, Vec<InputError>) {
        match self.task() {
            Some(task) => mend(raw, |raw| task.check(raw).map(|_| ())),
            None => (Raw::new(), Vec::new()),
        }
    }

    /// A control is let go: cheap runs start again.
    pub fn settle(self) {
        let idle_or_cheap = self.last_elapsed.get_value() < CHEAP_MS;
        let changed = self.run.with_untracked(|run| run.changed || matches!(run.state, "idle" | "rejected"));
        if self.check().is_ok() && changed && idle_or_cheap {
            self.start(false);
        }
    }

    /// Runs what the form says; from the first step on by hand if `paused`.
    pub fn start(self, paused: bool) {
        let (Some(task), Ok(values)) = (self.task(), self.check()) else { return };
        let link = Link { task: task.meta().id.to_owned(), raw: values.to_raw() }.to_string();
        browser::replace_hash(&link);
        browser::mark("data-crash", "");
        let id = task.meta().id;
        browser::lead_to(model_of(id), &link);
        self.visited.update(|visited| drop(visited.insert(id.to_owned(), link)));
        self.pool(|pool, now| pool.start(Request { task, values }, paused, now));
    }

    /// The big button: run, hold, or go on. Like every order to a run, it is answered at once: the next redraw may be a while
    /// away where redraws are dear.
    pub fn run_or_pause(self) {
        self.quiet.set_value(false);
        let (state, changed) = self.run.with_untracked(|run| (run.state, run.changed));
        match state {
            "running" if !changed => self.pool(Pool::pause),
            "paused" if !changed => self.pool(Pool::resume),
            _ => {
                // What was said before has been read.
                self.notices.set(Vec::new());
                self.start(false);
            }
        }
        self.refresh();
    }

    /// One slice of work.
    pub fn step(self) {
        self.quiet.set_value(false);
        match self.run.with_untracked(|run| run.state) {
            "running" => self.pool(Pool::pause),
            "paused" => self.pool(|pool, _| pool.step()),
            _ => {
                self.start(true);
                self.pool(|pool, _| pool.step());
            }
        }
        self.refresh();
    }

    /// Ends the run, keeping what is finished.
    pub fn stop(self) {
        self.pool(|pool, now| pool.stop(Queue::Run, now));
        self.refresh();
    }

    /// Puts what the run has found, or would accept, into the form, and runs that.
    pub fn use_found(self) {
        self.remember();
        self.change(&self.found.get_untracked().into_iter().collect::<Vec<_>>());
        self.start(false);
        self.refresh();
    }

    /// Sets the live companion after the form.
    fn follow(self) {
        let Some(live) = self.task().and_then(|t| self.catalog.get_untracked().task(t.meta().live?)) else {
            return;
        };
        let told = self.artefacts.with_untracked(|made| {
            self.raw.with_untracked(|raw| own_data::for_live(live.fields(), raw, made))
        });
        if let Ok(values) = live.check(&told) {
            self.pool(|pool, now| pool.start(Request { task: live, values }, false, now));
        }
    }

    /// What is to be seen of a run, while the form says `chosen`: what only figures follow is taken from there.
    fn shown(self, queue: Queue, run: &RunState, chosen: Option<&Values>) -> Option<Result<Shown, String>> {
        let fields = run.task.fields();
        let values = chosen.filter(|chosen| chosen.run_as(&run.values, fields)).unwrap_or(&run.values);
        self.viewer.try_update_value(|viewer| viewer.show(queue, run, values)).flatten()
    }

    /// What the run that is shown says of every row, as a file.
    pub fn records(self) -> Option<Records> {
        self.viewer.try_with_value(|viewer| viewer.records(Queue::Run)).flatten()
    }

    fn pool(self, change: impl FnOnce(&mut Pool, f64)) {
        // Cloned out: what is done with it may look at it again.
        if let Some(pool) = self.pool.get_value() {
            pool.change(change);
        }
    }

    /// Takes over what the pool knows.
    fn refresh(self) {
        let (Some(pool), Some(task)) = (self.pool.get_value(), self.task()) else { return };
        let chosen = self.check().ok();
        // The pool may still hold runs of the page before.
        let of = |run: &&RunState, id: &str| run.task.meta().id == id;
        let (mut view, figures, found, elapsed, present) = pool.look(|pool| {
            let run = pool.run(Queue::Run).filter(|run| of(run, task.meta().id));
            let result = run.and_then(|run| self.shown(Queue::Run, run, chosen.as_ref())).transpose();
            let live = pool.run(Queue::Live).filter(|run| task.meta().live.is_some_and(|id| of(run, id)));
            let refused = live.map(|run| run.phase.problems().to_vec()).unwrap_or_default();
            let live = live.and_then(|run| self.shown(Queue::Live, run, None)).and_then(Result::ok);
            match result {
                Ok(result) => {
                    let status = result.as_ref().map(|r| &r.status);
                    let mut view = run
                        .map_or_else(RunView::idle, |run| RunView::of(run, status, chosen.as_ref(), now()));
                    view.problems.extend(refused);
                    let (own, found) = result.map(|r| (r.figures, r.found)).unzip();
                    let all = figures(own, view.changed, live.map(|r| r.figures));
                    let elapsed = run.map(|run| (run.elapsed_ms(now()), run.phase.active()));
                    (view, all, found.unwrap_or_default(), elapsed, run.map(|run| run.values.clone()))
                }
                Err(why) => {
                    let view =
                        RunView { state: "failed", sentence: format!("Failed: {why}"), ..RunView::idle() };
                    (view, Vec::new(), Raw::new(), None, None)
                }
            }
        });
        let made = pool.look(|pool| {
            let run = pool.run(Queue::Run).filter(|run| of(run, task.meta().id));
            run.map(|run| run.artefacts.clone()).unwrap_or_default()
        });
        // A run that begins anew has made nothing yet: until then what the last one made is in use.
        if !made.is_empty() && self.artefacts.with_untracked(|before| *before != made) {
            self.artefacts.set(made);
            self.follow();
        }
        if view.changed
            && let Some(values) = chosen
        {
            let expected = pool.look(|pool| pool.expected(&Request { task, values }, now()));
            view.expected = expected.map_or(String::new(), expectation);
        }
        if let Some(words) = pool.look(|pool| pool.crash().map(str::to_owned)) {
            browser::mark("data-crash", &words);
        }
        let known = |key| pool.look(|pool| pool.file(self.named(key)?.content()?).cloned());
        let data: Vec<_> = own_data::keys(task.fields()).filter_map(|key| Some((key, known(key)?))).collect();
        if self.data.with_untracked(|before| *before != data) {
            self.data.set(data);
        }
        self.fit_to_table();
        if let Some((elapsed, false)) = elapsed {
            self.last_elapsed.set_value(elapsed);
        }
        let young = elapsed.is_some_and(|(elapsed, active)| active && elapsed < PICTURE_MS);
        let hold = self.quiet.get_value() && view.state == "running" && young;
        let found = match view.state {
            // A fit goes on to better ones.
            "running" => Raw::new(),
            "rejected" if !view.changed => view.nearest(),
            _ => found,
        };
        if self.found.with_untracked(|before| *before != found) {
            self.found.set(found);
        }
        browser::mark("data-state", if self.loading.get_value() { "loading" } else { view.state });
        self.run.set(view);
        if !hold {
            self.figures.set(figures);
        }
        if self.present.with_untracked(|before| *before != present) {
            self.present.set(present);
        }
    }
}

fn notice(problem: &InputError) -> String {
    let instead = match problem.nearest.as_deref() {
        Some("") => "The default is used instead.".to_owned(),
        Some(nearest) => format!("{nearest} is used instead."),
        None => "It is left out.".to_owned(),
    };
    format!("{}: {} {instead}", problem.name(), problem.complaint())
}
