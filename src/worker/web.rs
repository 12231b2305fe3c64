//! Runs a [`Host`] in a web worker: real messages and the real clock.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{DedicatedWorkerGlobalScope, MessageChannel, MessageEvent, MessagePort};

use super::Host;
use crate::lab::Catalog;
use crate::protocol::{Command, Event, decode, encode};

/// Returns the scope of the worker that this is; `None` in the page's own thread.
pub fn scope() -> Option<DedicatedWorkerGlobalScope> {
    js_sys::global().dyn_into().ok()
}

/// Answers commands for as long as the worker lives.
///
/// # Panics
/// On a message that is not a command: page and worker are then of different builds.
pub fn serve(scope: &DedicatedWorkerGlobalScope, catalog: Catalog) {
    let panic_scope = scope.clone();
    std::panic::set_hook(Box::new(move |info| post(&panic_scope, &Event::Trapped(info.to_string()))));

    let host = Rc::new(RefCell::new(Host::new(catalog)));
    let ticker = Rc::new(Ticker::new());

    let (slice_host, slice_scope, again) = (host.clone(), scope.clone(), ticker.clone());
    ticker.on_tick(move || {
        let performance = slice_scope.performance();
        let now = || performance.as_ref().map_or(0.0, web_sys::Performance::now);
        let mut host = slice_host.borrow_mut();
        host.turn(now).iter().for_each(|event| post(&slice_scope, event));
        if host.is_busy() {
            again.tick();
        }
    });

    let mail_scope = scope.clone();
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
        let bytes = Uint8Array::new(&message.data()).to_vec();
        let command = decode::<Command>(&bytes)
            .unwrap_or_else(|why| panic!("a message of the page cannot be read: {why}"));
        let mut host = host.borrow_mut();
        host.handle(command).iter().for_each(|event| post(&mail_scope, event));
        if host.is_busy() {
            ticker.tick();
        }
    });
    scope.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
    post(scope, &Host::ready());
}

/// Sends an event; its bytes are transferred, not copied.
fn post(scope: &DedicatedWorkerGlobalScope, event: &Event) {
    let bytes = Uint8Array::from(encode(event).as_slice());
    let buffer = bytes.buffer();
    // Fails only after the page has closed.
    let _ = scope.post_message_with_transfer(&buffer, &Array::of1(&buffer));
}

/// Calls a function after the mailbox had its turn, by a message to itself. That takes microseconds; `setTimeout` is delayed to
/// 4 ms.
struct Ticker {
    near: MessagePort,
    far: MessagePort,
    /// True while a tick is under way.
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
            // An open port accepts every number.
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
