//! Margin notes: what a model's figures mean, beside them. Their words are files of their own
//! (`assets/notes/MODEL.html`), fetched when the model is first looked at.

use std::collections::BTreeMap;

use js_sys::futures::spawn_local;
use leptos::prelude::*;

use crate::app::browser;
use crate::protocol::VERSION;

/// The notes fetched so far, by model.
pub type NotesRead = RwSignal<BTreeMap<String, Option<String>>>;

/// The column of notes; it is there, if empty, before they come.
#[component]
pub fn Notes(model: String, read: NotesRead) -> impl IntoView {
    let model = StoredValue::new(model);
    let fetch = move || {
        let model = model.get_value();
        spawn_local(async move {
            // The build in the address keeps a cache from handing out another build's words.
            let text = browser::fetch_text(&format!("./notes/{model}.html?v={VERSION}")).await;
            // A host may answer with its front page instead of a refusal.
            let notes = text.filter(|text| text.starts_with("<section>"));
            read.update(|read| drop(read.insert(model, notes)));
        });
    };
    let now = move || read.with(|read| read.get(&model.get_value()).cloned());
    if now().flatten().is_none() {
        fetch();
    }
    let content = move || match now() {
        Some(Some(html)) => view! { <div inner_html=html></div> }.into_any(),
        Some(None) => view! {
            <p role="alert">"The explanation could not be loaded."</p>
            <button type="button" on:click=move |_| fetch()>"Try again"</button>
        }
        .into_any(),
        None => ().into_any(),
    };
    view! { <aside class="notes" aria-label="Explanation">{content}</aside> }
}
