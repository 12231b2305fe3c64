//! Caption of a figure: number, finding, and details.

use leptos::html;
use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::app::view::RunState;
use crate::figure::{opening, unbroken};
use crate::render::Drawing;

/// Shows the caption of a figure.
#[component]
pub fn Caption(
    app: AppState,
    index: usize,
    drawing: Memo<Option<Drawing>>,
    hidden: Memo<bool>,
) -> impl IntoView {
    let of = move |pick: fn(&Drawing) -> String| {
        Memo::new(move |_| drawing.with(|drawing| unbroken(&drawing.as_ref().map(pick).unwrap_or_default())))
    };
    let finding = of(|drawing| drawing.figure.headline());
    let note = of(|drawing| drawing.shown_note().to_owned());
    // During a drag the faded marks are out of date for a moment only.
    let note = move || if app.run.settled.get() { note.get() } else { String::new() };
    let details = of(|drawing| opening(&drawing.figure.caption).0.to_owned());
    let rest = of(|drawing| opening(&drawing.figure.caption).1.to_owned());
    let open = RwSignal::new(false);
    // Captions are short during the first run of a page.
    let first_run =
        Memo::new(move |before: Option<&bool>| before != Some(&false) && !app.run.state().has_ended());
    // Where a control or a point is dragged, a shorter sentence would move the picture under the pointer.
    let sentence = NodeRef::<html::P>::new();
    Effect::new(move || {
        let (moving, ended) = (!app.run.settled.get(), app.run.state().has_ended());
        let Some(sentence) = sentence.get().filter(|_| index == 0 && (moving || ended)) else { return };
        let height = if moving { format!("{}px", sentence.offset_height()) } else { String::new() };
        let _ = web_sys::HtmlElement::style(&sentence).set_property("min-height", &height);
    });
    // The headline of a replay describes the final result, not the frame shown; that of an unfinished run may still change.
    let partial = Memo::new(move |_| {
        let state = app.run.state();
        app.replay.position.with(Option::is_some) || state.is_active() || state == RunState::Stopped
    });
    view! {
        <figcaption hidden=hidden class:first-run=first_run class:partial=partial>
            <p class="finding" node_ref=sentence><span class="number">{format!("Fig. {}.", index + 1)}</span>" "<em>{note}</em><strong>{finding}</strong></p>
            <p class="details" class:folded=move || !open.get()>
                <span class="opening">{details}</span>" "<span class="rest">{rest}" "</span>
                <button type="button" class="quiet fold" hidden=move || rest.with(String::is_empty)
                    aria-expanded=move || open.get().to_string() on:click=move |_| open.update(|open| *open = !*open)>
                    {move || if open.get() { "Less" } else { "More" }.to_owned()}
                </button>
            </p>
        </figcaption>
    }
}
