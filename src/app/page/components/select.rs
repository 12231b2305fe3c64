//! A choice of one of several words.

use leptos::prelude::*;

/// How a choice is named to who does not see it.
pub enum Names {
    /// By the elements with these ids; its name is a label's.
    By(String),
    /// By these words.
    Words(String),
}

/// A choice among `words`, each with what stands there for it; `chosen` follows who else changes it.
pub fn select(
    id: Option<String>,
    names: Names,
    words: Vec<(String, String)>,
    chosen: Memo<String>,
    set: impl Fn(&str) + 'static,
) -> AnyView {
    let options = words.into_iter().map(|(word, reads)| {
        let is = word.clone();
        let selected = move || chosen.with(|chosen| *chosen == is);
        view! { <option value=word prop:selected=selected>{reads}</option> }
    });
    let (described, label) = match names {
        Names::By(ids) => (Some(ids), None),
        Names::Words(words) => (None, Some(words)),
    };
    view! {
        <select id=id aria-describedby=described aria-label=label on:change=move |ev| set(&event_target_value(&ev))>
            {options.collect_view()}
        </select>
    }
    .into_any()
}
