//! The form of a task, made from its fields: every control a native input with a visible label.

use leptos::prelude::*;

use super::data::data_input;
use crate::app::state::Lab;
use crate::app::{browser, own_data};
use crate::lab::{Field, Group, Kind};

/// Presets and the fields in their groups.
#[component]
pub fn Controls(lab: Lab) -> impl IntoView {
    move || {
        let task = lab.task()?;
        let presets = task.meta().presets.iter().map(|preset| {
            let query = preset.query;
            view! {
                <button type="button" title=preset.help on:click=move |_| lab.preset(query)>{preset.label}</button>
            }
        });
        let groups = [(Group::Problem, "Problem"), (Group::Method, "Method"), (Group::Run, "Run")];
        let groups = groups.into_iter().filter_map(|(group, name)| {
            let fields: Vec<&'static Field> = task.fields().iter().filter(|f| f.group == group).collect();
            (!fields.is_empty()).then(|| {
                view! {
                    <fieldset>
                        <legend>{name}</legend>
                        {fields.into_iter().map(|field| view! { <Control lab field /> }).collect_view()}
                    </fieldset>
                }
            })
        });
        Some(view! {
            <div class="presets" role="group" aria-label="Presets">{presets.collect_view()}</div>
            <form on:submit=|ev| ev.prevent_default()>{groups.collect_view()}</form>
        })
    }
}

/// One field: label with its symbol, the input, what is wrong with it, and what it means.
#[component]
fn Control(lab: Lab, field: &'static Field) -> impl IntoView {
    let key = field.key;
    let text = Memo::new(move |_| {
        lab.raw.with(|raw| raw.get(key).cloned()).unwrap_or_else(|| field.default.to_owned())
    });
    let problem = Memo::new(move |_| {
        // A problem between fields is shown at the field it names.
        lab.check().err()?.into_iter().find(|p| p.field == key).map(|p| p.accepted)
    });
    let id = format!("field-{key}");
    let described = format!("{id}-problem {id}-help");
    let symbol = (!field.symbol.is_empty()).then(|| view! { <i class="symbol">{field.symbol}</i> });
    view! {
        <div class="control" class:wrong=move || problem.get().is_some()>
            <label for=id.clone()>{field.label} " " {symbol}</label>
            <div class="inputs">{inputs(lab, field, id.clone(), described, text, problem)}</div>
            <p class="problem" role="alert" id=format!("{id}-problem")>
                {move || problem.get().map(|accepted| format!("Accepted: {accepted}."))}
            </p>
            <p class="help" id=format!("{id}-help")>{field.help}</p>
        </div>
    }
}

fn inputs(
    lab: Lab,
    field: &'static Field,
    id: String,
    described: String,
    text: Memo<String>,
    problem: Memo<Option<String>>,
) -> AnyView {
    let key = field.key;
    let invalid = move || if problem.get().is_some() { "true" } else { "false" };
    let typed = move |ev| {
        lab.edit(key, &event_target_value(&ev));
        lab.settle();
    };
    let named = (id.clone(), described.clone());
    let text_box = move |inputmode| {
        let (id, described) = named.clone();
        view! {
            <input type="text" id=id inputmode=inputmode autocomplete="off" aria-describedby=described
                aria-invalid=invalid prop:value=text on:change=typed />
        }
    };
    match &field.kind {
        Kind::Integer { slider: Some((low, high)), .. } => view! {
            <Slider lab field text low=*low as f64 high=*high as f64 step=1.0 />
            {text_box("numeric")}
        }
        .into_any(),
        Kind::Integer { slider: None, .. } => view! {
            {text_box("numeric")}
            <button type="button" class="quiet" title="Draw a fresh one" on:click=move |_| {
                if let Some(seed) = browser::fresh_seed() {
                    lab.edit(key, &seed.to_string());
                    lab.settle();
                }
            }>"New"</button>
        }
        .into_any(),
        Kind::Real { slider: (low, high, step), infinity, .. } => view! {
            <Slider lab field text low=*low high=*high step=*step />
            {text_box("decimal")}
            {infinity.then(|| view! {
                <button type="button" class="quiet" title="Infinity" aria-label="Set to infinity" on:click=move |_| {
                    lab.edit(key, "inf");
                    lab.settle();
                }>"∞"</button>
            })}
        }
        .into_any(),
        Kind::Reals { .. } => text_box("text").into_any(),
        Kind::Data => data_input(lab, key, &id, &described),
        Kind::Text { .. } => {
            let options = Memo::new(move |_| lab.options(key));
            let choose = move || {
                let options = options.get();
                if options.is_empty() {
                    return text_box("text").into_any();
                }
                // The choice follows the text below without making the element anew, which would lose the focus.
                let options = own_data::choices(key, &options, &text.get_untracked());
                view! {
                    <select id=id.clone() aria-describedby=described.clone() on:change=typed inner_html=options
                        prop:value=text></select>
                }
                .into_any()
            };
            choose.into_any()
        }
        Kind::Flag => view! {
            <input type="checkbox" id=id aria-describedby=described prop:checked=move || text.get() == "true"
                on:change=move |ev| {
                    lab.edit(key, &event_target_checked(&ev).to_string());
                    lab.settle();
                } />
        }
        .into_any(),
        Kind::Choice(words) => {
            let options = own_data::options_markup(words.iter().copied(), &text.get_untracked());
            view! {
                <select id=id aria-describedby=described on:change=typed inner_html=options prop:value=text></select>
            }
            .into_any()
        }
    }
}

/// A slider over a part of what the box beside it takes; dragging redraws what is cheap, letting go runs.
#[component]
fn Slider(
    lab: Lab,
    field: &'static Field,
    text: Memo<String>,
    low: f64,
    high: f64,
    step: f64,
) -> impl IntoView {
    let key = field.key;
    // Infinity and what lies beyond the slider's end stand at its end; what is no number leaves it where it is.
    let position = Memo::new(move |before: Option<&f64>| {
        let value: Option<f64> = text.with(|text| if text == "inf" { Some(high) } else { text.parse().ok() });
        value.map_or(before.copied().unwrap_or(low), |value| value.clamp(low, high))
    });
    view! {
        <input type="range" min=low max=high step=step aria-label=field.label prop:value=move || position.get().to_string()
            on:input=move |ev| lab.edit(key, &event_target_value(&ev))
            on:change=move |_| lab.settle() />
    }
}
