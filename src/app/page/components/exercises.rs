//! Exercises of a page: things to try in its picture, each ticked once it has been done; and its challenge.

use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::lab::{Challenge, Exercise, Goal, Preset, Task};

/// Exercises of the page in the address. One that a preset completes is a button that applies it.
#[component]
pub fn Exercises(app: AppState) -> impl IntoView {
    move || {
        let task = app.task()?;
        let meta = task.meta();
        let items = meta.exercises.iter().enumerate().map(|(index, exercise)| {
            let done = Memo::new(move |_| app.exercises_done.with(|done| done.contains(&(meta.id, index))));
            view! {
                <li class:done=done>
                    {exercise_text(app, task, exercise)}
                    <span class="sr-only">{move || if done.get() { ", done" } else { "" }}</span>
                </li>
            }
        });
        Effect::new(move || app.tick_exercises());
        let challenge = challenge_of(app, task).map(|challenge| view! { <ChallengeView app challenge /> });
        (!meta.exercises.is_empty())
            .then(|| view! { <ol class="exercises">{items.collect_view()}{challenge}</ol> }.into_any())
    }
}

fn exercise_text(app: AppState, task: &'static dyn Task, exercise: &'static Exercise) -> AnyView {
    match preset_of(task, exercise) {
        Some(preset) => {
            let apply = move |_| app.apply_preset(preset.query);
            view! { <button type="button" class="quiet" title=preset.help on:click=apply>{exercise.text}</button> }
                .into_any()
        }
        None => view! { <span>{exercise.text}</span> }.into_any(),
    }
}

/// Returns the preset that completes an exercise, if it is one.
fn preset_of(task: &'static dyn Task, exercise: &Exercise) -> Option<&'static Preset> {
    let Goal::Preset(label) = exercise.goal else { return None };
    task.meta().presets.iter().find(|preset| preset.label == label)
}

/// Returns the challenge of a page: its own, or that of its live companion.
fn challenge_of(app: AppState, task: &'static dyn Task) -> Option<&'static Challenge> {
    let meta = task.meta();
    meta.challenge.or_else(|| app.catalog.task(meta.live?)?.meta().challenge)
}

/// Challenge with the numbers of the present result.
#[component]
fn ChallengeView(app: AppState, challenge: &'static Challenge) -> impl IntoView {
    let solved =
        Memo::new(move |_| app.run.attempt.with(|attempt| attempt.as_ref().is_some_and(|now| now.solved)));
    let now = move || match app.run.attempt.get() {
        Some(attempt) if attempt.solved => format!("Solved: {}.", attempt.numbers),
        Some(attempt) => format!("Now {}.", attempt.numbers),
        None => String::new(),
    };
    view! {
        <li class="challenge" class:done=solved>
            <span>{challenge.text}</span>
            <span class="now" aria-live="polite">{now}</span>
        </li>
    }
}
