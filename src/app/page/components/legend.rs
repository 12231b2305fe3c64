//! Buttons over the names of the marks, which switch marks on and off.

use leptos::prelude::*;

use crate::app::choices::Choices;
use crate::render::{Drawing, FigureLayout, Rect};

/// The drawn name of a mark: key and label of the mark, true if it is shown, and position of the name.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkName {
    key: String,
    label: String,
    shown: bool,
    rect: Rect,
}

/// Returns the names that are switches in a drawing with that layout.
pub fn mark_names(drawing: &Drawing, layout: &FigureLayout) -> Vec<MarkName> {
    if !drawing.switches {
        return Vec::new();
    }
    let name = |(index, rect): (usize, Rect)| {
        let mark = &drawing.figure.marks[index];
        let entry = mark.info();
        // Pins have no switch: they are removed in their table.
        let own = mark.is_switchable() && drawing.styles[index].thin.is_none();
        let (key, label) = (entry.key.clone(), entry.label.clone());
        own.then_some(MarkName { key, label, shown: drawing.shows(index), rect })
    };
    layout.names().filter_map(name).collect()
}

/// Shows the buttons over the names as they were drawn last.
#[component]
pub fn Legend(
    figure: Memo<String>,
    names: RwSignal<Vec<MarkName>>,
    choices: RwSignal<Choices>,
) -> impl IntoView {
    let button = move |key: String, label: String| {
        let key = StoredValue::new(key);
        let now = Memo::new(move |_| {
            names.with(|all| key.with_value(|key| all.iter().find(|name| name.key == *key).cloned()))
        });
        let shown = move || now.with(|now| now.as_ref().is_some_and(|now| now.shown));
        let px = move |pick: fn(&Rect) -> f64| {
            Signal::derive(move || {
                now.with(|now| now.as_ref().map_or(String::new(), |now| format!("{}px", pick(&now.rect))))
            })
        };
        let switch = move |_| {
            let shown = untrack(shown);
            let figure = figure.get_untracked();
            choices.update(|all| key.with_value(|key| all.set(&figure, key, !shown)));
        };
        view! {
            <button type="button" class="name" aria-pressed=move || shown().to_string() aria-label=label
                title="Show or hide" style:left=px(|r| r.left) style:top=px(|r| r.top)
                style:width=px(|r| r.right - r.left) style:height=px(|r| r.bottom - r.top) on:click=switch></button>
        }
    };
    // A name keeps its button while it moves and others come and go.
    let all = Memo::new(move |_| {
        names.with(|all| all.iter().map(|name| (name.key.clone(), name.label.clone())).collect::<Vec<_>>())
    });
    view! {
        <div class="legend" role="group" aria-label="Curves">
            <For each=move || all.get() key=Clone::clone children=move |(key, label)| button(key, label) />
        </div>
    }
}
