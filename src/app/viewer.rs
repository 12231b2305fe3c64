//! Makes figures of results, by the solvers' program in this thread: the page itself knows no model.

use js_sys::{Function, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;

use super::browser;
use super::pool::RunState;
use crate::lab::{Channel, Shown};
use crate::protocol::{VERSION, decode, encode};

/// The program, once it is there, and what it answered last on each channel.
#[derive(Default)]
pub struct Viewer {
    show: Option<Function>,
    last: [Option<Answer>; 2],
}

/// The answer for one state of a run.
struct Answer {
    asked: f64,
    revision: u64,
    shown: Shown,
}

impl Viewer {
    /// Fetches the program; `start.js` knows how, for only a script can. The workers load the same files.
    ///
    /// # Errors
    /// If it cannot be had. The workers then say so, too.
    pub async fn fetch() -> Result<Function, JsValue> {
        let fetch: Function = Reflect::get(&js_sys::global(), &"meanfieldViewer".into())?.dyn_into()?;
        let promise: Promise = fetch.call1(&JsValue::NULL, &VERSION.into())?.dyn_into()?;
        let module = js_sys::futures::JsFuture::from(promise).await?;
        Reflect::get(&module, &"show".into())?.dyn_into()
    }

    /// From now on there are figures.
    pub fn ready(&mut self, show: Function) {
        self.show = Some(show);
    }

    /// What is to be seen of a run; `None` before there is anything, or anyone to show it.
    ///
    /// # Errors
    /// If the snapshots cannot be read.
    pub fn show(&mut self, channel: Channel, run: &RunState) -> Option<Result<Shown, String>> {
        let place = &mut self.last[channel as usize];
        let known = place.as_ref().filter(|last| last.revision == run.revision && last.asked == run.asked);
        if let Some(known) = known {
            return Some(Ok(known.shown.clone()));
        }
        let (show, question) = (self.show.as_ref()?, run.show()?);
        let bytes = Uint8Array::from(encode(&question).as_slice());
        let answer: Result<Shown, String> = show
            .call1(&JsValue::NULL, &bytes)
            .map_err(|why| format!("the result cannot be shown: {}", browser::said(&why)))
            .and_then(|answer| decode(&Uint8Array::new(&answer).to_vec())?);
        if let Ok(shown) = &answer {
            *place = Some(Answer { asked: run.asked, revision: run.revision, shown: shown.clone() });
        }
        Some(answer)
    }
}
