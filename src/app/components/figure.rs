//! A live figure: a canvas drawn by `render`, values under the pointer or by arrow keys, table and downloads.

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::PRINTED;
use super::boxed::{effect, live, memo, on, part, signal};
use super::caption::Caption;
use super::editor::Editor;
use super::legend::{Legend, Name, names};
use super::tools::{DataTableView, Tools};
use crate::app::browser;
use crate::app::choices::Choices;
use crate::app::editing::{Editing, Released};
use crate::app::layers::{outlived, stale};
use crate::app::reading::{Reading, said, step, under};
use crate::app::sizes;
use crate::app::state::Lab;
use crate::app::view::RunView;

use crate::figure::Scale;
use crate::render::{self, Drawing, Frame, Theme, Turn};

/// What stands around the figure within another page, in CSS pixels; nothing where the figure is alone.
const AROUND: f64 = 290.0;

/// Angle that a figure in space is turned by a pixel, and by a key.
const TURN: f64 = 0.01;
const STEP: f64 = 0.1;
const IN_PLANE: &str = "Values of the figure: left and right arrows for values, up and down for curves";
const IN_SPACE: &str = "Values of the figure: left and right arrows for values, up and down for curves; with Shift, arrows turn it";

/// What a pointer does in a figure; `touchstart` only to be held back.
const POINTER: [&str; 6] =
    ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "touchstart"];

/// All figures of a task. Which there will be is known when it has run; before that there is a place for one.
#[component]
pub fn Figures(lab: Lab) -> impl IntoView {
    // A run that begins anew has nothing yet to show: its figures keep their places until it has ended.
    let places = memo(move |before: Option<&usize>| {
        let now = lab.figures.with(Vec::len);
        if now > 0 && lab.run.with(RunView::ended) { now } else { now.max(before.copied().unwrap_or(1)) }
    });
    let choices = RwSignal::new(Choices::default());
    // One a frame: all at once would hold up a slow phone.
    let mounted = RwSignal::new(1.0);
    let coming = memo(move |_| mounted.get() < places.get() as f64);
    effect(move || {
        mounted.track();
        if coming.get() {
            request_animation_frame(move || mounted.update(|mounted| *mounted += 1.0));
        }
    });
    let there = move |place: usize| (place as f64) < mounted.get() && place < places.get();
    let figures = figures_from(0, there, move |place| view! { <FigureView lab place choices /> }.into_any());
    let two = memo(move |_| places.get() == 2);
    view! { <div class="figures" class:two=two aria-busy=signal(move || coming.get().then_some("true"))>{figures}</div> }
}

/// The place of the figure that is shown within another page.
fn chosen_figure() -> usize {
    let number = browser::option("figure").and_then(|number| number.parse::<usize>().ok());
    number.map_or(0, |number| number.max(1) - 1)
}

/// The figure of a place, and those after it: one that stands is not made anew when another joins it.
fn figures_from(
    place: usize,
    there: impl Fn(usize) -> bool + Copy + Send + Sync + 'static,
    figure: impl Fn(usize) -> AnyView + Copy + Send + Sync + 'static,
) -> AnyView {
    let here = memo(move |_| there(place));
    live(move || here.get().then(|| (figure(place), figures_from(place + 1, there, figure)).into_any()))
}

/// The figure of that place in the page's list.
#[component]
fn FigureView(lab: Lab, place: usize, choices: RwSignal<Choices>) -> impl IntoView {
    let scales = RwSignal::new((None::<Scale>, None::<Scale>));
    let failed = memo(move |_| lab.run.with(|run| run.state == "failed"));
    let turn = RwSignal::new(Turn::default());
    // Where the pointer was that turns a figure in space.
    let turning = StoredValue::new(None::<(f64, f64)>);
    let own = memo(move |before: Option<&Option<Drawing>>| {
        let failed = failed.get();
        let Some(mut drawing) = lab.figures.with(|all| all.get(place).cloned()) else {
            let mut old = before.cloned().flatten()?;
            if failed {
                outlived(&mut old);
            } else {
                stale(&mut old);
            }
            return Some(old);
        };
        let (x, y) = scales.get();
        drawing.figure.x.scale = x.unwrap_or(drawing.figure.x.scale);
        drawing.figure.y.scale = y.unwrap_or(drawing.figure.y.scale);
        choices.with(|choices| choices.apply(&mut drawing));
        drawing.turn = turn.get();
        // On paper nothing is switched.
        Some(if lab.paper.get() { drawing } else { drawing.with_switches() })
    });
    let drawing = memo(move |_| {
        let mut drawing = own.get()?;
        lab.lay_pins_under(&mut drawing);
        Some(drawing)
    });
    let width = RwSignal::new(0.0);
    let frame = StoredValue::new_local(None::<Frame>);
    let legend = RwSignal::new(Vec::<Name>::new());
    let id = memo(move |_| own.with(|own| own.as_ref().map(|own| own.figure.id.clone()).unwrap_or_default()));
    let reading = RwSignal::new(None::<Reading>);
    let editor = Editor::new(lab, own, frame);
    let canvas = NodeRef::<html::Canvas>::new();
    let holder = NodeRef::<html::Div>::new();

    let ready = NodeRef::<html::Div>::new();
    effect(move || {
        // Moved, not made again: it may have thousands of elements.
        let Some(ready) = ready.get().filter(|_| place == 0) else { return };
        while let Some(piece) = browser::ready_made().and_then(|picture| picture.first_child()) {
            let _ = ready.append_child(&piece);
        }
    });

    let tall = memo(move |_| {
        drawing.with(|drawing| drawing.as_ref().map_or(0.0, |drawing| height(width.get(), drawing)))
    });
    let in_space = memo(move |_| own.with(|drawing| drawing.as_ref().is_some_and(|d| d.figure.in_space())));
    let read = move |px: f64, py: f64| {
        drawing.with_untracked(|drawing| under(drawing.as_ref()?, &frame.get_value()?, (px, py)))
    };

    effect(move || {
        let Some(holder) = holder.get() else { return };
        watch_width(&holder, width);
    });
    // Until there is a live figure, what is ready-made stands in its place.
    let drawn_once = RwSignal::new(false);
    let draw = move || {
        let (Some(canvas), Some(holder), width) = (canvas.get(), holder.get(), width.get()) else { return };
        let theme = if lab.dark.get() { Theme::Dark } else { Theme::Light };
        let drawn = drawing.with(|drawing| {
            let drawing = drawing.as_ref()?;
            let size = (width, tall.get());
            let now = names(drawing, size);
            if legend.with_untracked(|before| *before != now) {
                legend.set(now);
            }
            let sharpness = if lab.paper.get() { PRINTED } else { browser::pixel_ratio() };
            render::canvas(drawing, &canvas, size, sharpness, theme, !lab.paper.get()).ok()
        });
        // On a phone the figure stays in view, but for the names above the plot.
        if let Some(drawn) = &drawn {
            let style = web_sys::HtmlElement::style(&holder);
            let _ = style.set_property("--names", &format!("{}px", drawn.plot.top));
        }
        if drawn.is_some() && !drawn_once.get_untracked() {
            drawn_once.set(true);
        }
        frame.set_value(drawn);
        // What is edited stays read, also where the figure is without it for a moment.
        let last = editor.edit(|editing, scene| editing.place(scene)).flatten();
        let now = last.and_then(|(px, py)| read(px, py));
        if now.is_some() && reading.get_untracked().is_some() {
            reading.set(now);
        }
    };
    // While a run goes on every figure is drawn in a task of its own, so that none holds up a slow phone. So is the first picture,
    // with which most of what draws is compiled. What follows a hand is drawn at once.
    let apart = memo(move |_| !drawn_once.get() || lab.run.with(|run| run.state == "running"));
    let waits = StoredValue::new(false);
    effect(move || {
        if !apart.get_untracked() {
            waits.set_value(false);
            return draw();
        }
        for signal in [lab.dark, lab.paper] {
            signal.track();
        }
        canvas.track();
        holder.track();
        width.track();
        if drawing.with(Option::is_some) && !waits.get_value() {
            waits.set_value(true);
            browser::timeout(0, move || {
                // The figure may be gone, or drawn.
                if waits.try_update_value(std::mem::take) == Some(true) {
                    untrack(draw);
                }
            });
        }
    });

    let pointed = move |ev: &PointerEvent| {
        let kind = ev.type_();
        // A figure that is gone may still hear of a pointer that leaves it.
        let Some(holder) = holder.try_get_untracked().flatten() else { return };
        let bounds = holder.get_bounding_client_rect();
        let at = (f64::from(ev.client_x()) - bounds.left(), f64::from(ev.client_y()) - bounds.top());
        match kind.as_str() {
            "pointerdown" => {
                reading.set(read(at.0, at.1));
                if in_space.get_untracked() && ev.button() == 0 {
                    turning.set_value(Some(at));
                    let _ = holder.set_pointer_capture(ev.pointer_id());
                }
                if ev.button() == 0 && editor.edit(|editing, scene| editing.down(scene, at)) == Some(true) {
                    // It may leave the figure and come back.
                    let _ = holder.set_pointer_capture(ev.pointer_id());
                    editor.put(editor.edit(|editing, scene| editing.moved(scene, at)).flatten(), false);
                }
            }
            "pointermove" if turning.get_value().is_some() => {
                let from = turning.get_value().unwrap_or(at);
                turning.set_value(Some(at));
                reading.set(None);
                turn.update(|turn| *turn = turn.by((from.0 - at.0) * TURN, (at.1 - from.1) * TURN));
            }
            "pointermove" => {
                let pulled = editor.edit(|editing, scene| editing.moved(scene, at)).flatten();
                editor.put(pulled, false);
                // What is dragged or drawn is not covered by what it says.
                if editor.edit(|editing, _| editing.holds()) == Some(true) {
                    reading.set(None);
                } else {
                    editor.edit(|editing, _| editing.forget());
                    reading.set(read(at.0, at.1));
                }
            }
            "pointerup" if turning.get_value().is_some() => turning.set_value(None),
            "pointerup" => match editor.edit(Editing::up) {
                Some(Released::Clicked(texts)) => drop(editor.put(texts, true)),
                Some(Released::Settled) => lab.settle(),
                None => {}
            },
            // A finger on a point pulls it; anywhere else it scrolls the page, which ends with `pointercancel`.
            "touchstart" if editor.edit(|editing, _| editing.holds()) == Some(true) => ev.prevent_default(),
            "touchstart" => {}
            _ => {
                turning.set_value(None);
                editor.edit(|editing, _| editing.cancel());
                reading.set(None);
            }
        }
    };
    effect(move || {
        if let Some(holder) = holder.get() {
            browser::listen(&holder, &POINTER, pointed);
        }
    });
    let keyed = move |ev: KeyboardEvent| {
        // What is pressed on a button in the figure is for that.
        if ev.target()
            != holder.get_untracked().map(|holder| holder.unchecked_ref::<web_sys::EventTarget>().clone())
        {
            return;
        }
        let at = reading.get_untracked().map(|reading| reading.at);
        let edited =
            editor.edit(|editing, scene| editing.key(scene, &ev.key(), ev.shift_key(), at)).flatten();
        if let Some(texts) = edited {
            ev.prevent_default();
            ev.stop_propagation();
            editor.put(texts, true);
            return;
        }
        editor.edit(|editing, _| editing.forget());
        let (across, up) = match ev.key().as_str() {
            "ArrowRight" => (1, 0),
            "ArrowLeft" => (-1, 0),
            "ArrowUp" => (0, 1),
            "ArrowDown" => (0, -1),
            "Escape" if reading.get_untracked().is_some() => {
                // Closes the reading, and does not stop the run as well.
                ev.stop_propagation();
                reading.set(None);
                return;
            }
            _ => return,
        };
        ev.prevent_default();
        ev.stop_propagation();
        if in_space.get_untracked() && ev.shift_key() {
            reading.set(None);
            turn.update(|turn| *turn = turn.by(-STEP * across as f64, STEP * up as f64));
            return;
        }
        let next = drawing.with(|drawing| {
            frame.with_value(|frame| {
                step(drawing.as_ref()?, frame.as_ref()?, reading.get_untracked(), across, up)
            })
        });
        reading.set(next.or(reading.get_untracked()));
    };
    let value = memo(move |_| {
        let reading = reading.get()?;
        drawing.with(|drawing| said(drawing.as_ref()?, reading)).map(|text| (text, reading.at))
    });
    let summary =
        signal(move || drawing.with(|d| d.as_ref().map(|d| d.figure.described()).unwrap_or_default()));
    let empty = memo(move |_| drawing.with(Option::is_none) || !drawn_once.get());
    let coming = move || (drawing.with(Option::is_some) && !drawn_once.get()).then_some("true");
    // Within another page there is one figure: the first, or that which the address asks for.
    let elsewhere = browser::embedded() && chosen_figure() != place;
    view! {
        <figure class="figure" hidden=elsewhere aria-busy=signal(coming)>
            <div class="picture" node_ref=holder tabindex="0" role="group"
                style:touch-action=signal(move || if in_space.get() { "pan-y".to_owned() } else { String::new() })
                aria-label=signal(move || if in_space.get() { IN_SPACE } else { IN_PLANE }.to_owned())
                on:keydown=on(keyed) on:blur=on(move |_| reading.set(None))>
                {live(move || part(empty.get(), || view! { <div class="first-paint" node_ref=ready></div> }))}
                <canvas node_ref=canvas role="img" aria-label=summary hidden=empty
                    style:width=signal(move || format!("{}px", width.get()))
                    style:height=signal(move || format!("{}px", tall.get()))></canvas>
                <Legend figure=id names=legend choices />
                {live(move || value.get().map(|(text, (x, y))| view! {
                    <span class="ring" aria-hidden="true" style:left=format!("{x}px") style:top=format!("{y}px")></span>
                    <span class="value" class:left=signal(move || x > 0.6 * width.get()) aria-hidden="true"
                        style:left=format!("{x}px") style:top=format!("{y}px")>{text}</span>
                }.into_any()))}
            </div>
            <p class="sr-only" aria-live="polite">{signal(move || value.get().map_or(String::new(), |(text, _)| text))}</p>
            {editor.tools(empty)}
            <Caption lab place drawing hidden=empty />
            <div hidden=empty>
                <Tools lab own drawn=drawing scales />
                <DataTableView drawing=own />
            </div>
        </figure>
    }
}

/// Height of a figure of that width; within another page nothing is higher than the frame.
fn height(width: f64, drawing: &Drawing) -> f64 {
    if browser::option("bare").is_some() {
        return browser::inner_height();
    }
    let most = if browser::embedded() { browser::inner_height() - AROUND } else { f64::INFINITY };
    sizes::height(width, drawing).min(most.max(180.0))
}

/// Keeps `width` equal to the element's content width for as long as the page lives.
fn watch_width(element: &web_sys::HtmlElement, width: RwSignal<f64>) {
    let observed = element.clone();
    let measure = move || width.set(f64::from(observed.client_width()));
    measure();
    let closure = Closure::<dyn FnMut()>::new(measure);
    if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
        observer.observe(element);
        let kept = StoredValue::new_local(Some((observer, closure)));
        on_cleanup(move || {
            if let Some((observer, _)) = kept.try_update_value(Option::take).flatten() {
                observer.disconnect();
            }
        });
    }
}
