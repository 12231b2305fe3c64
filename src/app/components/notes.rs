//! Margin notes: what a figure means, beside it.

use leptos::prelude::*;

/// The column of notes.
#[component]
pub fn Notes(children: Children) -> impl IntoView {
    view! { <aside class="notes" aria-label="Explanation">{children()}</aside> }
}

/// One note under a heading.
#[component]
pub fn Note(title: &'static str, children: Children) -> impl IntoView {
    view! { <section><h2>{title}</h2>{children()}</section> }
}
