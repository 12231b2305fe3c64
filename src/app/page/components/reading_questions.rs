//! Reading of the main table: questions with both answers, suggested repairs, and the choices in effect.

use leptos::prelude::*;

use crate::app::own_data::{self, Answer, Preview};
use crate::app::page::state::AppState;

/// Shows the buttons that decide how the file of the field is read.
#[component]
pub fn ReadingQuestions(app: AppState, key: &'static str) -> impl IntoView {
    let preview = Memo::new(move |_| {
        let (state, named) = (app.data_sets.state(key)?, app.named_data(key)?);
        Some(own_data::preview(&named.name, &state))
    });
    let questions = Memo::new(move |_| {
        preview.with(|preview| match preview {
            Some(Preview::Table { doubts, .. }) => app.questions(doubts),
            _ => Vec::new(),
        })
    });
    let offered = Memo::new(move |_| {
        preview.with(|preview| match preview {
            Some(Preview::Table { repairs, .. }) => app.offered_repairs(repairs),
            _ => Vec::new(),
        })
    });
    let applied =
        Memo::new(move |_| if preview.with(Option::is_some) { app.applied_repairs() } else { Vec::new() });
    let ask = move || {
        let ask = |asked: own_data::Question| {
            let answers = asked.answers.into_iter().map(|answer| button(app, answer)).collect_view();
            view! { <p class="question">{asked.question}</p><div class="answers">{answers}</div> }
        };
        questions.get().into_iter().map(ask).collect_view()
    };
    let offer = move || offered.get().into_iter().map(|answer| button(app, answer)).collect_view();
    let undo = move || {
        let item = |answer: Answer| {
            let (label, title) = (answer.label.clone(), format!("Undo {}", answer.label));
            let undo = move |_| app.answer(&answer);
            view! {
                <li>{label}<button type="button" class="quiet" aria-label=title on:click=undo>"Undo"</button></li>
            }
        };
        applied.get().into_iter().map(item).collect_view()
    };
    view! {
        <div class="questions" role="status">{ask}</div>
        <div class="answers repairs">{offer}</div>
        <ul class="applied" aria-label="Choices of the reading" hidden=move || applied.with(Vec::is_empty)>{undo}</ul>
    }
}

/// Shows a button that sets the field of an answer.
fn button(app: AppState, answer: Answer) -> AnyView {
    let label = answer.label.clone();
    view! { <button type="button" class="quiet" on:click=move |_| app.answer(&answer)>{label}</button> }
        .into_any()
}
