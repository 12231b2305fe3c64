//! Presets: settings at one click, those that need a file apart, with where it comes from.

use leptos::prelude::*;

use super::boxed::{list, on, part, signal};
use crate::app::own_data;
use crate::app::state::Lab;
use crate::lab::{Preset, Task};

/// The presets of a task; the one that is shown is marked.
#[component]
pub fn Presets(lab: Lab, task: &'static dyn Task) -> impl IntoView {
    let presets = task.meta().presets;
    let button = move |preset: &'static Preset| {
        let active = move || (lab.active_preset.get() == Some(preset.query)).to_string();
        view! {
            <button type="button" aria-pressed=signal(active) title=preset.help on:click=on(move |_| lab.preset(preset.query))>
                {preset.label}
            </button>
        }
    };
    let needs = |preset: &&Preset| own_data::needs(task.fields(), preset.query);
    let free = presets.iter().filter(|preset| needs(preset).is_none());
    let mut sets: Vec<_> = presets.iter().filter_map(|preset| needs(&preset)).collect();
    sets.dedup_by_key(|set| set.name);
    let bound = sets.into_iter().map(|set| {
        let alike =
            presets.iter().filter(|preset| needs(preset).is_some_and(|needed| needed.name == set.name));
        let places = set.files.iter().map(|file| {
            let name = file.paths[0].rsplit('/').next().unwrap_or_default();
            view! { <a href=file.address rel="noreferrer">{name}</a>" " }
        });
        view! {
            <p class="needs" id=format!("needs-{}", set.name)>"Needs "{list(places)}</p>
            <div class="presets" role="group" aria-labelledby=format!("needs-{}", set.name)>
                {list(alike.map(button))}
            </div>
        }
    });
    part(!presets.is_empty(), || {
        view! {
            <fieldset class="preset-box">
                <legend>"Presets"</legend>
                <div class="presets" role="group" aria-label="Presets">{list(free.map(button))}</div>
                {list(bound)}
            </fieldset>
        }
    })
}
