//! The article of a page, with controls in its sentences and the first figure beside it. The texts are files
//! (`src/models/NAME/page/TASK.html`), fetched when a task is first opened.

use leptos::html;
use leptos::mount::mount_to;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::field::InlineKnob;
use super::figure::FigureBeside;
use crate::app::form;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::lab::{Paper, Raw, Task};

/// Notes fetched so far, by task; empty if they could not be loaded.
pub type NotesRead = RwSignal<Raw>;

/// Shows the article, empty until it is loaded.
#[component]
pub fn Notes(app: AppState, task: &'static dyn Task, paper: Option<Paper>, read: NotesRead) -> impl IntoView {
    let id = task.meta().id;
    let fetch = move || {
        browser::spawn(async move {
            let text = browser::fetch_text(id, &format!("{id}.html")).await;
            // Some hosts answer with their front page in place of status 404.
            let notes = text.filter(|text| text.starts_with("<section>")).unwrap_or_default();
            read.update(|read| drop(read.insert(id.to_owned(), notes)));
        });
    };
    let now = Memo::new(move |_| read.with(|read| read.get(id).cloned()));
    if now.get_untracked().unwrap_or_default().is_empty() {
        fetch();
    }
    let failed = move || now.get().is_some_and(|html| html.is_empty());
    let (article, whole) = (NodeRef::<html::Div>::new(), NodeRef::<html::Aside>::new());
    Effect::new(move |before: Option<Option<_>>| {
        drop(before);
        let (article, html) = (article.get()?, now.get().unwrap_or_default());
        article.set_inner_html(&html);
        follow_conditions(app, &article);
        Some(untrack(|| mount_knobs(app, task, &article)))
    });
    view! {
        <aside class="notes" aria-label="Explanation" node_ref=whole>
            <div class="article" node_ref=article on:click=move |ev| follow_in_place(app, &ev)></div>
            <div role="alert">{move || failed().then(|| view! {
                <p>"The explanation could not be loaded."</p>
                <button type="button" on:click=move |_| fetch()>"Try again"</button>
            })}</div>
            // The citation appears after the notes, so that nothing moves.
            {move || now.get().and(paper).map(|paper| view! { <Citation paper /> }.into_any())}
            <FigureBeside app count=untrack(|| app.first_count()) article=whole />
        </aside>
    }
}

/// Mounts a control in each element of the article that names a field, `<span data-knob="KEY">default</span>`. The controls live as
/// long as the returned handles.
fn mount_knobs(
    app: AppState,
    task: &'static dyn Task,
    article: &web_sys::Element,
) -> Vec<impl Sized + use<>> {
    const KNOB: &str = "data-knob";
    let mut mounted = Vec::new();
    while let Ok(Some(place)) = article.query_selector("[data-knob]") {
        let key = place.get_attribute(KNOB).unwrap_or_default();
        let _ = place.remove_attribute(KNOB);
        if let Some(field) = task.fields().iter().find(|field| field.key == key) {
            place.set_text_content(None);
            let knob = move || view! { <InlineKnob app field /> }.into_any();
            mounted.push(mount_to(place.unchecked_into(), knob));
        }
    }
    mounted
}

/// Shows the passages of the article that apply to the settings: those with `data-if="KEY=VALUE"`, or `KEY!=VALUE`, only then.
fn follow_conditions(app: AppState, article: &web_sys::Element) {
    const CONDITION: &str = "data-if";
    let mut passages: Vec<(web_sys::HtmlElement, String)> = Vec::new();
    while let Ok(Some(passage)) = article.query_selector("[data-if]") {
        let condition = passage.get_attribute(CONDITION).unwrap_or_default();
        let _ = passage.remove_attribute(CONDITION);
        passages.push((passage.unchecked_into(), condition));
    }
    Effect::new(move || {
        let texts = app.form.texts();
        for (passage, condition) in &passages {
            let applies = form::condition(condition)
                .is_none_or(|(key, is, value)| texts.get(key).is_some_and(|text| (text == value) == is));
            passage.set_hidden(!applies);
        }
    });
}

/// Applies the settings of a clicked link to the same page without opening the page anew, so that the text stays where it is.
fn follow_in_place(app: AppState, ev: &leptos::ev::MouseEvent) {
    let target = ev.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
    let link = target.and_then(|target| target.closest("a").ok().flatten());
    let Some(address) = link.and_then(|link| link.get_attribute("href")) else { return };
    let (page, query) = address.split_once('?').unwrap_or((&address, ""));
    let here = app.form.page.with_untracked(|id| page.strip_prefix("#/") == Some(id.as_str()));
    if here && !(ev.ctrl_key() || ev.meta_key() || ev.shift_key()) {
        ev.prevent_default();
        app.apply_preset(query);
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
