//! The input of a field of data: choose a file, drop it, or paste a table; then what is in it. Its inside is markup, which
//! costs the page a fraction of what as many views would.

use js_sys::futures::spawn_local;
use leptos::ev::DragEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FileList, HtmlInputElement, HtmlTextAreaElement};

use crate::app::state::Lab;
use crate::app::{browser, own_data};

/// Drop zone, file picker and paste, with a preview under them.
pub fn data_input(lab: Lab, id: &str, described: &str) -> AnyView {
    let over = RwSignal::new(false);
    let give = move |files: Option<FileList>| {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            match browser::read(&file).await {
                Ok(bytes) => lab.load(&file.name(), bytes),
                Err(why) => lab.notices.set(vec![why]),
            }
        });
    };
    let hover = move |ev: &DragEvent, on: bool| {
        // Otherwise the browser would leave the page for the file.
        ev.prevent_default();
        over.set(on);
    };
    let clicked = move |ev: leptos::ev::MouseEvent| {
        let target = ev.target().and_then(|target| target.dyn_into::<Element>().ok());
        if !target.is_some_and(|target| target.has_attribute("data-paste")) {
            return;
        }
        let area = browser::document().and_then(|d| d.query_selector(".drop textarea").ok().flatten());
        let text = area.and_then(|area| area.dyn_into::<HtmlTextAreaElement>().ok()).map(|area| area.value());
        lab.load("pasted.csv", text.unwrap_or_default().into_bytes());
    };
    let changed = move |ev: leptos::ev::Event| {
        if let Some(input) = ev.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
            give(input.files());
        }
    };
    let inside = format!(
        "<input type=\"file\" id=\"{id}\" accept=\".csv,.tsv,.txt,.dat,text/csv,text/plain\" aria-describedby=\"{described}\">\
         <p>Or drop a CSV file here. It stays in this browser: nothing is sent anywhere.</p>\
         <details><summary>Paste a table</summary><textarea rows=\"5\" aria-label=\"A table as text\"></textarea>\
         <button type=\"button\" data-paste>Use this table</button></details>"
    );
    let known = move || lab.data.with(|stage| stage.as_ref().map(own_data::preview).unwrap_or_default());
    view! {
        <div class="drop" class:over=over on:dragover=move |ev| hover(&ev, true) on:dragleave=move |ev| hover(&ev, false)
            on:drop=move |ev| {
                hover(&ev, false);
                give(ev.data_transfer().and_then(|data| data.files()));
            } on:change=changed on:click=clicked>
            <div inner_html=inside></div>
            <div role="status" inner_html=known></div>
        </div>
    }
    .into_any()
}
