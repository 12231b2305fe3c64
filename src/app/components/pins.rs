//! The kept runs in a table: what differs, and what can be done with each.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::pins::MOST;
use crate::app::state::Lab;

/// The pins of the task and its present run; hidden where nothing is pinned.
#[component]
pub fn PinTable(lab: Lab) -> impl IntoView {
    let table = move || lab.compared().map(|table| table.html()).unwrap_or_default();
    let said = move || {
        lab.compared().map(|table| format!("{} of {MOST} runs pinned.", table.pins())).unwrap_or_default()
    };
    let clicked = move |ev: MouseEvent| {
        let button = ev.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let number = |name| button.as_ref()?.get_attribute(name)?.parse().ok();
        if let Some(number) = number("data-show") {
            lab.show_pin(number);
        } else if let Some(number) = number("data-remove") {
            lab.unpin(number);
        } else {
            return;
        }
        // The table is made anew, its buttons with it: who works by keys must not be thrown back to the top.
        if let Some(table) = ev.current_target().and_then(|t| t.dyn_into::<web_sys::HtmlElement>().ok()) {
            let _ = table.focus();
        }
    };
    view! {
        <section class="pins" aria-label="Pinned runs" hidden=move || lab.compared().is_none()>
            <div class="scroll" tabindex="-1" inner_html=table on:click=clicked></div>
            <p class="sr-only" role="status">{said}</p>
        </section>
    }
}
