//! The input of a field of data: choose a file, drop it, or paste a table; then what is in it.

use leptos::ev::{DragEvent, Event};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use web_sys::{FileList, HtmlInputElement, HtmlTextAreaElement};

use crate::app::browser;
use crate::app::own_data::preview;
use crate::app::state::Lab;

/// Under the file picker. It never changes, and so it is markup.
const PASTE: &str = "<p>Or drop a CSV file here. It stays in this browser: nothing is sent anywhere.</p>\
    <details><summary>Paste a table</summary><textarea rows='5' aria-label='A table as text'></textarea>\
    <button type='button'>Use this table</button></details>";

/// Drop zone, file picker and paste, with a preview under them.
#[component]
pub fn DataInput(lab: Lab, id: String, described: String) -> impl IntoView {
    let give = move |files: Option<FileList>| {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            match browser::read(&file).await {
                Ok(bytes) => lab.load(&file.name(), bytes),
                Err(why) => lab.notices.set(vec![why]),
            }
        });
    };
    let dropped = move |ev: DragEvent| {
        // Otherwise the browser would leave the page for the file.
        ev.prevent_default();
        give(ev.data_transfer().and_then(|data| data.files()));
    };
    let chosen = move |ev: Event| give(event_target::<HtmlInputElement>(&ev).files());
    let pasted = move |ev: web_sys::MouseEvent| {
        let button: web_sys::Element = event_target(&ev);
        let area =
            button.previous_element_sibling().and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok());
        if let Some(area) = area.filter(|_| button.tag_name() == "BUTTON") {
            lab.load("pasted.csv", area.value().into_bytes());
        }
    };
    view! {
        <div class="drop" on:dragover=|ev| ev.prevent_default() on:drop=dropped>
            <input type="file" id=id accept=".csv,.tsv,.txt,.dat,text/csv,text/plain" aria-describedby=described
                on:change=chosen />
            <div inner_html=PASTE on:click=pasted></div>
            <div role="status" inner_html=move || lab.data.with(|stage| stage.as_ref().map(preview).unwrap_or_default())></div>
        </div>
    }
}
