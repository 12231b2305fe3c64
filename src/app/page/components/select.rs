//! Choice of one of several words.

use leptos::prelude::*;

/// Accessible name of a choice.
pub enum Names {
    /// Described by the elements with these ids and named by a label.
    By(String),
    /// Named by these words.
    Words(String),
}

/// Returns a choice among pairs of value and text. `chosen` is the current value.
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
