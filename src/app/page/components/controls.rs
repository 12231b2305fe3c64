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

/// The form, and below it the ways to share a run. Each field is a part of the queue.
#[component]
pub fn Controls(app: AppState, queue: MountQueue) -> impl IntoView {
    move || {
        let task = app.task()?;
        let of = move |rank: Rank| by_hand(task).filter(move |field| field.rank == rank);
        let views = move |fields: Vec<&'static Field>| {
            let one = |field| queue.mount(move || view! { <FieldView app field /> }.into_any());
            fields.into_iter().map(one).collect_view()
        };
        // The data field comes first where the task cannot run without data.
        let data = of(Rank::Usual).filter(|field| field.role == Role::Data);
        let (asked, offered): (Vec<_>, Vec<_>) = data.partition(|field| field.default.is_empty());
        let asked = views(asked);
        let knobs = views(of(Rank::Knob).collect());
        let presets = queue.mount(move || view! { <Presets app task /> }.into_any());
        let challenge = queue.mount(move || view! { <ChallengeBox app task /> }.into_any());
        let offered = views(offered);
        let usual = GROUPS.map(|(group, name)| {
            let fields = of(Rank::Usual).filter(|field| field.group == group && field.role != Role::Data);
            let fields: Vec<_> = fields.collect();
            (!fields.is_empty())
                .then(|| view! { <fieldset><legend>{name}</legend>{views(fields)}</fieldset> })
        });
        let more: Vec<_> = of(Rank::More).collect();
        let keys: Vec<_> = more.iter().map(|field| field.key).collect();
        let wrong = Memo::new(move |_| keys.iter().any(|key| problem_of(app, key).is_some()));
        let more = (!more.is_empty()).then(|| {
            view! { <details class="more" open=wrong><summary>"More settings"</summary>{views(more)}</details> }
        });
        let share = queue.mount(move || view! { <Share app /> }.into_any());
        let form = view! {
            <form on:submit=|ev| ev.prevent_default() aria-busy=move || queue.waiting().then_some("true")>
                {asked}
                {knobs}
                {presets}
                {challenge}
                {offered}
                {usual.into_iter().collect_view()}
                {more}
            </form>
            {share}
        };
        Some(form.into_any())
    }
}

/// Returns the fields that the user sets.
fn by_hand(task: &'static dyn Task) -> impl Iterator<Item = &'static Field> {
    task.fields().iter().filter(|field| field.role != Role::Report)
}

/// The main controls alone, for an embedded page; its address can name others.
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
