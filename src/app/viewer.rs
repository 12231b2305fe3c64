//! Asks the solvers' programs, in this thread, what there is to run and what to see of a result: the page itself knows no
//! model. Each model has a program of its own, fetched when the model is first looked at.

use std::cell::RefCell;

use js_sys::{Function, Promise, Reflect, Uint8Array};
use serde::Deserialize;
use wasm_bindgen::prelude::*;

use super::browser;
use super::pool::RunState;
use crate::data::Facts;
use crate::figure::Records;
use crate::lab::{
    Catalog, Entry, Field, InputError, Listing, Meta, Plan, Queue, Raw, Shown, Task, Values, model_of,
};
use crate::protocol::{Question, decode, encode};

thread_local! {
    /// What answers for each model whose program is there.
    static ANSWERS: RefCell<Vec<(String, Function)>> = const { RefCell::new(Vec::new()) };
}

/// The model of which `start.js` fetches the program as soon as it can.
///
/// # Errors
/// If that script is of another build.
pub fn first() -> Result<String, JsValue> {
    let model = script("meanfieldFirst")?.call0(&JsValue::NULL)?;
    model.as_string().ok_or(model)
}

/// Fetches the program of a model, and says what there is to run with it; `start.js` knows how, for only a script can. The
/// workers load the same files.
///
/// # Errors
/// If it cannot be had, or is of another build.
pub async fn load(model: &str) -> Result<Catalog, JsValue> {
    let promise: Promise = script("meanfieldViewer")?.call1(&JsValue::NULL, &model.into())?.dyn_into()?;
    let module = js_sys::futures::JsFuture::from(promise).await?;
    let answer: Function = Reflect::get(&module, &"answer".into())?.dyn_into()?;
    let first = ANSWERS.with_borrow_mut(|answers| {
        answers.push((model.to_owned(), answer));
        answers.len() == 1
    });
    // What the catalog says is kept for as long as the page is open.
    let listing: Listing = read(ask(model, &Question::Catalog)?.leak())?;
    let tasks = listing.tasks.leak().iter().map(|Entry { meta, fields }| {
        let remote: &'static Remote = Box::leak(Box::new(Remote { meta, fields }));
        remote as &dyn Task
    });
    // Now that the page is known to run, all of it is kept for visits without a network.
    if first {
        script("meanfieldOffline")?.call1(&JsValue::NULL, &module)?;
    }
    Ok(Catalog { tasks: tasks.collect(), models: listing.models })
}

/// A function of `start.js`.
fn script(name: &str) -> Result<Function, JsValue> {
    Reflect::get(&js_sys::global(), &name.into())?.dyn_into()
}

fn ask(task: &str, question: &Question) -> Result<Vec<u8>, String> {
    let bytes = Uint8Array::from(encode(question).as_slice());
    let answer = ANSWERS.with_borrow(|answers| {
        let (_, answer) = answers.iter().find(|(model, _)| model == model_of(task))?;
        Some(answer.call1(&JsValue::NULL, &bytes))
    });
    match answer {
        Some(Ok(answer)) => Ok(Uint8Array::new(&answer).to_vec()),
        Some(Err(why)) => {
            let why = browser::said(&why);
            browser::crashed(&why);
            Err(why)
        }
        None => Err("the program is not there".to_owned()),
    }
}

fn read<'a, T: Deserialize<'a>>(answer: &'a [u8]) -> Result<T, String> {
    decode::<Result<T, String>>(answer)?
}

/// A task that its model's program answers for.
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

    fn check(&self, raw: &Raw) -> Result<Values, Vec<InputError>> {
        let question = Question::Check { task: self.meta.id.to_owned(), spec: raw.clone() };
        ask(self.meta.id, &question).and_then(|answer| read(&answer)).unwrap_or_else(|why| {
            let why = format!("the program of this model has stopped ({why}); reload the page");
            Err(vec![InputError::new("", "").because(why)])
        })
    }

    fn plan(&self, values: &Values, facts: Option<&Facts>) -> Result<Plan, String> {
        let (task, values) = (self.meta.id.to_owned(), values.clone());
        let question = Question::Plan { task, values, facts: facts.cloned() };
        read(&ask(self.meta.id, &question)?)
    }
}

/// What was answered last on each queue.
#[derive(Default)]
pub struct Viewer([Option<Answer>; 2]);

/// The answer for one state of a run.
struct Answer {
    run: u64,
    revision: u64,
    values: Values,
    task: &'static str,
    shown: Shown,
}

impl Viewer {
    /// What is to be seen of a run by the settings `values`, which may be others than its own where only figures follow them; `None`
    /// before there is anything. What follows controls keeps its last picture until then.
    ///
    /// # Errors
    /// If the snapshots cannot be read.
    pub fn show(&mut self, queue: Queue, run: &RunState, values: &Values) -> Option<Result<Shown, String>> {
        let place = &mut self.0[queue as usize];
        let task = run.task.meta().id;
        let known = place.as_ref().filter(|last| last.run == run.number);
        if let Some(known) = known.filter(|last| last.revision == run.revision && last.values == *values) {
            return Some(Ok(known.shown.clone()));
        }
        let Some(show) = run.show(values, known.map_or(0, |last| last.revision)) else {
            let before = place.as_ref().filter(|last| queue == Queue::Live && last.task == task)?;
            return Some(Ok(before.shown.clone()));
        };
        let answer = ask(task, &Question::Show(show)).and_then(|answer| read::<Shown>(&answer));
        *place = answer.clone().ok().map(|shown| Answer {
            run: run.number,
            revision: run.revision,
            values: values.clone(),
            task,
            shown,
        });
        Some(answer.map_err(|why| format!("the result cannot be shown: {why}")))
    }

    /// What the run that is shown says of every row, as a file.
    pub fn records(&self, queue: Queue) -> Option<Records> {
        let Answer { run, task, .. } = self.0[queue as usize].as_ref()?;
        ask(task, &Question::Records { run: *run }).and_then(|answer| read(&answer)).ok().flatten()
    }
}
