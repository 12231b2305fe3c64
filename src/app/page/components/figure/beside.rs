//! The first figure of a page beside its article, or the first two that are read together: they show what a control in a sentence
//! changes.

use leptos::html;
use leptos::prelude::*;

use super::draw;
use super::model::{FigureModel, Place};
use super::visibility;
use crate::app::page::state::AppState;

/// Shows the first `count` figures, drawn while the article is in view; nothing on a page that waits for a file.
#[component]
pub fn FigureBeside(app: AppState, count: usize, article: NodeRef<html::Aside>) -> impl IntoView {
    let visible = RwSignal::new(false);
    Effect::new(move || {
        if let Some(article) = article.get() {
            visibility::watch(&article, 0, visible);
        }
    });
    // The figure of the previous run keeps its place until the next one is there.
    let some = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || app.run.figures.with(|figures| !figures.is_empty())
    });
    let changed = Memo::new(move |_| app.run.settled.get() && app.run.view.with(|run| run.changed));
    view! {
        <div class="beside" hidden=move || !some.get()>
            <Show when=move || visible.get() && some.get()>
                <div class="pictures" aria-hidden="true">
                    {(0..count).map(|index| view! { <Picture app index /> }).collect_view()}
                </div>
                <button type="button" hidden=move || !changed.get() on:click=move |_| app.run_or_pause()>"Run again"</button>
            </Show>
        </div>
    }
}

/// Shows a figure with its finding, which are read aloud in their own place.
#[component]
fn Picture(app: AppState, index: usize) -> impl IntoView {
    let model = FigureModel::new(app, index, RwSignal::default(), Place::Article);
    let FigureModel { drawing, width, height, .. } = model;
    draw::keep_drawn(model);
    let finding = Memo::new(move |_| {
        drawing.with(|drawing| drawing.as_ref().map_or(String::new(), |drawing| drawing.figure.headline()))
    });
    view! {
        <div class="with-finding">
            <div node_ref=model.holder>
                <canvas node_ref=model.canvas style:width=move || format!("{}px", width.get())
                    style:height=move || format!("{}px", height.get())></canvas>
            </div>
            <p>{finding}</p>
        </div>
    }
}
