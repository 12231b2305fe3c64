//! Explanations beside the figures. Their texts are files (`src/models/NAME/page/TASK.html`), fetched when a task is first opened.

use leptos::prelude::*;

use crate::app::page::browser;
use crate::lab::{Paper, Raw, model_of};

/// Notes fetched so far, by task; empty if they could not be loaded.
pub type NotesRead = RwSignal<Raw>;

/// Shows the column of notes, empty until they are loaded.
#[component]
pub fn Notes(task: &'static str, paper: Option<Paper>, read: NotesRead) -> impl IntoView {
    let model = model_of(task);
    let fetch = move || {
        browser::spawn(async move {
            // The build in the address prevents a cache from returning the text of another build.
            let text = browser::fetch_text(&format!("./{model}/{task}.html?v={}", browser::build())).await;
            // Some hosts answer with their front page in place of status 404.
            let notes = text.filter(|text| text.starts_with("<section>")).unwrap_or_default();
            read.update(|read| drop(read.insert(task.to_owned(), notes)));
        });
    };
    let now = move || read.with(|read| read.get(task).cloned());
    if untrack(now).unwrap_or_default().is_empty() {
        fetch();
    }
    let failed = move || now().is_some_and(|html| html.is_empty());
    view! {
        <aside class="notes" aria-label="Explanation">
            <div inner_html=move || now().unwrap_or_default()></div>
            <div role="alert">{move || failed().then(|| view! {
                <p>"The explanation could not be loaded."</p>
                <button type="button" on:click=move |_| fetch()>"Try again"</button>
            })}</div>
            // The citation appears after the notes, so that nothing moves.
            {move || now().and(paper).map(|paper| view! { <Citation paper /> }.into_any())}
        </aside>
    }
}

/// Shows the citation of the model's paper, as text and as BibTeX.
#[component]
fn Citation(paper: Paper) -> impl IntoView {
    view! {
        <section>
            <p>{paper.authors} ", " <cite>{paper.title}</cite> ", " {paper.reference} "."</p>
            <p><a href="#/papers">"Its claims, one by one"</a></p>
            <details><summary>"BibTeX"</summary><pre>{paper.bibtex}</pre></details>
        </section>
    }
}
