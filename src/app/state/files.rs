//! What a person can do with data sets: give them, take those that come with the page, and choose among their columns.

use leptos::prelude::*;

use super::{Lab, Unfitted};
use crate::app::own_data::{self, ColumnRow, Options};
use crate::app::pool::{Pool, Stage};
use crate::app::{browser, form, kept};
use crate::data::known::{self, KnownFile, KnownSet};
use crate::data::{ColumnFacts, DataRef, Given, Hash};
use crate::lab::{Field, Role, SavedRun};

impl Lab {
    /// Key of the field of the main data set, if the task takes one.
    pub fn main(self) -> Option<&'static str> {
        own_data::keys(self.task()?.fields()).next()
    }

    /// Key of the field of the main table, if the task takes one whose columns have roles: such a table is for all such tasks.
    pub(super) fn takes_table(self) -> Option<&'static str> {
        let fields = self.task()?.fields();
        Field::with_role(fields, Role::Ignored).and_then(|_| own_data::keys(fields).next())
    }

    /// The data set that the form names in the field of that key.
    pub fn named(self, key: &str) -> Option<DataRef> {
        self.raw.with(|raw| own_data::named(raw, key))
    }

    /// Whether a file with these contents has been given.
    pub fn has_file(self, content: Hash) -> bool {
        self.data.track();
        self.pool.get_value().is_some_and(|pool| pool.look(|pool| pool.file(content).is_some()))
    }

    /// Names of all files that the form names, if it names one.
    pub fn files(self) -> Option<String> {
        let named = own_data::keys(self.task()?.fields()).filter_map(|key| self.named(key));
        named
            .filter(|data| data.known().is_none_or(|set| !set.shipped()))
            .map(|data| data.name)
            .reduce(|all, name| all + " and " + &name)
    }

    /// The columns of the main table, if they are known.
    fn columns(self) -> Option<Vec<ColumnFacts>> {
        let main = self.main()?;
        self.data.with(|all| match all.first() {
            Some((first, Stage::Known(facts))) if *first == main => {
                facts.table().map(|table| table.columns.clone())
            }
            _ => None,
        })
    }

    /// What a field of text can be, as far as that is known.
    pub fn options(self, field: &Field) -> Options {
        match (self.columns(), self.task()) {
            (Some(columns), Some(task)) => {
                self.raw.with(|raw| own_data::options(&columns, task.fields(), raw, field))
            }
            _ => Options::default(),
        }
    }

    /// The columns of the main table with what they are for, where the task asks for that.
    pub fn column_rows(self) -> Vec<ColumnRow> {
        let known = self.takes_table().and_then(|_| self.columns().zip(self.task()));
        known.map_or(Vec::new(), |(columns, task)| {
            self.raw.with(|raw| own_data::column_rows(&columns, task.fields(), raw))
        })
    }

    /// Makes a column what the field of that key says, or an input.
    pub fn assign(self, name: &str, key: &str) {
        let Some((columns, task)) = self.columns().zip(self.task()) else { return };
        let changes =
            self.raw.with_untracked(|raw| own_data::assign(&columns, task.fields(), raw, name, key));
        self.remember();
        self.change(&changes);
        self.settle();
    }

    /// The newest artefact of that kind that the run has made.
    pub fn made(self, kind: &str) -> Option<DataRef> {
        self.artefacts.with(|made| own_data::newest(made, kind).cloned())
    }

    /// Lets the user save that as a file.
    pub fn save(self, kind: &str) {
        let Some(made) = self.made(kind) else { return };
        let bytes = |pool: &Pool| Some(js_sys::Uint8Array::from(pool.bytes(made.hash?)?));
        if let Some(bytes) = self.pool.get_value().and_then(|pool| pool.look(bytes)) {
            browser::save_as(&bytes, "", &made.file_name());
        }
    }

    /// Takes a file for that field and runs on it as soon as it is read; a saved run is opened instead.
    pub fn load(self, field: &Field, name: &str, contents: Given) {
        if let Some(Ok(saved)) = SavedRun::read(&contents.bytes) {
            self.open_run(name, saved);
            return;
        }
        let (Some(pool), key) = (self.pool.get_value(), field.key) else { return };
        let awaited = self.named(key).filter(|named| {
            named.hash.is_some_and(|hash| pool.look(|pool| pool.file(hash).is_none())) && named.name != name
        });
        // A link names its file by what is in it: another one is not taken for it without a word.
        if let Some(awaited) = awaited.filter(|awaited| awaited.hash != Some(contents.hash))
            && !browser::confirm(&format!("{name} is not the file of this link, {awaited}. Use it instead?"))
        {
            return;
        }
        self.quiet.set_value(false);
        // One file of a set of several belongs to the others: the form names the set.
        if let Some((set, file)) = known::of_several(name) {
            pool.change(|pool, now| pool.load_known(file.hash, contents, now));
            self.remember();
            self.raw.update(|raw| drop(raw.insert(key.to_owned(), set.name.to_owned())));
            self.start(false);
            return;
        }
        self.remember();
        let (before, columns) = (self.named(key), self.columns());
        let mut given = None;
        pool.change(|pool, now| given = Some(pool.load(name, contents, now)));
        let Some(given) = given else { return };
        if self.takes_table() == Some(key) {
            self.table.set_value(Some(given.clone()));
        }
        let notice = self.raw.try_update(|raw| own_data::take(raw, key, &given)).flatten();
        self.notices.set(notice.into_iter().collect());
        // No run is done again for what only its live companion takes.
        if field.is_artefact() {
            self.follow();
            browser::replace_hash(&self.link());
            self.settle();
            return;
        }
        // What a link says of the file that it names holds for that file.
        let another = before.is_some_and(|before| {
            before.content() != given.content() && !(before.content().is_none() && before.name == given.name)
        });
        if another && self.main() == Some(key) {
            let columns = columns.map(|columns| columns.into_iter().map(|column| column.name).collect());
            self.unfitted.set_value(Some(Unfitted { columns }));
            self.refresh();
        } else {
            self.start(false);
        }
    }

    /// Once another main table is read: what it has no columns for goes back to the default, and the run starts.
    pub(super) fn fit_to_table(self) {
        let Some(before) = self.unfitted.get_value() else { return };
        let stage = self.main().and_then(|main| {
            self.data.with_untracked(|all| all.iter().find(|of| of.0 == main).map(|of| of.1.clone()))
        });
        match stage {
            Some(Stage::Known(facts)) => {
                self.unfitted.set_value(None);
                let notice = self.task().zip(facts.table()).and_then(|(task, table)| {
                    self.raw.try_update(|raw| {
                        own_data::fit(task.fields(), raw, &table.columns, before.columns.as_deref())
                    })?
                });
                self.notices.update(|notices| notices.extend(notice));
                self.start(false);
            }
            Some(Stage::Rejected(_)) => {
                self.unfitted.set_value(None);
                self.start(false);
            }
            _ => {}
        }
    }

    /// Where another column is to be learnt, a positive value that it does not have goes back to the default.
    pub(super) fn fit_positive(self, edited: &[(String, String)]) {
        let (Some(task), Some(columns)) = (self.task(), self.columns()) else { return };
        let fields = task.fields();
        let of_columns = [Role::Label, Role::Split, Role::Id, Role::Ignored];
        let of_columns = of_columns.into_iter().filter_map(|role| Field::with_role(fields, role));
        if of_columns.into_iter().any(|field| edited.iter().any(|(key, _)| key == field.key)) {
            self.raw.update(|raw| {
                own_data::fit_role(fields, raw, &columns, None, Role::Positive);
            });
        }
    }

    /// The files that the form names in the field of that key and that were not shipped with the page, if all are here.
    pub fn given(self, key: &str) -> Option<Vec<Hash>> {
        let named = self.named(key).filter(|named| named.known().is_none_or(|set| !set.shipped()))?;
        let files: Vec<Hash> = named.hashes().collect();
        (!files.is_empty() && files.iter().all(|file| self.has_file(*file))).then_some(files)
    }

    /// Keeps these files in this browser for the next visit, or keeps them no longer; `done` is told whether they are kept.
    pub fn keep(self, files: Vec<Hash>, wanted: bool, done: impl Fn(bool) + 'static) {
        let Some(pool) = self.pool.get_value() else { return };
        browser::spawn(async move {
            for hash in files {
                if !wanted {
                    kept::forget(hash).await;
                    continue;
                }
                let bytes = |pool: &Pool| Some(js_sys::Uint8Array::from(pool.bytes(hash)?));
                let Some(bytes) = pool.look(bytes) else { return };
                if !kept::keep(hash, &bytes).await {
                    self.notices.set(vec!["This browser has no room for the file.".to_owned()]);
                    return done(false);
                }
            }
            done(wanted);
        });
    }

    /// Files that the form names and nobody has given: those kept in this browser, and of a data set that presets are for those
    /// that its host has put beside the page.
    pub(super) fn fetch_files(self) {
        let (Some(task), Some(pool)) = (self.task(), self.pool.get_value()) else { return };
        let lacking = |hash: &Hash| pool.look(|pool| pool.file(*hash).is_none());
        let named = own_data::keys(task.fields()).filter_map(|key| self.named(key)?.hash);
        for hash in named.filter(lacking) {
            let pool = pool.clone();
            browser::spawn(async move {
                if let Some(file) = kept::file(hash).await {
                    pool.change(|pool, now| pool.load_known(hash, file, now));
                }
            });
        }
        let Some(key) = self.main() else { return };
        let Some(set) = self.named(key).and_then(|named| named.known()) else { return };
        for file in set.files.iter().filter(|file| lacking(&file.hash)) {
            let pool = pool.clone();
            browser::spawn(async move {
                let found = match kept::file(file.hash).await {
                    Some(found) => Some(found),
                    None => beside(file).await,
                };
                if let Some(found) = found {
                    pool.change(|pool, now| pool.load_known(file.hash, found, now));
                    // The name of a file that was chosen before it would be wrong.
                    if let Some(input) = browser::input(&form::id(key)) {
                        input.set_value("");
                    }
                }
            });
        }
    }

    /// The files of the known set that the form names in the field of that key and that are not here.
    pub fn lacking(self, key: &str) -> Option<(&'static KnownSet, Vec<&'static KnownFile>)> {
        let set = self.named(key)?.known().filter(|set| !set.shipped())?;
        Some((set, set.files.iter().filter(|file| !self.has_file(file.hash)).collect()))
    }

    /// Fetches these files from their public addresses, one after the other. What comes is checked, and kept in this browser.
    /// `said` follows it in words; it goes on for as long as `on` says so.
    pub fn download(self, files: Vec<&'static KnownFile>, on: RwSignal<bool>, said: RwSignal<String>) {
        let Some(pool) = self.pool.get_value() else { return };
        on.set(true);
        browser::spawn(async move {
            for file in files {
                let name = file.name();
                let go_on = |bytes| {
                    if on.get_untracked() {
                        said.set(format!("{name}: {} of {}", size(bytes), size(file.download)));
                    }
                    on.get_untracked()
                };
                go_on(0);
                let refused = match browser::download(file.address, &go_on).await {
                    Ok(None) => return said.set(String::new()),
                    Ok(Some(given)) if file.is(&given.bytes) => {
                        // Where there is no room for it, it is here until the page is closed.
                        kept::keep(file.hash, &js_sys::Uint8Array::from(given.bytes.as_slice())).await;
                        pool.change(|pool, now| pool.load_known(file.hash, given, now));
                        continue;
                    }
                    Ok(Some(given)) => {
                        let (bytes, hash) = (given.bytes.len(), given.hash);
                        format!("the file has changed there ({bytes} bytes, hash {hash}) and is not used")
                    }
                    Err(why) => why,
                };
                on.set(false);
                said.set(format!(
                    "{name} from {}: {refused}. Try again, or choose your own copy.",
                    file.host()
                ));
                return;
            }
            on.set(false);
            said.set(String::new());
        });
    }
}

/// A size in bytes, in words.
pub fn size(bytes: usize) -> String {
    let kilo = (bytes + 500) / 1000;
    if kilo < 1000 { format!("{kilo} kB") } else { format!("{}.{} MB", kilo / 1000, kilo % 1000 / 100) }
}

/// The file of a known set that the page's host has put beside the page.
async fn beside(file: &KnownFile) -> Option<Given> {
    for path in file.paths {
        let found = browser::fetch_bytes(&format!("./data/{path}?v={}", browser::build())).await;
        if found.is_some() {
            return found;
        }
    }
    None
}
