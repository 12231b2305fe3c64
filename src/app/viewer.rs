//! Asks the solvers' program, in this thread, what there is to run and what to see of a result: the page itself knows no model.

use std::cell::OnceCell;

use js_sys::{Function, Promise, Reflect, Uint8Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::browser;
use super::pool::RunState;
use crate::data::Facts;
use crate::lab::{Catalog, Channel, Entry, Field, Listing, Meta, Problem, Raw, Shown, Task, Values};
use crate::protocol::{Question, VERSION, decode, encode};

thread_local! {
    /// What answers, once it is there.
    static ANSWER: OnceCell<Function> = const { OnceCell::new() };
}

/// Fetches the program; `start.js` knows how, for only a script can. The workers load the same files.
///
/// # Errors
/// If it cannot be had, or is of another build.
pub async fn catalog() -> Result<Catalog, JsValue> {
    let promise: Promise = script("meanfieldViewer")?.call0(&JsValue::NULL)?.dyn_into()?;
    let module = js_sys::futures::JsFuture::from(promise).await?;
    let answer: Function = Reflect::get(&module, &"answer".into())?.dyn_into()?;
    ANSWER.with(|place| drop(place.set(answer)));
    // What the catalog says is kept for as long as the page is open.
    let listing: Listing = read(ask(&Question::Catalog)?.leak())?;
    let tasks = listing.tasks.leak().iter().map(|Entry { meta, fields }| {
        let remote: &'static Remote = Box::leak(Box::new(Remote { meta, fields }));
        remote as &dyn Task
    });
    let catalog = Catalog { tasks: tasks.collect(), models: listing.models };
    // Now that it is known to run, it is kept for visits without a network, with the notes of all pages.
    let mut pages = String::new();
    for meta in catalog.tasks.iter().map(|task| task.meta()).filter(|meta| meta.tab.is_some()) {
        pages.push_str(meta.id);
        pages.push(' ');
    }
    script("meanfieldOffline")?.call2(&JsValue::NULL, &VERSION.into(), &pages.trim_end().into())?;
    Ok(catalog)
}

/// A function of `start.js`.
fn script(name: &str) -> Result<Function, JsValue> {
    Reflect::get(&js_sys::global(), &name.into())?.dyn_into()
}

fn ask(question: &Question) -> Result<Vec<u8>, String> {
    let bytes = Uint8Array::from(encode(question).as_slice());
    let answer = ANSWER.with(|place| place.get().map(|answer| answer.call1(&JsValue::NULL, &bytes)));
    match answer {
        Some(Ok(answer)) => Ok(Uint8Array::new(&answer).to_vec()),
        Some(Err(why)) => Err(browser::said(&why)),
        None => Err("the program is not there".to_owned()),
    }
}

fn read<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Result<T, String> {
    decode::<Result<T, String>>(answer)?
}

/// A task that the solvers' program answers for.
struct Remote {
    meta: &'static Meta,
    fields: &'static [Field],
}

impl Task for Remote {
    fn meta(&self) -> &'static Meta {
        self.meta
    }

    fn fields(&self) -> &'static [Field] {
        self.fields
    }

    fn check(&self, raw: &Raw) -> Result<Values, Vec<Problem>> {
        let question = Question::Check { task: self.meta.id.to_owned(), spec: raw.clone() };
        // Only a program that has broken down does not answer; its runs say so.
        ask(&question).and_then(|answer| read(&answer)).unwrap_or(Err(Vec::new()))
    }

    fn units(&self, values: &Values, facts: Option<&Facts>) -> usize {
        let (task, values) = (self.meta.id.to_owned(), values.clone());
        let question = Question::Units { task, values, facts: facts.cloned() };
        ask(&question).and_then(|answer| read(&answer)).unwrap_or(0)
    }
}

/// What was answered last on each channel.
#[derive(Default)]
pub struct Viewer([Option<Answer>; 2]);

/// The answer for one state of a run.
struct Answer {
    asked: f64,
    revision: u64,
    shown: Shown,
}

impl Viewer {
    /// What is to be seen of a run; `None` before there is anything.
    ///
    /// # Errors
    /// If the snapshots cannot be read.
    pub fn show(&mut self, channel: Channel, run: &RunState) -> Option<Result<Shown, String>> {
        let place = &mut self.0[channel as usize];
        let known = place.as_ref().filter(|last| last.revision == run.revision && last.asked == run.asked);
        if let Some(known) = known {
            return Some(Ok(known.shown.clone()));
        }
        let answer = ask(&Question::Show(run.show()?)).and_then(|answer| read::<Shown>(&answer));
        if let Ok(shown) = &answer {
            *place = Some(Answer { asked: run.asked, revision: run.revision, shown: shown.clone() });
        }
        Some(answer.map_err(|why| format!("the result cannot be shown: {why}")))
    }
}
