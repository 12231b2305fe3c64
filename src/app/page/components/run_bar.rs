//! Buttons and state of the run.

use std::collections::BTreeMap;

use leptos::prelude::*;

use super::copy_button::{Looks, copy_button};
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::app::view::{RunState, RunView};
use crate::lab::InputError;

/// Sentence during a replay.
const FINAL_RESULT: &str = "Headline and caption show the final result.";

/// Shows the bar over the figures.
#[component]
pub fn RunBar(app: AppState) -> impl IntoView {
    let invalid = Memo::new(move |_| {
        app.form.checked.with(|checked| checked.as_ref().err().map(|all| invalid(app, all)))
    });
    let state = Memo::new(move |_| app.run.state());
    let active = Memo::new(move |_| state.get().is_active());
    let main = Memo::new(move |_| app.run.view.with(main_words));
    let changed = Memo::new(move |_| app.run.view.with(|run| run.changed));
    // The sentence beside the buttons asks for the file.
    let waits = Memo::new(move |_| app.awaits_file() && !changed.get());
    // The same settings would be refused again.
    let refused = Memo::new(move |_| state.get() == RunState::Rejected && !changed.get());
    let sentence = Memo::new(move |_| app.run.view.with(|run| run.sentence.clone()));
    let remark = Memo::new(move |_| match invalid.get() {
        Some(invalid) => invalid,
        None => app.run.view.with(|run| run.remark(app.run.settled.get())),
    });
    let replayed = Memo::new(move |_| app.replay.position.with(Option::is_some));
    // There is nothing to say but how long it took, or which work is replayed.
    let brief = Memo::new(move |_| {
        let done = || sentence.with(|sentence| sentence.starts_with("Done in"));
        (replayed.get() || done()) && remark.with(String::is_empty)
    });
    let words = move || match (replayed.get(), app.replay.note.get()) {
        (false, _) => sentence.get(),
        (true, note) if note.is_empty() => FINAL_RESULT.to_owned(),
        (true, note) => format!("{note}. {FINAL_RESULT}"),
    };
    // Screen readers announce only the start and the end of a run.
    let spoken =
        Memo::new(
            move |_| if state.get() == RunState::Running { "Running.".to_owned() } else { sentence.get() },
        );
    let fraction = Memo::new(move |_| app.run.view.with(|run| run.fraction));
    view! {
        <div class="run-bar">
            <div class="buttons" role="group" aria-label="Run">
                <button type="button" class="main" class:again=changed title="Run or pause (Space)"
                    disabled=move || (invalid.with(Option::is_some) || waits.get() || refused.get()) && !active.get()
                    on:click=move |_| app.run_or_pause()>{main}</button>
                <button type="button" title="One slice of work, then pause (S)"
                    disabled=move || invalid.with(Option::is_some) || waits.get()
                    on:click=move |_| app.step()>"Step"</button>
                <button type="button" class="stop" title="Stop and keep what is finished (Escape)" disabled=move || !active.get()
                    on:click=move |_| {
                        app.stop();
                        browser::focus(".run-bar .main");
                    }>"Stop"</button>
                <FoundButton app />
                <span class="spacer"></span>
                {other_buttons(app)}
            </div>
            <p class="sentence" class:brief=brief data-state=move || state.get().word()><span>{words}</span><strong class:wrong=move || invalid.with(Option::is_some)>{remark}</strong></p>
            {copy_details()}
            <progress max="1" prop:value=fraction aria-label="Fraction done"></progress>
            <p class="sr-only" role="status" aria-live="polite">{spoken}</p>
        </div>
        <Messages app />
    }
}

/// Returns the label of the main button.
fn main_words(run: &RunView) -> &'static str {
    match (run.state, run.changed) {
        (_, true) => "Run again",
        (RunState::Running, _) => "Pause",
        (RunState::Paused, _) => "Resume",
        _ => "Run",
    }
}

/// Shows the buttons for settings and results, beside those of the run.
fn other_buttons(app: AppState) -> impl IntoView {
    view! {
        <button type="button" class="quiet redo" title="Redo the last undone change (Ctrl+Shift+Z)"
            hidden=move || !app.can_redo() on:click=move |_| {
                app.redo();
                if !app.can_redo() {
                    browser::focus(".run-bar .main");
                }
            }>"Redo"</button>
        <button type="button" class="quiet undo" title="Undo the last change (Ctrl+Z)"
            disabled=move || !app.can_undo() on:click=move |_| {
                app.undo();
                if !app.can_undo() {
                    browser::focus(".run-bar .main");
                }
            }>"Undo"</button>
        <button type="button" class="quiet" title="Restore the default settings; can be undone"
            on:click=move |_| app.restore_defaults()><span class="long">"Restore "</span>"defaults"</button>
        {pin_button(app)}
        {copy_link(app)}
    }
}

/// Shows a button that puts the values that the run found or suggests into the form, and runs with them.
#[component]
fn FoundButton(app: AppState) -> impl IntoView {
    let words = Memo::new(move |_| {
        let (texts, fields) = (app.form.texts(), app.task().map_or(&[][..], |task| task.fields()));
        app.run.found.with(|found| app.run.view.with(|run| run.found_label(found, &texts, fields)))
    });
    view! {
        <button type="button" class="found" title="Enter the fitted or suggested values in the form and run again"
            hidden=move || app.run.found.with(BTreeMap::is_empty)
            on:click=move |_| {
                app.use_found();
                // The button may be gone.
                browser::timeout(0, browser::focus_main_if_lost);
            }>{words}</button>
    }
}

/// Pins the run. The button has the number of the pin until a setting changes.
fn pin_button(app: AppState) -> impl IntoView {
    let number = RwSignal::new(None);
    Effect::new(move || {
        app.form.raw.track();
        number.set(None);
    });
    let pin = move |_| number.set(app.pin());
    let words = move || number.get().map_or("Pin".to_owned(), |_| "Pinned".to_owned());
    let more = move || number.get().map_or(" to compare".to_owned(), |number| format!(" as pin {number}"));
    view! {
        <button type="button" class="quiet pin" title="Keep this run to compare others with; a table below the figures lists the pins"
            on:click=pin>{words}<span class="long">{more}</span></button>
    }
}

/// Copies the permalink.
fn copy_link(app: AppState) -> AnyView {
    let looks = Looks {
        class: "quiet copy-link",
        title: Some("Copy the address of this run with all its settings"),
        words: "Copy link",
    };
    copy_button(
        looks,
        Box::new(move || app.form.raw.track()),
        Box::new(move || Some(browser::address(&app.form.link()))),
    )
}

/// Shows a button beside the message of a crash, hidden without one (`data-crash`). `boot.js` handles its clicks.
fn copy_details() -> impl IntoView {
    view! {
        <button type="button" class="quiet copy-details"
            title="Copy version, link, message and browser, for a report of this crash">"Copy details"</button>
    }
}

/// Notices over the page; they do not move its content.
#[component]
fn Messages(app: AppState) -> impl IntoView {
    let all = Memo::new(move |_| {
        let notices = app.notices.get();
        app.run.view.with(|run| notices.into_iter().chain(run.incidents.iter().cloned()).collect::<Vec<_>>())
    });
    // Dismissed messages; new ones are shown again.
    let read = RwSignal::new(Vec::new());
    let shown = move || {
        all.with(|all| (!all.is_empty() && read.with(|read| read != all)).then(|| all.clone())).map(|texts| {
            let items = texts.into_iter().map(|text| view! { <li>{text}</li> }).collect_view();
            view! {
                <ul class="notices">{items}</ul>
                <button type="button" class="quiet" on:click=move |_| read.set(all.get_untracked())>"Dismiss"</button>
                {copy_details()}
            }
            .into_any()
        })
    };
    // The element exists before its first message, so that screen readers announce it.
    view! { <div class="messages" role="status">{shown}</div> }
}

/// Describes invalid settings.
fn invalid(app: AppState, errors: &[InputError]) -> String {
    let fields = app.task().map_or(&[][..], |task| task.fields());
    let unmarked = errors.iter().find(|error| fields.iter().all(|field| field.key != error.field));
    match (unmarked, errors) {
        (Some(error), _) => format!(" {}", error.describe()),
        (None, [error]) => format!(" {}: {}", error.name(), error.expected),
        (None, _) => " Some settings are invalid; see the highlighted fields.".to_owned(),
    }
}
