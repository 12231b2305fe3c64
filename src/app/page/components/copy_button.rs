//! Button that copies a text and shows the outcome for a moment.

use leptos::prelude::*;

use crate::app::page::browser;

/// Time for which the outcome is shown, in milliseconds.
const SHOWN_MS: i32 = 2_500;

/// Class, title and label of a button.
pub struct Looks {
    pub class: &'static str,
    pub title: Option<&'static str>,
    pub words: &'static str,
}

/// Returns the button. `follow` tracks the signals on which the text depends; `text` returns the text, if there is one.
pub fn copy_button(
    Looks { class, title, words }: Looks,
    follow: Box<dyn Fn()>,
    text: Box<dyn Fn() -> Option<String>>,
) -> AnyView {
    let label = RwSignal::new(words.to_owned());
    Effect::new(move || {
        follow();
        label.set(words.to_owned());
    });
    let copy = move |_| {
        if let Some(text) = text() {
            browser::copy(&text, move |well| {
                label.set(if well { "Copied" } else { "Not copied" }.to_owned());
                browser::timeout(SHOWN_MS, move || drop(label.try_set(words.to_owned())));
            });
        }
    };
    view! { <button type="button" class=class title=title on:click=copy>{label}</button> }.into_any()
}
