//! Goes to a task, and fetches its model's program where it is not there yet.

use leptos::prelude::*;

use super::{Lab, notice};
use crate::app::pool::web::WebPool;
use crate::app::view::RunView;
use crate::app::viewer;
use crate::app::{browser, own_data};
use crate::lab::{Link, ModelInfo, Queue, model_of};

impl Lab {
    /// Goes to the task and specification of a link; what is not valid is mended and said. Where a ready-made
    /// `picture` of it is shown, that one stays until the run is finished.
    pub fn open(self, hash: &str, picture: bool) {
        let mut link = Link::parse(hash);
        let made = link.take_revision();
        let catalog = self.catalog.get_untracked();
        // A page without a program lies over the one before.
        if !browser::matches(":root[data-page=model]") {
            self.end_runs();
            browser::mark("data-state", "done");
            return;
        }
        let model = catalog.model(model_of(&link.task));
        if let Some(model) = model.filter(|model| catalog.pages(model.id).next().is_none()) {
            self.fetch_program(model, hash.to_owned());
            return;
        }
        link.task = catalog.route(&link);
        let known = catalog.page(&link.task).is_some();
        self.end_runs();
        // In view, before anything in it is measured.
        browser::mark("data-state", "idle");
        self.figures.set(Vec::new());
        self.run.set(RunView::idle());
        self.page.set(link.task);
        let pair = self.task().is_some_and(|task| task.meta().pair);
        browser::mark("data-layout", if pair { "pair" } else { "" });
        // The table given on another page is for this one as well, where its link names none.
        if let Some((key, table)) = self.takes_table().zip(self.table.get_value())
            && own_data::named(&link.raw, key).is_none()
        {
            link.raw.insert(key.to_owned(), table.to_string());
        }
        let (raw, changed) = self.mended(&link.raw);
        let older = made.and_then(|made| model?.since(made));
        self.notices.set(older.into_iter().chain(changed.iter().map(notice)).collect());
        self.displaced.set_value(Vec::new());
        self.unfitted.set_value(None);
        self.artefacts.set(Vec::new());
        self.raw.set(raw);
        self.quiet.set_value(picture);
        self.last_elapsed.set_value(0.0);
        self.active_preset.set(None);
        if known {
            self.find_preset();
            self.pool_or_start(model.map_or("", |model| model.id));
            self.follow();
            self.start(false);
            self.fetch_files();
        }
    }

    /// Ends the run and its live companion.
    fn end_runs(self) {
        self.pool(|pool, now| {
            pool.stop(Queue::Run, now);
            pool.stop(Queue::Live, now);
        });
    }

    /// Workers of that model.
    fn pool_or_start(self, model: &str) {
        if self.pool.with_value(Option::is_none) {
            let pool = WebPool::new(move || self.refresh());
            self.pool.set_value(Some(pool));
        }
        self.pool(|pool, now| pool.serve(model, now));
    }

    /// Has the model's program fetched and then opens the link; until then its ready-made picture is shown.
    fn fetch_program(self, model: &'static ModelInfo, hash: String) {
        self.end_runs();
        self.loading.set_value(true);
        browser::mark("data-state", "loading");
        self.notices.set(vec![format!("Loading “{}” …", model.name)]);
        browser::spawn(async move {
            let loaded = viewer::load(model.id).await;
            self.loading.set_value(false);
            // Another page may have been asked for meanwhile.
            let wanted = browser::hash() == hash;
            match loaded {
                Ok(more) => {
                    let known = self.catalog.get_untracked();
                    self.catalog.set(Box::leak(Box::new(known.with(more))));
                    if wanted {
                        // Its picture is there by now.
                        browser::dispatch("program");
                    }
                }
                Err(_) if wanted => {
                    // The page before is still the one that is shown.
                    browser::replace_hash(&self.link());
                    browser::dispatch("address");
                    self.refresh();
                    self.notices.set(vec![format!("“{}” could not be loaded: try again.", model.name)]);
                }
                Err(_) => {}
            }
        });
    }
}
