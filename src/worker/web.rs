//! The host in a web worker: the mailbox, the clock, and a loop that lets the mailbox be read between slices.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
pub use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use super::{Host, Queries};
use crate::models::Tasks;
use crate::protocol::{Command, Event, Question, VERSION, decode, encode};

thread_local! {
    /// Answers about what this program can run.
    static QUERIES: RefCell<Queries> = RefCell::new(Queries::new(&[]));
}

/// Answers a [`Question`] given as bytes, see [`Queries::answer`]. The page calls this in its own thread.
#[wasm_bindgen]
pub fn answer(question: &[u8]) -> Vec<u8> {
    match decode::<Question>(question) {
        Ok(question) => QUERIES.with_borrow_mut(|queries| queries.answer(&question)),
        Err(why) => encode(&Err::<(), _>(why)),
    }
}

/// Lets a program look at a file, or its first bytes, for the front page ([`super::look()`]): words for what models take, a vertical
/// bar, and a sentence for the person.
#[macro_export]
macro_rules! export_look {
    () => {
        use $crate::worker::web::wasm_bindgen;

        /// See [`meanfield::worker::look()`].
        #[wasm_bindgen]
        pub fn look(bytes: &[u8], whole: bool) -> String {
            $crate::worker::look(bytes, whole).to_string()
        }
    };
}

/// The build that this program is of.
#[wasm_bindgen]
pub fn version() -> String {
    VERSION.to_owned()
}

/// The main function of a model's program: answers commands for as long as the worker lives. In the page's own thread no commands
/// arrive: the page only calls [`answer`].
///
/// # Panics
/// On a message that is no command: then page and worker are of different builds.
pub fn serve(tasks: Tasks) {
    QUERIES.set(Queries::new(tasks));
    let Ok(scope) = js_sys::global().dyn_into::<DedicatedWorkerGlobalScope>() else {
        std::panic::set_hook(Box::new(|info| {
            let root = web_sys::window().and_then(|w| w.document()).and_then(|d| d.document_element());
            // Where the page finds it.
            let _ = root.map(|root| root.set_attribute("data-crash", &info.to_string()));
        }));
        return;
    };
    let last_words = scope.clone();
    std::panic::set_hook(Box::new(move |info| post(&last_words, &Event::Trapped(info.to_string()))));

    let host = Rc::new(RefCell::new(Host::new(tasks)));
    let ticker = Rc::new(Ticker::new());

    let (slice_host, slice_scope, again) = (host.clone(), scope.clone(), ticker.clone());
    ticker.on_tick(move || {
        let performance = slice_scope.performance();
        let now = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        let mut host = slice_host.borrow_mut();
        host.slice(now).iter().for_each(|event| post(&slice_scope, event));
        if host.busy() {
            again.tick();
        }
    });

    let (mail_scope, mail_host) = (scope.clone(), host);
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        let bytes = Uint8Array::new(&message.data()).to_vec();
        match decode::<Command>(&bytes) {
            Ok(command) => {
                let mut host = mail_host.borrow_mut();
                host.handle(command).iter().for_each(|event| post(&mail_scope, event));
                if host.busy() {
                    ticker.tick();
                }
            }
            Err(why) => panic!("the page said something unreadable: {why}"),
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(&scope, &Host::ready());
}

/// Sends an event, its bytes transferred rather than copied.
fn post(scope: &DedicatedWorkerGlobalScope, event: &Event) {
    let bytes = Uint8Array::from(encode(event).as_slice());
    let buffer = bytes.buffer();
    // The page can only be gone, and then nobody is left to tell.
    let _ = scope.post_message_with_transfer(&buffer, &Array::of1(&buffer));
}

/// Comes back after the mailbox had its turn. A message to oneself does that in microseconds; `setTimeout` is
/// held back to 4 ms.
struct Ticker {
    near: MessagePort,
    far: MessagePort,
    /// A tick is under way: one at a time.
    pending: RefCell<bool>,
}

impl Ticker {
    fn new() -> Self {
        match MessageChannel::new() {
            Ok(queue) => Self { near: queue.port1(), far: queue.port2(), pending: RefCell::new(false) },
            Err(why) => panic!("this browser has no MessageChannel: {why:?}"),
        }
    }

    fn tick(&self) {
        if !self.pending.replace(true) {
            // A port that is open cannot refuse a number.
            let _ = self.near.post_message(&JsValue::from(0));
        }
    }

    fn on_tick(self: &Rc<Self>, mut work: impl FnMut() + 'static) {
        let ticker = self.clone();
        let closure = Closure::<dyn FnMut()>::new(move || {
            ticker.pending.replace(false);
            work();
        });
        self.far.set_onmessage(Some(closure.as_ref().unchecked_ref()));
        closure.forget();
    }
}
