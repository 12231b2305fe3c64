//! Exercises of a page: things to try in its picture, each ticked once it has been done.

use leptos::prelude::*;

use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::lab::{Exercise, Goal, Preset, Task};

/// Duration of the highlight of a picture, in milliseconds.
const POINTED_MS: i32 = 1_200;

/// Exercises of the page in the address, each a button that applies the preset or the setting that completes it, or points at the picture.
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
        (!meta.exercises.is_empty())
            .then(|| view! { <ol class="exercises">{items.collect_view()}</ol> }.into_any())
    }
}

fn exercise_text(app: AppState, task: &'static dyn Task, exercise: &'static Exercise) -> AnyView {
    if let Some(preset) = preset_of(task, exercise) {
        let apply = move |_| app.apply_preset(preset.query);
        return view! { <button type="button" class="quiet" title=preset.help on:click=apply>{exercise.text}</button> }
            .into_any();
    }
    match exercise.edit() {
        Some((key, text)) => {
            let apply = move |_| app.apply_exercise(key, &text);
            view! { <button type="button" class="quiet" on:click=apply>{exercise.text}</button> }.into_any()
        }
        None => view! { <button type="button" class="quiet" on:click=|_| point_at_picture()>{exercise.text}</button> }
            .into_any(),
    }
}

/// Focuses the first picture, where the exercise is done, and highlights it briefly.
fn point_at_picture() {
    const PICTURE: &str = ".figure:first-child > .picture";
    browser::focus(PICTURE);
    let picture = browser::document().and_then(|document| document.query_selector(PICTURE).ok().flatten());
    if let Some(picture) = picture {
        let _ = picture.class_list().add_1("pointed-at");
        browser::timeout(POINTED_MS, move || drop(picture.class_list().remove_1("pointed-at")));
    }
}

/// Returns the preset that completes an exercise, if it is one.
fn preset_of(task: &'static dyn Task, exercise: &Exercise) -> Option<&'static Preset> {
    let Goal::Preset(label) = exercise.goal else { return None };
    task.meta().presets.iter().find(|preset| preset.label == label)
}
