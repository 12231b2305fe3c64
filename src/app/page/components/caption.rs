//! Caption of a figure: number, finding, and details.

use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::figure::unbroken;
use crate::render::Drawing;

/// Length from which details are folded after two lines, in characters.
const LONG: usize = 170;

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
    let details = of(|drawing| drawing.figure.caption.clone());
    let open = RwSignal::new(false);
    let long = Memo::new(move |_| details.with(|details| details.chars().count() > LONG));
    // Captions are short during the first run of a page.
    let first_run =
        Memo::new(move |before: Option<&bool>| before != Some(&false) && !app.run.state().has_ended());
    view! {
        <figcaption hidden=hidden class:first-run=first_run>
            <p class="finding"><span class="number">{format!("Fig. {}.", index + 1)}</span>" "<em>{note}</em><strong>{finding}</strong></p>
            <p class="details" class:folded=move || long.get() && !open.get()>{details}</p>
            <button type="button" class="quiet fold" hidden=move || !long.get() aria-expanded=move || open.get().to_string()
                on:click=move |_| open.update(|open| *open = !*open)>
                {move || if open.get() { "Less" } else { "More" }.to_owned()}
            </button>
        </figcaption>
    }
}
