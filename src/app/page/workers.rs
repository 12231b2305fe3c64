//! Carries out the actions of the pool with web workers and the clock of the browser; at most one redraw per frame, and fewer while a run goes
//! on.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use super::browser;
use crate::app::pool::{Action, Pool, WorkerId};
use crate::protocol::{Command, decode, encode};

#[wasm_bindgen]
extern "C" {
    /// Address of the script that loads this program.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["import", "meta"], js_name = url)]
    static SCRIPT: JsValue;
}

/// Interval of clock ticks while a worker is starting or stopping, in milliseconds.
const TICK_MS: i32 = 10;

/// Time after which all workers are started, in milliseconds. Until then the first one computes alone: more would delay the first picture.
const ALL_WORKERS_MS: i32 = 1500;
/// The same time on a machine with few cores, where the workers also compete with the page.
const ALL_WORKERS_FEW_CORES_MS: i32 = 4000;
/// Largest number of cores that counts as few.
const FEW_CORES: f64 = 2.0;

/// Interval of redraws while a run goes on and nothing follows the pointer, in milliseconds: the run needs the processor, too.
const RUN_REDRAW_MS: f64 = 100.0;

/// The pool with its workers.
#[derive(Clone)]
pub struct WebPool(Rc<Inner>);

struct Inner {
    pool: RefCell<Pool>,
    workers: RefCell<Vec<WorkerHandle>>,
    /// Called after a change, in an animation frame or a task of its own.
    on_frame: Box<dyn Fn()>,
    frame_requested: Cell<bool>,
    /// Duration of the last redraw, in milliseconds.
    last_frame: Cell<f64>,
    tick_requested: Cell<bool>,
}

/// A worker with its listeners, which live as long as it does.
struct WorkerHandle {
    id: WorkerId,
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

/// Returns the milliseconds since the page was opened.
pub fn now() -> f64 {
    browser::window().and_then(|w| w.performance()).map_or(0.0, |p| p.now())
}

impl WebPool {
    /// Creates a pool and starts its workers; `on_frame` is called after a change, in an animation frame or a task of its own.
    pub fn new(on_frame: impl Fn() + 'static) -> Self {
        let cores = browser::window().map_or(1.0, |w| w.navigator().hardware_concurrency());
        let pool = Self(Rc::new(Inner {
            pool: RefCell::new(Pool::new(cores as usize, now())),
            workers: RefCell::default(),
            on_frame: Box::new(on_frame),
            frame_requested: Cell::new(false),
            last_frame: Cell::new(0.0),
            tick_requested: Cell::new(false),
        }));
        let all = pool.clone();
        let wait = if cores > FEW_CORES { ALL_WORKERS_MS } else { ALL_WORKERS_FEW_CORES_MS };
        browser::timeout(wait, move || all.change(Pool::start_all_workers));
        pool
    }

    /// Reads the pool.
    pub fn look<T>(&self, at: impl FnOnce(&Pool) -> T) -> T {
        at(&self.0.pool.borrow())
    }

    /// Changes the pool and carries out its actions.
    pub fn change(&self, how: impl FnOnce(&mut Pool, f64)) {
        how(&mut self.0.pool.borrow_mut(), now());
        self.0.carry_out();
        self.0.request_frame();
    }
}

impl Inner {
    fn carry_out(self: &Rc<Self>) {
        let actions = self.pool.borrow_mut().take_actions();
        for action in actions {
            match action {
                Action::Spawn(id) => match self.spawn(id) {
                    Ok(handle) => self.workers.borrow_mut().push(handle),
                    Err(why) => {
                        self.later(move |inner| inner.replace_worker(id, &browser::error_message(&why)));
                    }
                },
                Action::Post(id, command) => self.post(id, &command),
                Action::Terminate(id) => {
                    // Its listeners may be running: they are dropped in a later task.
                    let index = self.workers.borrow().iter().position(|handle| handle.id == id);
                    if let Some(index) = index {
                        let handle = self.workers.borrow_mut().swap_remove(index);
                        handle.worker.terminate();
                        handle.worker.set_onmessage(None);
                        handle.worker.set_onerror(None);
                        self.later(move |_| drop(handle));
                    }
                }
            }
        }
        if self.pool.borrow().is_waiting() && !self.tick_requested.replace(true) {
            let inner = Rc::downgrade(self);
            browser::timeout(TICK_MS, move || {
                let Some(inner) = inner.upgrade() else { return };
                inner.tick_requested.set(false);
                inner.pool.borrow_mut().tick(now());
                inner.carry_out();
            });
        }
    }

    fn spawn(self: &Rc<Self>, id: WorkerId) -> Result<WorkerHandle, JsValue> {
        let options = WorkerOptions::new();
        options.set_type(WorkerType::Module);
        // The build in the address prevents a cache from returning the file of another build.
        let address = format!("./worker.js?v={}", browser::build());
        let worker = Worker::new_with_options(&address, &options)?;
        // The program that this page runs: its script, and the module that was compiled once.
        let program = SCRIPT.with(|script| Array::of2(script, &wasm_bindgen::module()));
        worker.post_message(&program)?;
        let inner = Rc::downgrade(self);
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |message: MessageEvent| {
            let bytes = Uint8Array::new(&message.data()).to_vec();
            let Some(inner) = Weak::upgrade(&inner) else { return };
            match decode(&bytes) {
                Ok(event) => inner.pool.borrow_mut().event(id, event, now()),
                Err(why) => inner.pool.borrow_mut().replace_worker(id, &why, now()),
            }
            inner.carry_out();
            inner.request_frame();
        });
        let inner = Rc::downgrade(self);
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            // The error is handled here and must not be reported as uncaught in the console.
            event.prevent_default();
            // A script that cannot be fetched is reported by an event without a message.
            let message = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message).unwrap_or_default();
            let why = if message.is_empty() { "its program could not be loaded".to_owned() } else { message };
            if let Some(inner) = Weak::upgrade(&inner) {
                inner.replace_worker(id, &why);
            }
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(WorkerHandle { id, worker, _on_message: on_message, _on_error: on_error })
    }

    fn replace_worker(self: &Rc<Self>, id: WorkerId, why: &str) {
        self.pool.borrow_mut().replace_worker(id, why, now());
        self.carry_out();
        self.request_frame();
    }

    fn post(&self, id: WorkerId, command: &Command) {
        if let Some(handle) = self.workers.borrow().iter().find(|handle| handle.id == id) {
            let buffer = Uint8Array::from(encode(command).as_slice()).buffer();
            // Posting to a running worker cannot fail; a crashed one is reported by its error event.
            let _ = handle.worker.post_message_with_transfer(&buffer, &Array::of1(&buffer));
        }
    }

    /// Schedules one redraw: for the next frame, or later while a run goes on or redraws are slow. A hidden tab has no frames, and its
    /// workers continue without them.
    fn request_frame(self: &Rc<Self>) {
        if self.frame_requested.replace(true) {
            return;
        }
        let inner = Rc::downgrade(self);
        let draw = move || {
            let Some(inner) = inner.upgrade() else { return };
            inner.frame_requested.set(false);
            let start = now();
            (inner.on_frame)();
            inner.last_frame.set(now() - start);
            inner.pool.borrow_mut().drawn();
            inner.carry_out();
        };
        let hidden = browser::window().and_then(|w| w.document()).is_some_and(|d| d.hidden());
        // Redraws slower than 8 ms are throttled, so that the page stays responsive.
        let cost = self.last_frame.get();
        let pause = if cost > 8.0 { 5.0 * cost } else { 0.0 };
        if hidden {
            browser::timeout(0, draw);
        } else if self.pool.borrow().is_only_running() {
            browser::timeout(pause.max(RUN_REDRAW_MS) as i32, draw);
        } else if pause > 0.0 {
            browser::timeout(pause as i32, move || browser::next_frame(draw));
        } else {
            browser::next_frame(draw);
        }
    }

    fn later(self: &Rc<Self>, work: impl FnOnce(&Rc<Self>) + 'static) {
        let inner = self.clone();
        browser::timeout(0, move || work(&inner));
    }
}
