//! Presets, each a set of settings. Those that need a file are listed separately, with its source.

use leptos::prelude::*;

use crate::app::own_data;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::app::thumbnails::Thumbnails;
use crate::lab::{Preset, Raw, Task, model_of};

/// Presets of a task; the chosen one is marked, and its purpose stands below.
#[component]
pub fn Presets(app: AppState, task: &'static dyn Task) -> impl IntoView {
    let presets = task.meta().presets;
    let thumbnails = RwSignal::new(Thumbnails::default());
    // A page that waits for a file has none.
    let pictured = !task.check(&Raw::new()).is_ok_and(|values| values.lacks_data());
    if pictured {
        browser::spawn(async move { drop(thumbnails.try_set(read_thumbnails(task.meta().id).await)) });
    }
    let button = move |preset: &'static Preset| {
        let active = move || (app.form.preset.get() == Some(preset.query)).to_string();
        let picture =
            move || thumbnails.with(|all| all.pictures.get(preset.query).cloned().unwrap_or_default());
        let picture =
            pictured.then(|| view! { <span class="thumbnail" aria-hidden="true" inner_html=picture></span> });
        view! {
            <button type="button" aria-pressed=active title=preset.help on:click=move |_| app.apply_preset(preset.query)>
                {picture}<span>{preset.label}</span>
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
            <p class="needs" id=format!("needs-{}", set.name)>"Needs "{places.collect_view()}</p>
            <div class="presets" role="group" aria-labelledby=format!("needs-{}", set.name)>
                {alike.map(button).collect_view()}
            </div>
        }
    });
    let purpose = move || app.chosen_preset().map_or("", |preset| preset.help);
    (!presets.is_empty()).then(|| {
        view! {
            <fieldset class="preset-box">
                <legend>"Presets"</legend>
                <div class="presets" class:with-thumbnails=pictured role="group" aria-label="Presets">{free.map(button).collect_view()}</div>
                {bound.collect_view()}
                <p class="purpose" aria-live="polite">{purpose}</p>
            </fieldset>
        }
    })
}

/// Fetches the small pictures of the presets of a page; none if that fails.
async fn read_thumbnails(page: &str) -> Thumbnails {
    let address = format!("./{}/{}?v={}", model_of(page), Thumbnails::file(page), browser::build());
    browser::fetch_text(&address).await.map_or_else(Thumbnails::default, |text| Thumbnails::read(&text))
}
