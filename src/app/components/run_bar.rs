//! Run, pause, step, stop, undo, share; how far the run is and how it ended.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::boxed::{list, live, memo, on, signal};
use super::copy_button::{Looks, copy_button};
use crate::app::browser;
use crate::app::state::Lab;
use crate::lab::InputError;

/// Longer values are not named on a button, in bytes.
const SHORT: usize = 24;

/// The bar over the figures.
#[component]
pub fn RunBar(lab: Lab) -> impl IntoView {
    let invalid =
        memo(move |_| lab.checked.with(|checked| checked.as_ref().err().map(|all| invalid(lab, all))));
    let state = memo(move |_| lab.run.with(|run| run.state));
    let active = memo(move |_| matches!(state.get(), "running" | "paused"));
    let main = memo(move |_| {
        lab.run.with(|run| match (run.state, run.changed) {
            (_, true) => "Run again".to_owned(),
            ("running", _) => "Pause".to_owned(),
            ("paused", _) => "Resume".to_owned(),
            _ => "Run".to_owned(),
        })
    });
    let sentence = memo(move |_| lab.run.with(|run| run.sentence.clone()));
    let remark = memo(move |_| match invalid.get() {
        Some(invalid) => invalid,
        None if lab.run.with(|run| run.changed) => lab
            .run
            .with(|run| format!(" Settings changed: run again. {}", run.expected).trim_end().to_owned()),
        None => String::new(),
    });
    // Only beginnings and endings are spoken; the running sentence would never stop.
    let spoken = memo(move |_| if state.get() == "running" { "Running.".to_owned() } else { sentence.get() });
    let found = memo(move |_| {
        lab.found.with(|found| match found.values().next() {
            Some(one) if found.len() == 1 && (1..=SHORT).contains(&one.len()) => format!("Use “{one}”"),
            _ => "Use these values".to_owned(),
        })
    });
    let fraction = memo(move |_| lab.run.with(|run| run.fraction));
    view! {
        <div class="run-bar">
            <div class="buttons" role="group" aria-label="Run">
                <button type="button" class="main" title="Run or pause (Space)"
                    disabled=signal(move || invalid.with(Option::is_some) && !active.get())
                    on:click=on(move |_| lab.run_or_pause())>{main}</button>
                <button type="button" title="One slice of work, then pause (S)" on:click=on(move |_| lab.step())>"Step"</button>
                <button type="button" title="Stop and keep what is finished (Escape)" disabled=signal(move || !active.get())
                    on:click=on(move |_| lab.stop())>"Stop"</button>
                <button type="button" class="found" title="Put the values that this run found or suggests into the form, and run with them"
                    hidden=signal(move || lab.found.with(BTreeMap::is_empty))
                    on:click=on(move |_| lab.use_found())>{found}</button>
                <span class="spacer"></span>
                <button type="button" class="quiet undo" title="Undo the last change (Ctrl+Z)"
                    disabled=signal(move || !lab.can_undo()) on:click=on(move |_| lab.undo())>"Undo"</button>
                <button type="button" class="quiet" title="Restore the default settings; can be undone"
                    on:click=on(move |_| lab.reset())><span class="long">"Restore "</span>"defaults"</button>
                <button type="button" class="quiet pin" title="Keep this run to compare others with"
                    on:click=on(move |_| lab.pin())>"Pin"</button>
                {copy_link(lab)}
            </div>
            <p class="sentence" data-state=signal(move || state.get().to_owned())><span>{sentence}</span><strong>{remark}</strong></p>
            {copy_details()}
            <progress max="1" prop:value=fraction aria-label="Fraction done"></progress>
            <p class="sr-only" role="status" aria-live="polite">{spoken}</p>
        </div>
        <Messages lab />
    }
}

/// Copies the permalink.
fn copy_link(lab: Lab) -> AnyView {
    let looks = Looks {
        class: "quiet copy-link",
        title: Some("Copy the address of this run with all its settings"),
        words: "Copy link",
    };
    copy_button(
        looks,
        Box::new(move || lab.raw.track()),
        Box::new(move || Some(browser::address(&lab.link()))),
    )
}

/// Beside the words about a crash, and hidden without one (`data-crash`); `boot.js` does what it says.
fn copy_details() -> impl IntoView {
    view! {
        <button type="button" class="quiet copy-details"
            title="Copy version, link, message and browser, for a report of this crash">"Copy details"</button>
    }
}

/// What went wrong and was put right, over the page so that nothing is moved by it.
#[component]
fn Messages(lab: Lab) -> impl IntoView {
    let all = memo(move |_| {
        let notices = lab.notices.get();
        lab.run.with(|run| notices.into_iter().chain(run.incidents.iter().cloned()).collect::<Vec<_>>())
    });
    // What was read and put away; anything new is shown again.
    let read = RwSignal::new(Vec::new());
    let shown = live(move || {
        all.with(|all| (!all.is_empty() && read.with(|read| read != all)).then(|| all.clone())).map(|texts| {
            let items = list(texts.into_iter().map(|text| view! { <li>{text}</li> }));
            view! {
                <ul class="notices">{items}</ul>
                <button type="button" class="quiet" on:click=on(move |_| read.set(all.get_untracked()))>"Dismiss"</button>
                {copy_details()}
            }
            .into_any()
        })
    });
    // There before its first message, so that screen readers know to listen.
    view! { <div class="messages" role="status">{shown}</div> }
}

/// What is said of a specification that is not valid.
fn invalid(lab: Lab, errors: &[InputError]) -> String {
    let fields = lab.task().map_or(&[][..], |task| task.fields());
    let unmarked = errors.iter().find(|error| fields.iter().all(|field| field.key != error.field));
    match (unmarked, errors) {
        (Some(error), _) => format!(" {}", error.complaint()),
        (None, [error]) => format!(" Invalid setting. {}: {}", error.name(), error.complaint()),
        (None, _) => " Some settings are invalid; see the highlighted fields.".to_owned(),
    }
}
