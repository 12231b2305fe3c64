//! Draws a figure on its canvas whenever its content changes.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::super::PRINTED;
use super::super::legend::mark_names;
use super::model::FigureModel;
use super::until_cleanup;
use crate::app::page::browser;
use crate::app::page::state::{AppState, set_if_new};
use crate::app::view::RunState;
use crate::render::Theme;

/// Redraws the figure for as long as it is mounted and shown. While a run goes on or is replayed, and for the first picture, each figure
/// is laid out in a task of its own and drawn in the next, so that a slow phone stays responsive; otherwise immediately, so that a figure
/// follows the pointer.
pub fn keep_drawn(model: FigureModel) {
    let FigureModel { app, drawing, width, canvas, holder, shown, drawn_once, .. } = model;
    Effect::new(move || {
        if let Some(holder) = holder.get() {
            watch_width(app, &holder, width);
        }
    });
    let deferred = Memo::new(move |_| {
        let busy = app.run.state() == RunState::Running || app.replay.playing.get();
        (busy || !drawn_once.get()) && !app.paper.get()
    });
    let scheduled = StoredValue::new(false);
    Effect::new(move || {
        if !shown.get() {
            return;
        }
        if !deferred.get_untracked() {
            scheduled.set_value(false);
            return draw(model);
        }
        app.dark.track();
        app.paper.track();
        canvas.track();
        holder.track();
        width.track();
        if drawing.with(Option::is_some) && !scheduled.get_value() {
            scheduled.set_value(true);
            browser::timeout(0, move || {
                // Computes the layout in this task; `None` if the figure has been removed.
                if model.layout.try_with_untracked(Option::is_some).is_none() {
                    return;
                }
                browser::timeout(0, move || {
                    // The figure may have been removed or drawn in the meantime.
                    if scheduled.try_update_value(std::mem::take) == Some(true) {
                        untrack(|| draw(model));
                    }
                });
            });
        }
    });
}

fn draw(model: FigureModel) {
    let FigureModel { app, drawing, layout, reading, drawn_once, editor, .. } = model;
    let (Some(canvas), Some(holder)) = (model.canvas.get(), model.holder.get()) else { return };
    if model.width.get() == 0.0 {
        return; // Not laid out yet, or hidden.
    }
    let theme = if app.dark.get() { Theme::Dark } else { Theme::Light };
    let pixel_ratio = if app.paper.get() { PRINTED } else { browser::pixel_ratio() };
    let drawn = drawing.with(|drawing| {
        layout.with(|layout| {
            let (drawing, layout) = drawing.as_ref().zip(layout.as_ref())?;
            layout.draw_on_canvas(drawing, &canvas, pixel_ratio, theme, !app.paper.get()).ok()?;
            // On a phone the lower part of a figure stays in view: its plot without the names above it, or half of the window.
            let (names, height) = (layout.geometry.plot.top, layout.geometry.size.1);
            let above = names.max(height - 0.5 * app.window_height.get_untracked());
            Some((above, mark_names(drawing, layout)))
        })
    });
    if let Some((above, names)) = drawn {
        // Set here and not by a memo of the layout, which would then be computed as soon as the drawing changes.
        set_if_new(model.names, names);
        let style = web_sys::HtmlElement::style(&holder);
        let _ = style.set_property("--out-of-view", &format!("{above}px"));
        if !drawn_once.get_untracked() {
            drawn_once.set(true);
        }
    }
    // The values of the datum being edited stay in view, also after a drawing without it.
    let edited = editor.edit(|editing, scene| editing.place(scene)).flatten();
    let now = edited.and_then(|at| model.datum_at(at));
    if now.is_some() && reading.get_untracked().is_some() {
        reading.set(now);
    }
}

/// Keeps `width` equal to the element's content width for as long as the component lives, from the next layout of the page on.
fn watch_width(app: AppState, element: &web_sys::HtmlElement, width: RwSignal<f64>) {
    let observed = element.clone();
    let measure = move || {
        // A phone may have zoomed the page out when the window changed its size, until this layout.
        app.window_height.set(browser::inner_height());
        // The component may have been removed in the meantime.
        let _ = width.try_set(f64::from(observed.client_width()));
    };
    let closure = Closure::<dyn FnMut()>::new(measure.clone());
    if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
        observer.observe(element);
        // An element out of view may be left out of the layout; it is not observed then.
        browser::next_frame(move || {
            browser::timeout(0, move || {
                if width.try_get_untracked() == Some(0.0) {
                    measure();
                }
            });
        });
        until_cleanup((observer, closure), |(observer, _)| observer.disconnect());
    }
}
