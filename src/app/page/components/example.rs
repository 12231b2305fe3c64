//! Example of a page that needs a table: a button that runs it, its first rows, and its result.

use leptos::prelude::*;

use super::table::Table;
use crate::app::own_data;
use crate::app::page::browser;
use crate::app::page::state::{AppState, fetch_beside_page};
use crate::figure::unbroken;
use crate::lab::{Field, Link, Preset};

/// Shows a button that runs the example, and its description.
#[component]
pub fn ExampleButton(app: AppState, preset: &'static Preset) -> impl IntoView {
    view! {
        <div class="example">
            <button type="button" on:click=move |_| {
                app.apply_preset(preset.query);
                // The button is not shown any more.
                browser::timeout(0, || browser::focus("#main"));
            }>{own_data::TRY}</button>
            <p>{unbroken(preset.help)}</p>
        </div>
    }
}

/// Shows the first rows of the table of the example; nothing if it cannot be fetched. If the task predicts a column, it is the last one.
#[component]
pub fn ExampleTable(
    field: &'static Field,
    preset: &'static Preset,
    /// True if the task predicts a column.
    predicts: bool,
) -> impl IntoView {
    let table = RwSignal::new(None);
    browser::spawn(async move {
        let set = own_data::named(&Link::settings(preset.query), field.key).and_then(|data| data.known());
        if let Some([file]) = set.map(|set| set.files)
            && let Some(content) = fetch_beside_page(file).await
        {
            drop(table.try_set(own_data::first_rows(&content.bytes)));
        }
    });
    let heading = move || {
        let predicted = table.with(|table| table.as_ref().and_then(|(head, _)| head.last().cloned()));
        match predicted.filter(|_| predicts) {
            Some(name) => format!("{} (predicted: “{name}”)", own_data::ROWS),
            None => own_data::ROWS.to_owned(),
        }
    };
    view! {
        // It scrolls if its names are long, also by keyboard.
        <section class="example-rows" tabindex="0" aria-label=own_data::ROWS hidden=move || table.with(Option::is_none)>
            <h2>{heading}</h2>
            {move || table.get().map(|(head, rows)| view! { <Table head rows /> })}
        </section>
    }
}

/// Shows the first figure of the example, drawn beforehand; nothing if it cannot be fetched.
#[component]
pub fn ExampleResult(page: &'static str) -> impl IntoView {
    let picture = RwSignal::new(String::new());
    browser::spawn(async move {
        let file = own_data::example_picture(page, browser::is_narrow());
        if let Some(text) = browser::fetch_text(page, &file).await {
            drop(picture.try_set(text));
        }
    });
    view! {
        <section class="example-result" aria-label=own_data::RESULT hidden=move || picture.with(String::is_empty)>
            <h2>{own_data::RESULT}</h2>
            <figure inner_html=picture></figure>
        </section>
    }
}
