//! Challenge of a page: a result to reach, compared with the result that is shown.

use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::lab::{Challenge, Task};

/// Shows the challenge with the numbers of the current result; nothing on a page without one.
#[component]
pub fn ChallengeBox(app: AppState, task: &'static dyn Task) -> impl IntoView {
    let solved = Memo::new(move |_| app.run.attempt.with(|now| now.as_ref().is_some_and(|now| now.solved)));
    // Keeps the last numbers, hidden, so that the layout does not shift.
    let now = Memo::new(move |before: Option<&String>| match app.run.attempt.get() {
        Some(attempt) if attempt.solved => format!("Solved: {}.", attempt.numbers),
        Some(attempt) => format!("Now {}.", attempt.numbers),
        None => before.cloned().unwrap_or_default(),
    });
    let past = Memo::new(move |_| app.run.attempt.with(Option::is_none));
    challenge_of(app, task).map(|challenge| {
        view! {
            <fieldset class="challenge" class:solved=solved>
                <legend>"Challenge"</legend>
                <p>{challenge.text}</p>
                <p class="now" class:past=past aria-live="polite">{now}</p>
            </fieldset>
        }
    })
}

/// Returns the challenge of a page: its own, or that of its live companion.
fn challenge_of(app: AppState, task: &'static dyn Task) -> Option<&'static Challenge> {
    let meta = task.meta();
    meta.challenge.or_else(|| app.catalog.task(meta.live?)?.meta().challenge)
}
