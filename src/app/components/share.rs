//! The same run elsewhere: permalink, command line, and within another page.

use leptos::prelude::*;

use super::on;
use crate::app::browser;
use crate::app::state::Lab;

/// Permalink, command line and frame of the form as it stands.
#[component]
pub fn Share(lab: Lab) -> impl IntoView {
    let link = Memo::new(move |_| lab.link());
    let files = Memo::new(move |_| {
        lab.files().map(|names| {
            format!("The data are not in the link, only their name and hash: whoever opens it needs {names} as well.")
        })
    });
    let address = Memo::new(move |_| browser::address(&link.get()));
    let command = Memo::new(move |_| format!("cargo run --release --bin headless -- '{}'", link.get()));
    let frame = Memo::new(move |_| {
        let address = browser::address(&link.get()).replacen('#', "?embed#", 1);
        format!("<iframe src=\"{}\" width=\"720\" height=\"600\"></iframe>", address.replace('&', "&amp;"))
    });
    view! {
        <details class="share">
            <summary>"Share this run"</summary>
            <p>"The address holds every setting and the seed: it gives the same numbers, bit for bit."</p>
            <p class="files" hidden=Signal::derive(move || files.with(Option::is_none))>{files}</p>
            <Copyable name="Permalink" text=address />
            <p>"The same run on the command line:"</p>
            <Copyable name="Command line" text=command />
            <p>"In a frame of your own page; "<code>"?embed&figure=2&knob=seed"</code>" chooses a figure and a control:"</p>
            <Copyable name="Frame" text=frame />
        </details>
    }
}

/// A text with a button that copies it.
#[component]
fn Copyable(name: &'static str, text: Memo<String>) -> impl IntoView {
    let said = RwSignal::new("Copy");
    Effect::new(move |_| {
        text.track();
        said.set("Copy");
    });
    let copy = move |_| {
        browser::copy(&text.get_untracked(), move |well| {
            said.set(if well { "Copied" } else { "Not copied" });
        });
    };
    view! {
        <div class="copyable">
            <code tabindex="0" role="textbox" aria-readonly="true" aria-label=name>{text}</code>
            <button type="button" class="quiet" on:click=on(copy)>{said}</button>
        </div>
    }
}
