//! Keys in a figure: editing, reading values one by one, and turning a figure in space.

use leptos::ev::KeyboardEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::model::{FigureModel, Grip};
use crate::app::readout::step;

/// Rotation of a figure in space by one key press, in radians.
const STEP: f64 = 0.1;

/// Handles a key press in the figure.
pub fn handle(model: FigureModel, ev: &KeyboardEvent) {
    let FigureModel { drawing, reading, turn, editor, .. } = model;
    // Keys pressed on a button in the figure are for the button.
    let holder = model.holder.get_untracked();
    if ev.target() != holder.map(|holder| holder.unchecked_ref::<web_sys::EventTarget>().clone()) {
        return;
    }
    // Escape takes back a change that the pointer has not finished.
    if ev.key() == "Escape" && editor.edit(|editing, _| editing.abandon()) == Some(true) {
        consume(ev);
        model.grip.set(Grip::None);
        return model.app.undo();
    }
    let at = reading.get_untracked().map(|reading| reading.at);
    let edit = editor.edit(|editing, scene| editing.key(scene, &ev.key(), ev.shift_key(), at)).flatten();
    if let Some(edit) = edit {
        consume(ev);
        editor.put(edit, true);
        return;
    }
    editor.edit(|editing, _| editing.forget());
    let (across, up) = match ev.key().as_str() {
        "ArrowRight" => (1, 0),
        "ArrowLeft" => (-1, 0),
        "ArrowUp" => (0, 1),
        "ArrowDown" => (0, -1),
        // Escape hides the value without stopping the run.
        "Escape" if reading.get_untracked().is_some() => {
            ev.stop_propagation();
            return reading.set(None);
        }
        _ => return,
    };
    consume(ev);
    if model.in_space() && ev.shift_key() {
        reading.set(None);
        turn.update(|turn| *turn = turn.by(-STEP * across as f64, STEP * up as f64));
        return;
    }
    let before = reading.get_untracked();
    let next = model.geometry().and_then(|geometry| {
        drawing.with_untracked(|drawing| step(drawing.as_ref()?, &geometry, before, across, up))
    });
    reading.set(next.or(before));
}

/// Prevents the default action of a key and its shortcut on the page.
fn consume(ev: &KeyboardEvent) {
    ev.prevent_default();
    ev.stop_propagation();
}
