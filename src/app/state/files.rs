//! What a person can do with data sets: give them, take those that come with the page, and choose among their columns.

use leptos::prelude::*;

use super::Lab;
use crate::app::browser;
use crate::app::own_data;
use crate::app::pool::Stage;
use crate::data::DataRef;

impl Lab {
    /// Key of the field of the main data set, if the task takes one.
    pub fn main(&self) -> Option<&'static str> {
        own_data::keys(self.task()?.fields()).next()
    }

    /// The data set that the form names in the field of that key.
    pub fn named(&self, key: &str) -> Option<DataRef> {
        self.raw.with(|raw| own_data::named(raw, key))
    }

    /// Names of all data sets that the form names, if it names one.
    pub fn files(&self) -> Option<String> {
        let named = own_data::keys(self.task()?.fields()).filter_map(|key| self.named(key));
        named.map(|data| data.name).reduce(|all, name| all + " and " + &name)
    }

    /// What a field of text can be, if that is known.
    pub fn options(&self, key: &str) -> Vec<String> {
        let main = self.main();
        self.data.with(|all| match all.first() {
            Some((first, Stage::Known(facts))) if Some(*first) == main => facts
                .table()
                .map_or(Vec::new(), |facts| self.raw.with(|raw| own_data::options(facts, raw, key))),
            _ => Vec::new(),
        })
    }

    /// Takes a file for the field of that key and runs on it as soon as it is read.
    pub fn load(&self, key: &str, name: &str, bytes: Vec<u8>) {
        let (Some(pool), Some(task)) = (self.pool.get_value(), self.task()) else { return };
        self.quiet.set_value(false);
        let mut given = None;
        pool.change(|pool, now| given = Some(pool.load(name, bytes, now)));
        let notice = given.and_then(|given| {
            self.raw.try_update(|raw| own_data::take(task.fields(), raw, key, &given)).flatten()
        });
        self.notices.set(notice.into_iter().collect());
        self.start(false);
    }

    /// A data set that presets are for is taken from beside the page, where its host has put it there.
    pub(super) fn fetch_known(&self) {
        let Some(key) = self.main() else { return };
        let Some(set) = self.named(key).and_then(|named| named.known()) else { return };
        let Some(pool) = self.pool.get_value() else { return };
        for file in set.files {
            if pool.look(|pool| pool.file(file.hash).is_some()) {
                continue;
            }
            let pool = pool.clone();
            browser::spawn(async move {
                for path in file.paths {
                    let found = browser::fetch_bytes(&format!("./data/{path}?v={}", browser::build())).await;
                    if let Some(bytes) = found {
                        pool.change(|pool, now| pool.load_known(file.hash, bytes, now));
                        return;
                    }
                }
            });
        }
    }
}
