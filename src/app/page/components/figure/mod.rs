//! The figures of a task. Each is a canvas drawn by `render`, with values under the pointer, an editor, a caption and exports.

mod beside;
mod draw;
mod keys;
mod model;
mod pointer;
mod visibility;

use leptos::html;
use leptos::prelude::*;

use super::caption::Caption;
use super::legend::Legend;
use super::tools::{DataTableView, Tools};
use crate::app::choices::Choices;
use crate::app::page::browser;
use crate::app::page::state::{AppState, FirstPicture, set_if_new};
use crate::app::readout::describe;
use crate::render::Drawing;
use model::{FigureModel, Grip, Place};

pub use beside::FigureBeside;

const IN_PLANE: &str = "Values of the figure: left and right arrows for values, up and down for curves";
const IN_SPACE: &str = "Values of the figure: left and right arrows for values, up and down for curves; with Shift, arrows turn it";

/// A figure is drawn when it is less than this away from the window, in percent of the window's height.
const NEAR: u32 = 50;

/// Delay before the description of a figure is updated, in milliseconds.
const DESCRIPTION_DELAY_MS: i32 = 100;

/// Shows all figures of a task. Their number is known after the first result; until then there is one. If the page is `covered` by a
/// ready-made picture, the first figure is mounted in a task of its own. `on_first` is called once it is mounted.
#[component]
pub fn Figures(app: AppState, covered: bool, on_first: fn()) -> impl IntoView {
    // The figures of the previous run stay until the next run has ended.
    let count = Memo::new(move |before: Option<&usize>| {
        let now = app.run.figures.with(Vec::len);
        if now > 0 && app.run.state().has_ended() { now } else { now.max(before.copied().unwrap_or(1)) }
    });
    let choices = RwSignal::new(Choices::default());
    // One half of a figure is mounted in each task, first its picture, then its tools: all at once, or with the work of an animation frame,
    // they would block a slow phone.
    let halves = RwSignal::new(usize::from(!covered));
    let mounting = Memo::new(move |_| halves.get() < 2 * count.get());
    Effect::new(move || {
        if halves.get() == 1 {
            on_first();
        }
        if mounting.get() {
            browser::timeout(0, move || {
                // The page may have changed in the meantime.
                let _ = halves.try_update(|halves| *halves += 1);
            });
        }
    });
    let two = Memo::new(move |_| count.get() == 2);
    view! {
        <div class="figures" class:two=two aria-busy=move || mounting.get().then_some("true")>
            <For each=move || 0..count.get().min(halves.get().div_ceil(2)) key=|index| *index let:index>
                <FigureView app index choices has_tools=Memo::new(move |_| halves.get() > 2 * index + 1) />
            </For>
        </div>
    }
}

/// Keeps a value of the browser for as long as the component lives, then passes it to `end`.
fn until_cleanup<T: 'static>(value: T, end: fn(T)) {
    let kept = StoredValue::new_local(Some(value));
    on_cleanup(move || {
        if let Some(value) = kept.try_update_value(Option::take).flatten() {
            end(value);
        }
    });
}

/// Returns the index of the figure that is shown within another page.
fn embedded_index() -> usize {
    let number = browser::option("figure").and_then(|number| number.parse::<usize>().ok());
    number.map_or(0, |number| number.max(1) - 1)
}

/// Shows one figure of the page's list, with its tools if `has_tools` is true.
#[component]
fn FigureView(
    app: AppState,
    index: usize,
    choices: RwSignal<Choices>,
    has_tools: Memo<bool>,
) -> impl IntoView {
    let model = FigureModel::new(app, index, choices, Place::Page);
    let FigureModel { unpinned, drawing, width, height, reading, near, .. } = model;
    let figure = NodeRef::<html::Figure>::new();
    Effect::new(move || {
        if let Some(figure) = figure.get().filter(|_| index > 0) {
            visibility::watch(&figure, NEAR, near);
        }
    });
    draw::keep_drawn(model);
    pointer::listen(model);
    let id = Memo::new(move |_| {
        unpinned
            .with(|unpinned| unpinned.as_ref().map_or(String::new(), |unpinned| unpinned.figure.id.clone()))
    });
    let in_space = Memo::new(move |_| {
        unpinned.with(|unpinned| unpinned.as_ref().is_some_and(|unpinned| unpinned.figure.in_space()))
    });
    let wide = Memo::new(move |_| {
        unpinned.with(|unpinned| unpinned.as_ref().is_some_and(|unpinned| unpinned.figure.wide))
    });
    let description = described_at_rest(app, drawing);
    let empty = Memo::new(move |_| model.is_empty());
    let editable = move || model.editor.is_available();
    let hidden = browser::embedded() && embedded_index() != index;
    let coming = move || (!hidden && model.is_coming()).then_some("true");
    view! {
        <figure class="figure" node_ref=figure class:wide=wide class:empty=empty class:editable=editable hidden=hidden aria-busy=coming>
            <div class="picture" node_ref=model.holder tabindex="0" role="group"
                class:grasps=move || model.grip.get() == Grip::Over class:held=move || model.grip.get() == Grip::Held
                class:turns=in_space
                style:touch-action=move || if in_space.get() { "pan-y" } else { "" }
                aria-label=move || if in_space.get() { IN_SPACE } else { IN_PLANE }
                on:keydown=move |ev| keys::handle(model, &ev) on:blur=move |_| reading.set(None)>
                <Show when=move || empty.get()><ReadyMadePicture app index /></Show>
                <canvas node_ref=model.canvas role="img" aria-label=description hidden=empty
                    style:width=move || format!("{}px", width.get())
                    style:height=move || format!("{}px", height.get())></canvas>
                <Legend figure=id names=model.names choices />
                <Value model />
            </div>
            {model.editor.tools(empty)}
            <Caption app index drawing hidden=empty />
            <Show when=move || has_tools.get()>
                <div hidden=empty>
                    <Tools app unpinned drawn=drawing scales=model.scales choices />
                    <DataTableView drawing=unpinned />
                </div>
            </Show>
        </figure>
    }
}

/// Returns the description of a figure: at first its title. Describing a figure takes as long as drawing it, so updates are delayed by
/// [`DESCRIPTION_DELAY_MS`], and a replay has none while it plays.
fn described_at_rest(app: AppState, drawing: Memo<Option<Drawing>>) -> RwSignal<String> {
    let description = RwSignal::new(String::new());
    let describe = move |of: fn(&Drawing) -> String| {
        let now = drawing.with_untracked(|now| now.as_ref().map(of)).unwrap_or_default();
        set_if_new(description, now);
    };
    let scheduled = StoredValue::new(false);
    Effect::new(move || {
        drawing.track();
        if description.with_untracked(String::is_empty) {
            describe(|drawing| drawing.figure.title.clone());
        }
        if app.replay.playing.get() || scheduled.get_value() {
            return;
        }
        scheduled.set_value(true);
        browser::timeout(DESCRIPTION_DELAY_MS, move || {
            // The value is returned if the figure has been removed.
            if scheduled.try_set_value(false).is_none() && !app.replay.playing.get_untracked() {
                describe(|drawing| drawing.figure.described());
            }
        });
    });
    description
}

/// Shows the element into which the ready-made picture of the page is moved; a copy of its thousands of elements would take longer.
#[component]
fn ReadyMadePicture(app: AppState, index: usize) -> impl IntoView {
    let holder = NodeRef::<html::Div>::new();
    Effect::new(move || {
        let Some(holder) = holder.get().filter(|_| index == 0) else { return };
        while let Some(piece) = browser::ready_made().and_then(|picture| picture.first_child()) {
            let _ = holder.append_child(&piece);
        }
        // Not a node: the element has a comment of leptos.
        let is_there = holder.first_element_child().is_some();
        let here = if is_there { FirstPicture::ReadyMade } else { FirstPicture::Missing };
        app.run.first_picture.set(here);
    });
    if index == 0 {
        on_cleanup(move || app.run.first_picture.set(FirstPicture::Live));
    }
    view! { <div class="first-paint" node_ref=holder></div> }
}

/// Shows the values of the datum that is read: beside it, and for screen readers.
#[component]
fn Value(model: FigureModel) -> impl IntoView {
    let FigureModel { drawing, width, reading, .. } = model;
    let value = Memo::new(move |_| {
        let reading = reading.get()?;
        let text = drawing.with(|drawing| describe(drawing.as_ref()?, reading))?;
        Some((text, reading.at))
    });
    let text = move || value.get().map_or(String::new(), |(text, _)| text);
    let left = move || value.get().map_or(String::new(), |(_, (x, _))| format!("{x}px"));
    let top = move || value.get().map_or(String::new(), |(_, (_, y))| format!("{y}px"));
    let beside_left = move || value.get().is_some_and(|(_, (x, _))| x > 0.6 * width.get());
    view! {
        <Show when=move || value.with(Option::is_some)>
            <span class="ring" aria-hidden="true" style:left=left style:top=top></span>
            <span class="value" class:left=beside_left aria-hidden="true" style:left=left style:top=top>{text}</span>
        </Show>
        <p class="sr-only" aria-live="polite">{text}</p>
    }
}
