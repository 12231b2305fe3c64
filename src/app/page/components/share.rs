//! Ways to share a run: permalink, command line, frame, and files.

use leptos::prelude::*;

use super::copy_button::{Looks, copy_button};
use crate::app::page::browser;
use crate::app::page::state::AppState;

/// Shows the permalink, command line and frame of the current settings.
#[component]
pub fn Share(app: AppState) -> impl IntoView {
    let link = Memo::new(move |_| app.form.link());
    let files = Memo::new(move |_| {
        app.named_files().map_or(String::new(), |names| {
            format!("The data are not in the link, only their name and hash: whoever opens it needs {names} as well.")
        })
    });
    let lasting = Memo::new(move |_| app.form.link_with_revision());
    let address = Memo::new(move |_| browser::address(&lasting.get()));
    let command = Memo::new(move |_| format!("cargo run --release --bin headless -- '{}'", lasting.get()));
    let frame = Memo::new(move |_| {
        let address = browser::address(&link.get()).replacen('#', "?embed#", 1);
        format!("<iframe src=\"{}\" width=\"720\" height=\"600\"></iframe>", address.replace('&', "&amp;"))
    });
    let opened = move |ev: leptos::ev::Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&ev);
        let Some(file) = input.files().and_then(|files| files.get(0)) else { return };
        input.set_value("");
        browser::spawn(async move {
            match browser::read(&file).await {
                Ok(given) => app.open_saved(&file.name(), &given.bytes),
                Err(why) => app.notices.set(vec![why]),
            }
        });
    };
    view! {
        <details class="share">
            <summary>"Share or save this run"</summary>
            <p>"The link holds every setting and the seed, but not which curves are shown. It gives the same numbers, bit for bit, and says so if a later version of \
                the page computes others."</p>
            <p class="files" hidden=move || files.with(String::is_empty)>{files}</p>
            <Copyable name="Permalink" text=address />
            <p>"The same run on the command line:"</p>
            <Copyable name="Command line" text=command />
            <p>
                "In a frame of your own page; "<code>"?embed&figure=2&knob=seed"</code>" chooses a figure and a control, "
                <code>"?embed&bare"</code>" shows the figure alone:"
            </p>
            <Copyable name="Frame" text=frame />
            <p>"As files. A report is a page to print, with settings, figures and findings. A saved run also contains your data and all \
                results: it opens again without computing, here or on the command line, and predicts new rows."</p>
            <div class="saving">
                <button type="button" on:click=move |_| app.print_run()>"Save report"</button>
                <button type="button" on:click=move |_| app.save_run()>"Save run"</button>
                <label>"Open a saved run "<input type="file" accept=".bin" on:change=opened /></label>
            </div>
        </details>
    }
}

/// Shows text with a button that copies it.
#[component]
fn Copyable(name: &'static str, text: Memo<String>) -> impl IntoView {
    let looks = Looks { class: "quiet", title: None, words: "Copy" };
    let button =
        copy_button(looks, Box::new(move || text.track()), Box::new(move || Some(text.get_untracked())));
    view! {
        <div class="copyable">
            <code tabindex="0" role="textbox" aria-readonly="true" aria-label=name>{text}</code>
            {button}
        </div>
    }
}
