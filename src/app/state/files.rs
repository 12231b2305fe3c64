//! What a person can do with data sets: give them, take those that come with the page, and choose among their columns.

use leptos::prelude::*;

use super::Lab;
use crate::app::browser;
use crate::app::form;
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
            Some((first, Stage::Known(facts))) if Some(*first) == main => {
                self.raw.with(|raw| own_data::options(facts, raw, key))
            }
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
        let (Some(task), Some(key)) = (self.task(), self.main()) else { return };
        let Some(named) = self.named(key) else { return };
        let here = self
            .pool
            .get_value()
            .zip(named.hash)
            .is_some_and(|(pool, hash)| pool.look(|pool| pool.file(hash).is_some()));
        if here || !own_data::known(task.meta().presets, &named.name) {
            return;
        }
        let lab = *self;
        browser::spawn(async move {
            let text = browser::fetch_text(&format!("./data/{}?v={}", named.name, browser::build())).await;
            // Another may have been chosen meanwhile.
            if let Some(text) = text.filter(|_| lab.named(key).as_ref() == Some(&named)) {
                lab.load(key, &named.name, text.into_bytes());
                if let Some(input) = browser::input(&form::id(key)) {
                    input.set_value("");
                }
            }
        });
    }
}
