//! Presets, each a set of settings. Those that need a file are listed separately, with its source.

use leptos::prelude::*;

use crate::app::own_data;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::app::thumbnails::Thumbnails;
use crate::lab::{Preset, Task};

/// Presets of a task; the chosen one is marked, and its purpose stands below.
#[component]
pub fn Presets(app: AppState, task: &'static dyn Task) -> impl IntoView {
    let presets = task.meta().presets;
    let thumbnails = thumbnails(task);
    let free = presets.iter().filter(|preset| own_data::needs(task.fields(), preset.query).is_none());
    let buttons = free.map(|preset| view! { <PresetButton app preset thumbnails /> });
    // Keeps the last purpose, hidden, so that nothing below it moves.
    let chosen = Memo::new(move |_| app.chosen_preset().map(|preset| preset.help));
    let purpose =
        Memo::new(move |before: Option<&&str>| chosen.get().or(before.copied()).unwrap_or_default());
    (!presets.is_empty()).then(|| {
        view! {
            <fieldset class="preset-box">
                <legend>"Presets"</legend>
                <div class="presets with-thumbnails" role="group" aria-label="Presets">
                    {buttons.collect_view()}
                </div>
                <PresetsOfFiles app task thumbnails />
                <p class="purpose" class:past=move || chosen.with(Option::is_none) aria-live="polite">{purpose}</p>
            </fieldset>
        }
    })
}

/// Presets that need a file which is not shipped with the page, by the data set, with links to its files.
#[component]
pub fn PresetsOfFiles(
    app: AppState,
    task: &'static dyn Task,
    thumbnails: RwSignal<Thumbnails>,
) -> impl IntoView {
    let presets = task.meta().presets;
    let needs = |preset: &&Preset| own_data::needs(task.fields(), preset.query);
    let mut sets: Vec<_> = presets.iter().filter_map(|preset| needs(&preset)).collect();
    sets.dedup_by_key(|set| set.name);
    let groups = sets.iter().map(|set| {
        let alike =
            presets.iter().filter(|preset| needs(preset).is_some_and(|needed| needed.name == set.name));
        let buttons = alike.map(|preset| view! { <PresetButton app preset thumbnails /> });
        let files = set.files.iter().map(|file| {
            let name = file.paths[0].rsplit('/').next().unwrap_or_default();
            view! { <a href=file.address rel="noreferrer">{name}</a>" " }
        });
        view! {
            <p id=format!("needs-{}", set.name)>{set.title}": "{files.collect_view()}</p>
            <div class="presets with-thumbnails" role="group" aria-labelledby=format!("needs-{}", set.name)>{buttons.collect_view()}</div>
        }
    });
    // Open while one of them is chosen.
    let chosen = Memo::new(move |_| {
        app.chosen_preset().is_some_and(|preset| own_data::needs(task.fields(), preset.query).is_some())
    });
    (!sets.is_empty()).then(|| {
        view! {
            <details class="needs" open=chosen>
                <summary>{own_data::PUBLIC}</summary>
                {groups.collect_view()}
            </details>
        }
    })
}

/// Shows the button of a preset, marked while the settings are its own.
#[component]
fn PresetButton(app: AppState, preset: &'static Preset, thumbnails: RwSignal<Thumbnails>) -> impl IntoView {
    let active = move || (app.form.preset.get() == Some(preset.query)).to_string();
    view! {
        <button type="button" aria-pressed=active title=preset.help on:click=move |_| app.apply_preset(preset.query)>
            <Thumbnail thumbnails preset />
            <span>{preset.label}</span>
        </button>
    }
}

/// Shows the small picture of a preset.
#[component]
fn Thumbnail(thumbnails: RwSignal<Thumbnails>, preset: &'static Preset) -> impl IntoView {
    let picture = move || thumbnails.with(|all| all.pictures.get(preset.query).cloned().unwrap_or_default());
    view! { <span class="thumbnail" aria-hidden="true" inner_html=picture></span> }
}

/// Fetches the small pictures of the presets of a page; none if that fails.
pub fn thumbnails(task: &'static dyn Task) -> RwSignal<Thumbnails> {
    let thumbnails = RwSignal::new(Thumbnails::default());
    browser::spawn(async move {
        let page = task.meta().id;
        if let Some(text) = browser::fetch_text(page, &Thumbnails::file(page)).await {
            drop(thumbnails.try_set(Thumbnails::read(&text)));
        }
    });
    thumbnails
}
