//! The input of a field of data: choose a file, drop it, or paste a table; then what is in it. Its inside is markup, which
//! costs the page a fraction of what as many views would.

use leptos::ev::DragEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, FileList, HtmlInputElement, HtmlTextAreaElement};

use crate::app::state::Lab;
use crate::app::{browser, form, own_data};

/// Drop zone, file picker and paste for the field of that key, with a preview under them.
pub fn data_input(lab: Lab, key: &'static str) -> AnyView {
    let over = RwSignal::new(false);
    let give = move |files: Option<FileList>| {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        browser::spawn(async move {
            match browser::read(&file).await {
                Ok(bytes) => lab.load(key, &file.name(), bytes),
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
        // What stands before a button is what it is for.
        let before = target.filter(|target| target.has_attribute("data-do"));
        let Some(before) = before.and_then(|target| target.previous_element_sibling()) else { return };
        match before.dyn_into::<HtmlTextAreaElement>() {
            Ok(area) => lab.load(key, "pasted.csv", area.value().into_bytes()),
            Err(before) => {
                // The same file can be chosen again.
                if let Ok(input) = before.dyn_into::<HtmlInputElement>() {
                    input.set_value("");
                    lab.edit(key, "");
                    lab.settle();
                }
            }
        }
    };
    let changed = move |ev: leptos::ev::Event| {
        if let Some(input) = ev.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok()) {
            give(input.files());
            // The same file, mended on disk, can be chosen again; what is named is told by the preview.
            input.set_value("");
        }
    };
    // Without the main one there is nothing to run on.
    let forget = if lab.main() == Some(key) {
        ""
    } else {
        "<button type=\"button\" class=\"quiet forget\" data-do>Remove</button>"
    };
    let (id, described) = (form::id(key), form::described(key));
    let inside = format!(
        "<input type=\"file\" id=\"{id}\" accept=\".csv,.tsv,.txt,.dat,text/csv,text/plain\" aria-describedby=\"{described}\">{forget}\
         <p>Or drop a CSV file here. It stays in this browser: nothing is sent anywhere.</p>\
         <details><summary>Paste a table</summary><textarea rows=\"5\" aria-label=\"A table as text\"></textarea>\
         <button type=\"button\" data-do>Use this table</button></details>"
    );
    let known = move || {
        lab.data.with(|all| {
            let stage = all.iter().find(|of| of.0 == key);
            stage
                .zip(lab.named(key))
                .map(|(of, named)| own_data::preview(&named.name, &of.1))
                .unwrap_or_default()
        })
    };
    let named = move || lab.named(key).is_some();
    view! {
        <div class="drop" class:over=over class:named=named on:dragover=move |ev| hover(&ev, true) on:dragleave=move |ev| hover(&ev, false)
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

/// What stands in the figures' place while a run waits for a file: the two ways to begin.
pub fn begin(lab: Lab) -> impl IntoView {
    let waits = Memo::new(move |_| lab.main().is_some() && lab.run.with(|run| run.state == "idle"));
    let example =
        untrack(|| lab.task()).and_then(|task| own_data::example(task.fields(), task.meta().presets));
    let clicked = move |ev: leptos::ev::MouseEvent| match (
        event_target::<Element>(&ev).get_attribute("data-do").as_deref(),
        example,
    ) {
        (Some("choose"), _) => choose(lab),
        (Some(_), Some(example)) => lab.preset(example.query),
        _ => {}
    };
    view! {
        <div class="begin" hidden=move || !waits.get() inner_html=own_data::beginning(example) on:click=clicked></div>
    }
}

/// Opens the browser's choice of files.
fn choose(lab: Lab) {
    let Some(task) = lab.task() else { return };
    // For the one that is named and not here, or else the main one.
    let here = |key| lab.data.with_untracked(|all| all.iter().any(|known| known.0 == key));
    let awaited = own_data::keys(task.fields()).find(|key| lab.named(key).is_some() && !here(*key));
    if let Some(input) = awaited.or(lab.main()).and_then(|key| browser::input(&form::id(key))) {
        input.click();
    }
}
