//! The form of a task: [`form`] as markup, filled in and listened to.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlInputElement, PointerEvent};

use super::data::data_input;
use crate::app::own_data::Options;
use crate::app::state::Lab;
use crate::app::{browser, form};
use crate::lab::{Field, Group, Kind, Role};

/// Presets and the fields in their groups.
#[component]
pub fn Controls(lab: Lab) -> impl IntoView {
    move || {
        let task = lab.task()?;
        let groups = [(Group::Problem, "Problem"), (Group::Method, "Method"), (Group::Run, "Run")];
        let groups = groups.into_iter().filter_map(|(group, name)| {
            let fields = task.fields().iter();
            let fields = fields.filter(|field| {
                field.group == group && !matches!(field.role, Role::Report | Role::Artefact(_))
            });
            let controls: Vec<AnyView> = fields.map(|field| control(lab, field)).collect();
            (!controls.is_empty())
                .then(|| view! { <fieldset><legend>{name}</legend>{controls}</fieldset> }.into_any())
        });
        let chosen = move |ev: MouseEvent| {
            if let Some(query) = event_target::<Element>(&ev).get_attribute("data-query") {
                lab.preset(&query);
            }
        };
        Some(view! {
            <div class="presets" role="group" aria-label="Presets" inner_html=form::presets(task.meta().presets)
                on:click=chosen></div>
            <form on:submit=|ev| ev.prevent_default()>{groups.collect::<Vec<_>>()}</form>
        })
    }
}

/// One field: label with its symbol, the input, what is wrong with it, and what it means.
fn control(lab: Lab, field: &'static Field) -> AnyView {
    let key = field.key;
    let data = field.kind == Kind::Data;
    let text = Memo::new(move |_| {
        lab.raw.with(|raw| raw.get(key).cloned()).unwrap_or_else(|| field.default.to_owned())
    });
    let problem = Memo::new(move |_| {
        // A problem between fields is shown at the field it names.
        let of_form = lab.checked.with(|checked| {
            checked.as_ref().err()?.iter().find(|p| p.field == key).map(|p| p.expected.clone())
        });
        // What does not fit the data is known once they are read.
        of_form.or_else(|| {
            lab.run.with(|run| {
                let problem = run.problems.iter().find(|p| p.field == key && !run.changed)?;
                let nearest = problem.nearest.as_ref().filter(|nearest| !nearest.is_empty());
                let nearest =
                    nearest.map_or(String::new(), |nearest| format!(" Nearest valid value: {nearest}."));
                Some(problem.expected.clone() + nearest.as_str())
            })
        })
    });
    let shown = Memo::new(move |_| {
        let wrong = problem.with(Option::is_some);
        lab.task().is_none_or(|task| lab.raw.with(|raw| form::is_shown(field, task.fields(), raw, wrong)))
    });
    let options = Memo::new(move |_| {
        if matches!(field.kind, Kind::Text { .. }) { lab.options(field) } else { Options::default() }
    });
    let set = move |text: &str| {
        lab.edit(key, text);
        lab.settle();
    };
    let heard = move |ev: &PointerEvent| {
        let input: HtmlInputElement = event_target(ev);
        if ev.type_() == "click" {
            match input.get_attribute("data-set") {
                Some(text) if text.is_empty() => {
                    if let Some(random) = browser::random_number() {
                        set(&form::seed(&field.kind, random).to_string());
                    }
                }
                Some(text) => set(&text),
                None => {}
            }
            return;
        }
        // A slider: dragging redraws what is cheap, letting go runs.
        match (input.type_().as_str(), ev.type_() == "change") {
            ("range", false) => lab.edit(key, &input.value()),
            ("range", true) => lab.settle(),
            ("checkbox", true) => set(&input.checked().to_string()),
            (_, true) => set(&input.value()),
            (_, false) => {}
        }
    };
    let holder = NodeRef::<html::Div>::new();
    let find = move |selector: &str| holder.get_untracked()?.query_selector(selector).ok().flatten();
    Effect::new(move |shown: Option<Options>| {
        holder.track();
        let options = options.get();
        if !data && let (Some(holder), Some(inputs)) = (holder.get_untracked(), find(".inputs")) {
            if shown.is_none() {
                browser::listen(&holder, &["input", "change", "click"], heard);
            }
            // Made anew they lose the focus: only where there is another choice.
            if shown.as_ref() != Some(&options) {
                inputs.set_inner_html(&form::inputs(field, &options));
            }
            text.with(|text| fill(&inputs, field, text));
        }
        options
    });
    Effect::new(move |_| {
        holder.track();
        options.track();
        let problem = problem.get();
        if let Some(place) = find("[id$=-problem]") {
            let said = problem.clone();
            place.set_text_content(said.as_deref());
        }
        let wrong = problem.is_some();
        if let Some(holder) = holder.get_untracked() {
            holder.set_class_name(if wrong { "control wrong" } else { "control" });
        }
        if let Some(input) = find("[aria-invalid]") {
            // An attribute of an element that is there can be set.
            let _ = input.set_attribute("aria-invalid", if wrong { "true" } else { "false" });
        }
    });
    let inside = data.then(|| data_input(lab, key));
    view! {
        <div class="control" node_ref=holder hidden=move || !shown.get()>
            <div inner_html=form::label(field)></div>
            <div class="inputs">{inside}</div>
            <div inner_html=form::notes(field)></div>
        </div>
    }
    .into_any()
}

/// Has the inputs of a field say `text`.
fn fill(inputs: &Element, field: &Field, text: &str) {
    let find = |selector| inputs.query_selector(selector).ok().flatten().map(Element::unchecked_into);
    let (slider, input): (Option<HtmlInputElement>, Option<HtmlInputElement>) =
        (find("[type=range]"), find("[id]"));
    if let (Some(slider), Some(position)) = (slider, form::position(&field.kind, text)) {
        slider.set_value(&position.to_string());
    }
    // A choice has a value, too.
    match input {
        Some(input) if field.kind == Kind::Flag => input.set_checked(text == "true"),
        Some(input) => input.set_value(text),
        None => {}
    }
}
