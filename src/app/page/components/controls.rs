//! Form of a task: the main control first, then presets and the other settings in groups.

use leptos::prelude::*;

use super::MountQueue;
use super::challenge::ChallengeBox;
use super::field::{FieldView, problem_of};
use super::presets::Presets;
use super::share::Share;
use crate::app::page::state::AppState;
use crate::lab::{Field, Group, Rank, Role, Task};

const GROUPS: [(Group, &str); 3] =
    [(Group::Problem, "Problem"), (Group::Method, "Method"), (Group::Run, "Run")];

/// Shows the form, and below it the ways to share a run; nothing until there is a table, if the task needs one.
#[component]
pub fn Controls(app: AppState) -> impl IntoView {
    let lacks = Memo::new(move |_| app.lacks_data());
    move || {
        let task = app.task().filter(|_| !lacks.get())?;
        let of = move |rank: Rank| by_hand(task).filter(move |field| field.rank == rank);
        let last = 4 + GROUPS.len();
        let queue = MountQueue::new(last);
        let views = move |fields: Vec<&'static Field>| {
            fields.into_iter().map(|field| view! { <FieldView app field /> }).collect_view()
        };
        // The data field comes first where the task cannot run without data.
        let data = of(Rank::Usual).filter(|field| field.role == Role::Data);
        let (asked, offered): (Vec<_>, Vec<_>) = data.partition(|field| field.default.is_empty());
        let usual = GROUPS.into_iter().enumerate().filter_map(|(place, (group, name))| {
            let fields = of(Rank::Usual).filter(|field| field.group == group && field.role != Role::Data);
            let fields: Vec<_> = fields.collect();
            (!fields.is_empty()).then(|| {
                let view = move || {
                    let fields = views(fields.clone());
                    view! { <fieldset><legend>{name}</legend>{fields}</fieldset> }.into_any()
                };
                queue.at(3 + place, view)
            })
        });
        let more: Vec<_> = of(Rank::More).collect();
        let keys: Vec<_> = more.iter().map(|field| field.key).collect();
        let wrong = Memo::new(move |_| keys.iter().any(|key| problem_of(app, key).is_some()));
        let more = (!more.is_empty()).then(|| {
            let view = move || {
                let fields = views(more.clone());
                view! { <details class="more" open=wrong><summary>"More settings"</summary>{fields}</details> }
                    .into_any()
            };
            queue.at(last - 1, view)
        });
        let form = view! {
            <form on:submit=|ev| ev.prevent_default() aria-busy=move || queue.has_more().then_some("true")>
                {views(asked)}
                {views(of(Rank::Knob).collect())}
                {queue.at(1, move || view! { <Presets app task /><ChallengeBox app task /> }.into_any())}
                {queue.at(2, move || views(offered.clone()).into_any())}
                {usual.collect::<Vec<_>>()}
                {more}
            </form>
            {queue.at(last, move || view! { <Share app /> }.into_any())}
        };
        Some(form.into_any())
    }
}

/// Returns the fields that the user sets.
fn by_hand(task: &'static dyn Task) -> impl Iterator<Item = &'static Field> {
    task.fields().iter().filter(|field| field.role != Role::Report)
}

/// Shows the main controls alone, for an embedded page; its address can name others.
#[component]
pub fn Knobs(app: AppState) -> impl IntoView {
    let asked = crate::app::page::browser::option("knob").unwrap_or_default();
    move || {
        let task = app.task()?;
        let chosen = |field: &&'static Field| {
            if asked.is_empty() {
                field.rank == Rank::Knob
            } else {
                asked.split(',').any(|key| key == field.key)
            }
        };
        let fields = by_hand(task).filter(chosen).map(|field| view! { <FieldView app field /> });
        Some(
            view! { <form class="knobs" on:submit=|ev| ev.prevent_default()>{fields.collect_view()}</form> }
                .into_any(),
        )
    }
}
