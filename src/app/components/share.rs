//! The same run elsewhere: permalink, command line, and within another page.

use leptos::prelude::*;

use crate::app::browser;
use crate::app::state::Lab;

/// Permalink and command line of the form as it stands.
#[component]
pub fn Share(lab: Lab) -> impl IntoView {
    let address = move || browser::address(&lab.link());
    let command = move || format!("cargo run --release --bin headless -- '{}'", lab.link());
    view! {
        <details class="share">
            <summary>"Share this run"</summary>
            <p>"The address holds every setting and the seed: who opens it gets the same numbers, bit for bit."</p>
            {move || lab.files().map(|names| view! {
                <p>{format!("Your data are not in it, only their name and hash: who opens it needs {names} as well.")}</p>
            })}
            <Copyable label="Permalink" text=Signal::derive(address) />
            <p>"The same run without the page:"</p>
            <Copyable label="Command line" text=Signal::derive(command) />
            <p>"With " <code>"?embed"</code> " before its # the address shows figures only, for a frame in a page of yours."</p>
        </details>
    }
}

#[component]
fn Copyable(label: &'static str, text: Signal<String>) -> impl IntoView {
    let copied = RwSignal::new("Copy");
    Effect::new(move |_| {
        text.track();
        copied.set("Copy");
    });
    view! {
        <div class="copyable">
            <code tabindex="0" role="textbox" aria-readonly="true" aria-label=label>{text}</code>
            <button type="button" class="quiet" on:click=move |_| {
                browser::copy(&text.get_untracked(), move |well| copied.set(if well { "Copied" } else { "Not copied" }));
            }>{copied}</button>
        </div>
    }
}
