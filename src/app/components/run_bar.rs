//! Run, pause, step, stop, reset; how far the run is and how it ended.

use leptos::prelude::*;

use crate::app::html::cells;
use crate::app::state::Lab;

/// The bar under the title.
#[component]
pub fn RunBar(lab: Lab) -> impl IntoView {
    let state = move || lab.run.with(|run| run.state);
    let changed = move || lab.run.with(|run| run.changed);
    let senseless = Memo::new(move |_| lab.check().is_err());
    let active = move || matches!(state(), "running" | "paused");
    let main = move || match (state(), changed()) {
        (_, true) => "Run again",
        ("running", _) => "Pause",
        ("paused", _) => "Go on",
        _ => "Run",
    };
    // Only beginnings and endings are spoken; the running sentence would never stop.
    let spoken = Memo::new(move |_| {
        lab.run.with(|run| if run.state == "running" { "Running.".to_owned() } else { run.sentence.clone() })
    });
    let messages = move || {
        let all = lab.notices.with(|notices| cells("li", notices.iter().map(String::as_str)));
        let all = all + &lab.run.with(|run| cells("li", run.incidents.iter().map(String::as_str)));
        if all.is_empty() { all } else { format!("<ul class=\"notices\">{all}</ul>") }
    };
    view! {
        <div class="run-bar">
            <div class="buttons" role="group" aria-label="Run">
                <button type="button" class="main" on:click=move |_| lab.run_or_pause() title="Space"
                    disabled=move || senseless.get() && !active()>{main}</button>
                <button type="button" on:click=move |_| lab.step() title="One slice of work (S)">"Step"</button>
                <button type="button" on:click=move |_| lab.stop() disabled=move || !active()
                    title="Stop and keep what is finished (Escape)">"Stop"</button>
                <button type="button" on:click=move |_| lab.reset() title="Back to the defaults (R)">"Reset"</button>
            </div>
            <p class="sentence" data-state=state>
                {move || lab.run.with(|run| run.sentence.clone())}
                <strong>{move || match (senseless.get(), changed()) {
                    (true, _) => " A setting makes no sense: see the form.",
                    (false, true) => " Settings changed: run again.",
                    (false, false) => "",
                }}</strong>
            </p>
            <progress max="1" aria-label="Fraction done"
                prop:value=move || lab.run.with(|run| run.fraction)></progress>
            <p class="sr-only" role="status" aria-live="polite">{spoken}</p>
        </div>
        // There before its first message, so that screen readers know to listen.
        <div class="messages" role="status" inner_html=messages></div>
    }
}
