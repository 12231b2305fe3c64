//! The user's data sets: files given, their columns, and the settings that depend on them.

use leptos::prelude::*;

use super::{AppState, set_if_new};
use crate::app::own_data::{self, ColumnRow, FieldChoices};
use crate::app::page::{browser, kept};
use crate::app::pool::FileState;
use crate::app::view::RunState;
use crate::data::{ColumnFacts, DataRef, Doubt, Hash, LoadedFile, Repair, TableFacts, known};
use crate::lab::{Field, Kind, Role, SavedRun, Task, newest_artefact};

/// The user's data sets as signals.
#[derive(Clone, Copy)]
pub struct DataSets {
    /// State of each data set that the form names, by the key of its field.
    pub states: RwSignal<Vec<(&'static str, FileState)>>,
    /// The last table given on any page, for the other pages that take one.
    pub(super) shared_table: StoredValue<Option<DataRef>>,
    /// Set while another main table is being read, which the settings may not fit.
    pub(super) replaced: StoredValue<Option<ReplacedTable>>,
}

/// The main table before another one was given.
#[derive(Clone, Debug)]
pub(super) struct ReplacedTable {
    /// Names of its columns, if they are known.
    columns: Option<Vec<String>>,
}

impl DataSets {
    pub(super) fn new() -> Self {
        Self {
            states: RwSignal::default(),
            shared_table: StoredValue::default(),
            replaced: StoredValue::default(),
        }
    }

    /// Returns the state of the data set of that field, tracked.
    pub fn state(self, key: &str) -> Option<FileState> {
        self.states.with(|all| all.iter().find(|(of, _)| *of == key).map(|(_, state)| state.clone()))
    }
}

impl AppState {
    /// Returns the key of the field of the main data set, if the task takes one.
    pub fn main_data_key(self) -> Option<&'static str> {
        own_data::keys(self.task()?.fields()).next()
    }

    /// Returns true if the task needs a data set of the user and the form names none, tracked.
    pub fn lacks_data(self) -> bool {
        let main = self.task().and_then(|task| task.fields().iter().find(|field| field.kind == Kind::Data));
        main.is_some_and(|field| field.default.is_empty() && self.named_data(field.key).is_none())
    }

    /// Returns true while the page asks for its main table and has nothing else to show.
    pub fn asks_for_table(self) -> bool {
        self.awaits_file() && self.lacks_data() && self.main_data_key().is_some()
    }

    /// Returns true while the run waits for a file.
    pub fn awaits_file(self) -> bool {
        match self.run.state() {
            RunState::AwaitingFile => true,
            RunState::Idle => self.lacks_data(),
            _ => false,
        }
    }

    /// Returns the key of the first field whose data set is named and missing, or else of the main data set.
    pub fn awaited_key(self) -> Option<&'static str> {
        let here = |key: &str| self.data_sets.states.with(|all| all.iter().any(|known| known.0 == key));
        let lacks =
            |key: &&str| self.named_data(key).is_some_and(|named| !named.needs_no_file()) && !here(key);
        own_data::keys(self.task()?.fields()).find(lacks).or(self.main_data_key())
    }

    /// Returns the key of the field of the main table, if the task takes one whose columns have roles: all such tasks share it.
    pub(super) fn shared_table_key(self) -> Option<&'static str> {
        let fields = self.task()?.fields();
        Field::with_role(fields, Role::Ignored).and_then(|_| own_data::keys(fields).next())
    }

    /// Returns the data set that the form names in the field of that key.
    pub fn named_data(self, key: &str) -> Option<DataRef> {
        self.form.raw.with(|raw| own_data::named(raw, key))
    }

    /// Returns true if a file with these contents has been given.
    pub fn has_file(self, content: Hash) -> bool {
        self.data_sets.states.track();
        self.read_pool(|pool| pool.file(content).is_some()).unwrap_or(false)
    }

    /// Returns the names of the files that a link of the form does not contain.
    pub fn named_files(self) -> Option<String> {
        let named = own_data::keys(self.task()?.fields()).filter_map(|key| self.named_data(key));
        named
            .filter(|data| !data.is_shipped())
            .map(|data| data.name)
            .reduce(|all, name| format!("{all} and {name}"))
    }

    /// Returns the columns of the main table, if they are known.
    fn columns(self) -> Option<Vec<ColumnFacts>> {
        match self.data_sets.state(self.main_data_key()?) {
            Some(FileState::Read(facts)) => facts.table().map(|table| table.columns.clone()),
            _ => None,
        }
    }

    /// Returns the decisions on how the main table was read, and the remarks on it.
    pub(super) fn reading_remarks(self) -> Vec<String> {
        match self.main_data_key().and_then(|key| self.data_sets.state(key)) {
            Some(FileState::Read(facts)) => facts.table().map_or(Vec::new(), TableFacts::sentences),
            _ => Vec::new(),
        }
    }

    /// Returns the choices of a text field, as far as the table is known.
    pub fn options(self, field: &Field) -> FieldChoices {
        match (self.columns(), self.task()) {
            (Some(columns), Some(task)) => {
                self.form.raw.with(|raw| own_data::options(&columns, task.fields(), raw, field))
            }
            _ => FieldChoices::default(),
        }
    }

    /// Returns the columns of the main table with their roles, where the task gives columns roles.
    pub fn column_rows(self) -> Vec<ColumnRow> {
        let known = self.shared_table_key().and_then(|_| self.columns().zip(self.task()));
        known.map_or(Vec::new(), |(columns, task)| {
            self.form.raw.with(|raw| own_data::column_rows(&columns, task.fields(), raw))
        })
    }

    /// Gives a column the role of the field of that key, or makes it an input.
    pub fn assign_role(self, column: &str, key: &str) {
        let Some((columns, task)) = self.columns().zip(self.task()) else { return };
        let changes =
            self.form.raw.with_untracked(|raw| own_data::assign(&columns, task.fields(), raw, column, key));
        self.remember();
        self.change(&changes);
        self.settle();
    }

    /// Returns the newest artefact of that kind that the run has made.
    pub fn artefact(self, kind: &str) -> Option<DataRef> {
        self.run.artefacts.with(|made| newest_artefact(made, kind).cloned())
    }

    /// Saves the newest artefact of that kind as a file.
    pub fn save_artefact(self, kind: &str) {
        let Some(artefact) = self.artefact(kind) else { return };
        let bytes = self.read_pool(|pool| Some(js_sys::Uint8Array::from(pool.bytes(artefact.hash?)?)));
        if let Some(bytes) = bytes.flatten() {
            browser::save_as(&bytes, "", &artefact.file_name());
        }
    }

    /// Takes a file for a field and runs once it is read. A saved run is opened instead.
    pub fn load(self, field: &Field, name: &str, contents: LoadedFile) {
        if SavedRun::is(&contents.bytes) {
            self.open_saved(name, &contents.bytes);
            return;
        }
        if !self.confirm_file(field.key, name, &contents) {
            return;
        }
        self.run.keeps_picture.set_value(false);
        self.remember();
        // One file of several: the form names the whole set.
        if let Some((set, file)) = known::of_several(name) {
            self.change_pool(|pool, now| pool.load_known(file.hash, contents, now));
            self.form.raw.update(|raw| {
                raw.insert(field.key.to_owned(), set.name.to_owned());
            });
            self.start(false);
            return;
        }
        self.load_single(field, name, contents);
    }

    /// Asks before a file is used in place of another one that the link names by its hash.
    fn confirm_file(self, key: &str, name: &str, contents: &LoadedFile) -> bool {
        let awaited = self.named_data(key).filter(|named| {
            named.name != name && named.hash.is_some_and(|hash| hash != contents.hash && !self.has_file(hash))
        });
        awaited.is_none_or(|awaited| {
            browser::confirm(&format!("{name} is not the file of this link, {awaited}. Use it instead?"))
        })
    }

    fn load_single(self, field: &Field, name: &str, contents: LoadedFile) {
        let key = field.key;
        let (before, columns) = (self.named_data(key), self.columns());
        // A replaced file that was loaded needs no notice of a mismatch.
        let was_here =
            before.as_ref().is_some_and(|before| before.hash.is_some_and(|hash| self.has_file(hash)));
        kept::keep_for_visit(contents.hash, &contents.bytes);
        let mut given = None;
        self.change_pool(|pool, now| given = Some(pool.load(name, contents, now)));
        let Some(given) = given else { return };
        if self.shared_table_key() == Some(key) {
            self.data_sets.shared_table.set_value(Some(given.clone()));
        }
        let notice = self.form.raw.try_update(|raw| own_data::take(raw, key, &given)).flatten();
        self.notices.set(notice.filter(|_| !was_here).into_iter().collect());
        // An artefact concerns the live companion only: the run is not repeated.
        if field.is_artefact() {
            self.update_live();
            self.settle();
            return;
        }
        let replaced = before.is_some_and(|before| {
            before.content() != given.content() && !(before.content().is_none() && before.name == given.name)
        });
        if replaced && self.main_data_key() == Some(key) {
            let columns = columns.map(|columns| columns.into_iter().map(|column| column.name).collect());
            self.data_sets.replaced.set_value(Some(ReplacedTable { columns }));
            let fields = self.task().map_or(&[][..], |task| task.fields());
            let forgotten = self.form.raw.try_update(|raw| own_data::forget_reading(fields, raw)).flatten();
            self.notices.update(|notices| notices.extend(forgotten));
            self.run.settled.set(false);
            self.refresh();
        } else {
            self.start(false);
        }
    }

    /// Updates the state of the data sets that the form names.
    pub(super) fn refresh_data_sets(self) {
        let Some(task) = self.task() else { return };
        let state = |key| {
            let content = self.named_data(key)?.content()?;
            self.read_pool(|pool| pool.file(content).cloned()).flatten()
        };
        let mut states: Vec<_> =
            own_data::keys(task.fields()).filter_map(|key| Some((key, state(key)?))).collect();
        if let Some((_, main)) = states.first_mut().filter(|(key, _)| Some(*key) == self.main_data_key()) {
            *main = self.chosen_reading().unwrap_or_else(|| main.clone());
        }
        set_if_new(self.data_sets.states, states);
        self.fit_to_table();
    }

    /// Returns the main table as it is read with the choices of the form, once it has been read; requests it before.
    fn chosen_reading(self) -> Option<FileState> {
        let values = self.form.checked.get_untracked().ok()?;
        if !values.takes_data() {
            return None;
        }
        let state = || self.read_pool(|pool| pool.chosen_reading(&values).cloned()).flatten();
        if state().is_none() {
            self.change_pool(|pool, _| pool.request_reading(&values));
        }
        state().filter(|state| matches!(state, FileState::Read(_) | FileState::Rejected(_)))
    }

    /// Returns the questions about the reading of the main table.
    pub fn questions(self, doubts: &[Doubt]) -> Vec<own_data::Question> {
        self.task().map_or(Vec::new(), |task| own_data::questions(task.fields(), doubts))
    }

    /// Returns the repairs of the main table that have not been made.
    pub fn offered_repairs(self, repairs: &[Repair]) -> Vec<own_data::Answer> {
        let of = |task: &'static dyn Task| {
            self.form.raw.with(|raw| own_data::offered_repairs(task.fields(), raw, repairs))
        };
        self.task().map_or(Vec::new(), of)
    }

    /// Returns the choices and repairs of the reading that are in effect, with their defaults.
    pub fn applied_repairs(self) -> Vec<own_data::Answer> {
        let of =
            |task: &'static dyn Task| self.form.raw.with(|raw| own_data::applied_repairs(task.fields(), raw));
        self.task().map_or(Vec::new(), of)
    }

    /// Sets the field of an answer, and runs.
    pub fn answer(self, answer: &own_data::Answer) {
        self.edit(answer.key, &answer.text);
        self.settle();
    }

    /// Resets the settings that name columns which a newly read main table lacks, and runs.
    fn fit_to_table(self) {
        let Some(before) = self.data_sets.replaced.get_value() else { return };
        let notice = match self.main_data_key().and_then(|key| self.data_sets.state(key)) {
            Some(FileState::Read(facts)) => self.task().zip(facts.table()).and_then(|(task, table)| {
                self.form.raw.try_update(|raw| {
                    own_data::fit(task.fields(), raw, &table.columns, before.columns.as_deref())
                })?
            }),
            Some(FileState::Rejected(_)) => None,
            _ => return,
        };
        self.data_sets.replaced.set_value(None);
        self.notices.update(|notices| notices.extend(notice));
        self.start(false);
    }

    /// Resets the positive value if the label changes to a column without it.
    pub(super) fn reset_positive(self, edited: &[(String, String)]) {
        let (Some(task), Some(columns)) = (self.task(), self.columns()) else { return };
        let fields = task.fields();
        let of_columns = [Role::Label, Role::Split, Role::Id, Role::Group, Role::Ignored];
        let mut of_columns = of_columns.into_iter().filter_map(|role| Field::with_role(fields, role));
        if of_columns.any(|field| edited.iter().any(|(key, _)| key == field.key)) {
            self.form.raw.update(|raw| {
                own_data::fit_role(fields, raw, &columns, None, Role::Positive);
            });
        }
    }
}
