//! Pointer and touch in a figure: reading values, turning a figure in space, and editing.

use leptos::ev::PointerEvent;
use leptos::prelude::*;

use super::model::{FigureModel, Grip};
use crate::app::editing::{Editing, Released};
use crate::app::page::browser;
use crate::app::page::state::set_if_new;

/// Events of a figure; `touchstart` only to prevent scrolling.
const EVENTS: [&str; 6] =
    ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "touchstart"];
/// Rotation of a figure in space by one pixel, in radians.
const TURN: f64 = 0.01;

/// Listens to the pointer for as long as the figure is mounted.
pub fn listen(model: FigureModel) {
    // Position of the pointer that turns a figure in space.
    let turning = StoredValue::new(None::<(f64, f64)>);
    Effect::new(move || {
        if let Some(holder) = model.holder.get() {
            browser::listen(&holder, &EVENTS, move |ev| handle(model, turning, ev));
        }
    });
}

fn handle(model: FigureModel, turning: StoredValue<Option<(f64, f64)>>, ev: &PointerEvent) {
    let FigureModel { reading, turn, editor, grip, .. } = model;
    // An element that was removed still gets `pointerleave`.
    let Some(holder) = model.holder.try_get_untracked().flatten() else { return };
    let bounds = holder.get_bounding_client_rect();
    let at = (f64::from(ev.client_x()) - bounds.left(), f64::from(ev.client_y()) - bounds.top());
    match (ev.type_().as_str(), turning.get_value()) {
        ("pointerdown", _) => {
            reading.set(model.datum_at(at));
            if ev.button() != 0 {
                return;
            }
            let turns = model.in_space();
            if turns {
                turning.set_value(Some(at));
            }
            let edits = editor.edit(|editing, scene| editing.down(scene, at)) == Some(true);
            let grasps = editor.edit(|editing, scene| editing.grasps(scene, at)) == Some(true);
            if turns || edits {
                // The gesture continues when the pointer leaves the figure.
                let _ = holder.set_pointer_capture(ev.pointer_id());
            }
            set_if_new(grip, if edits && grasps { Grip::Held } else { Grip::None });
            if edits {
                editor.put(editor.edit(|editing, scene| editing.moved(scene, at)).flatten(), false);
            }
        }
        ("pointermove", Some(from)) => {
            turning.set_value(Some(at));
            reading.set(None);
            turn.update(|turn| *turn = turn.by((from.0 - at.0) * TURN, (at.1 - from.1) * TURN));
        }
        ("pointermove", None) => moved(model, at),
        ("pointerup", Some(_)) => turning.set_value(None),
        ("pointerup", None) => released(model),
        // A finger on a point drags it; elsewhere it scrolls the page, which ends with `pointercancel`.
        ("touchstart", _) => {
            if editor.edit(|editing, _| editing.holds()) == Some(true) {
                ev.prevent_default();
            }
        }
        _ => {
            turning.set_value(None);
            editor.edit(|editing, _| editing.cancel());
            set_if_new(grip, Grip::None);
            reading.set(None);
        }
    }
}

/// Moves what the pointer holds; otherwise reads the datum under it.
fn moved(model: FigureModel, at: (f64, f64)) {
    let FigureModel { reading, editor, grip, .. } = model;
    editor.put(editor.edit(|editing, scene| editing.moved(scene, at)).flatten(), false);
    // A value beside the pointer would cover the point or the stroke.
    if editor.edit(|editing, _| editing.holds()) == Some(true) {
        return reading.set(None);
    }
    let grasps = editor.edit(|editing, scene| {
        editing.forget();
        editing.grasps(scene, at)
    });
    set_if_new(grip, if grasps == Some(true) { Grip::Over } else { Grip::None });
    reading.set(model.datum_at(at));
}

/// Ends a click, a drag or a stroke.
fn released(model: FigureModel) {
    let released = model.editor.edit(Editing::up);
    set_if_new(model.grip, Grip::None);
    match released {
        Some(Released::Clicked(edit)) => drop(model.editor.put(edit, true)),
        Some(Released::Settled) => model.app.settle(),
        None => {}
    }
}
