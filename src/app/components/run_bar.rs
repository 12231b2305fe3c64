//! Run, pause, step, stop, reset; how far the run is and how it ended.

use leptos::prelude::*;

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
                {move || senseless.get().then(|| view! { <strong>" A setting makes no sense: see the form."</strong> })}
                {move || (changed() && !senseless.get()).then(|| view! { <strong>" Settings changed: run again."</strong> })}
            </p>
            <progress max="1" aria-label="Fraction done"
                prop:value=move || lab.run.with(|run| run.fraction)></progress>
            <p class="sr-only" role="status" aria-live="polite">{spoken}</p>
        </div>
        // There before its first message, so that screen readers know to listen.
        <div class="messages" role="status">{move || {
            let messages: Vec<String> = lab.notices.get().into_iter().chain(lab.run.with(|r| r.incidents.clone())).collect();
            (!messages.is_empty()).then(|| view! {
                <ul class="notices">
                    {messages.into_iter().map(|message| view! { <li>{message}</li> }).collect_view()}
                </ul>
            })
        }}</div>
    }
}
