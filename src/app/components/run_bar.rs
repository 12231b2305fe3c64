//! Run, pause, step, stop, restore the defaults; how far the run is and how it ended.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::app::html::cells;
use crate::app::state::Lab;
use crate::lab::InputError;

/// The bar under the title; `RunBar` fills it in.
const MARKUP: &str = concat!(
    "<div class=\"buttons\" role=\"group\" aria-label=\"Run\">",
    "<button type=\"button\" class=\"main\" data-do=\"run\" title=\"Space\">Run</button>",
    "<button type=\"button\" data-do=\"step\" title=\"One slice of work (S)\">Step</button>",
    "<button type=\"button\" data-do=\"stop\" title=\"Stop and keep what is finished (Escape)\">Stop</button>",
    "<button type=\"button\" data-do=\"reset\" title=\"R\">Restore defaults</button></div>",
    "<p class=\"sentence\"><span></span><strong></strong></p>",
    "<progress max=\"1\" aria-label=\"Fraction done\"></progress>",
    "<p class=\"sr-only\" role=\"status\" aria-live=\"polite\"></p>",
);

/// The bar under the title.
#[component]
pub fn RunBar(lab: Lab) -> impl IntoView {
    let invalid =
        Memo::new(move |_| lab.checked.with(|checked| checked.as_ref().err().map(|all| invalid(&lab, all))));
    let holder = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        let (Some(holder), invalid) = (holder.get(), invalid.get()) else { return };
        let find = |selector: &str| holder.query_selector(selector).ok().flatten();
        // What is written anew where nothing changed would be spoken anew.
        let write = |selector: &str, text: &str| {
            if let Some(place) = find(selector).filter(|place| place.text_content().as_deref() != Some(text))
            {
                place.set_text_content(Some(text));
            }
        };
        let disable = |selector: &str, whether: bool| {
            if let Some(button) = find(selector) {
                // An attribute of an element that is there can be set.
                let _ = button.toggle_attribute_with_force("disabled", whether);
            }
        };
        lab.run.with(|run| {
            let active = matches!(run.state, "running" | "paused");
            let main = match (run.state, run.changed) {
                (_, true) => "Run again",
                ("running", _) => "Pause",
                ("paused", _) => "Resume",
                _ => "Run",
            };
            write(".main", main);
            disable(".main", invalid.is_some() && !active);
            disable("[data-do=stop]", !active);
            write(".sentence span", &run.sentence);
            write(
                ".sentence strong",
                match &invalid {
                    Some(invalid) => invalid,
                    None if run.changed => " Settings changed: run again.",
                    None => "",
                },
            );
            if let Some(sentence) = find(".sentence") {
                let _ = sentence.set_attribute("data-state", run.state);
            }
            if let Some(bar) = find("progress") {
                // A number is a value that a progress bar takes.
                let _ = js_sys::Reflect::set(&bar, &"value".into(), &JsValue::from_f64(run.fraction));
            }
            // Only beginnings and endings are spoken; the running sentence would never stop.
            write(".sr-only", if run.state == "running" { "Running." } else { &run.sentence });
        });
    });
    let messages = Memo::new(move |_| {
        let all = lab.notices.with(|notices| cells("li", notices.iter().map(String::as_str)));
        let all = all + &lab.run.with(|run| cells("li", run.incidents.iter().map(String::as_str)));
        if all.is_empty() { all } else { format!("<ul class=\"notices\">{all}</ul>") }
    });
    let clicked = move |ev: MouseEvent| match event_target::<Element>(&ev).get_attribute("data-do").as_deref()
    {
        Some("run") => lab.run_or_pause(),
        Some("step") => lab.step(),
        Some("stop") => lab.stop(),
        Some(_) => lab.reset(),
        None => {}
    };
    view! {
        <div class="run-bar" node_ref=holder inner_html=MARKUP on:click=clicked></div>
        // There before its first message, so that screen readers know to listen.
        <div class="messages" role="status" inner_html=messages></div>
    }
}

/// What is said of a specification that is not valid.
fn invalid(lab: &Lab, errors: &[InputError]) -> String {
    let fields = lab.task().map_or(&[][..], |task| task.fields());
    let unmarked = errors.iter().find(|error| fields.iter().all(|field| field.key != error.field));
    match (unmarked, errors) {
        (Some(error), _) => format!(" {}", error.complaint()),
        (None, [_]) => " One setting is invalid; see the highlighted field.".to_owned(),
        (None, _) => " Some settings are invalid; see the highlighted fields.".to_owned(),
    }
}
