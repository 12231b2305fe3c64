//! Table of pinned runs: different settings, and buttons for each run.

use leptos::html;
use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::app::pins::{Comparison, MAX_PINS, hue};
use crate::render::property;

/// Pins of the task and its current run; hidden without pins.
#[component]
pub fn PinTable(app: AppState) -> impl IntoView {
    let compared = Memo::new(move |_| app.comparison());
    let count = Memo::new(move |_| {
        compared.get().map(|table| format!("{} of {MAX_PINS} runs pinned.", table.pins())).unwrap_or_default()
    });
    let holder = NodeRef::<html::Div>::new();
    // The table is replaced together with its buttons; the focus must stay in it.
    let hold_focus = move || {
        if let Some(holder) = holder.get_untracked() {
            let _ = holder.focus();
        }
    };
    view! {
        <section class="pins" aria-label="Pinned runs" hidden=move || compared.with(Option::is_none)>
            <div class="scroll" tabindex="-1" node_ref=holder>
                {move || compared.get().map(|table| rows(app, table, hold_focus).into_any())}
            </div>
            <p class="sr-only" role="status">{count}</p>
        </section>
    }
}

fn rows(app: AppState, table: Comparison, hold_focus: impl Fn() + Copy + 'static) -> impl IntoView {
    let head = table.columns.into_iter().map(|name| view! { <th scope="col">{name}</th> }).collect_view();
    let rows = table.rows.into_iter().map(|(number, values)| {
        let values = values.into_iter().map(|text| view! { <td>{text}</td> }).collect_view();
        let Some(n) = number else {
            return view! { <tr><th scope="row">"Shown now"</th><td></td>{values}</tr> }.into_any();
        };
        let button = |words: &'static str, work: fn(AppState, usize)| {
            let clicked = move |_| {
                work(app, n);
                hold_focus();
            };
            // The accessible name begins with the visible text.
            view! {
                <button type="button" class="quiet" aria-label=format!("{words}: pin {n}") on:click=clicked>{words}</button>
            }
        };
        let colour = format!("var({})", property(hue(n)));
        // The buttons stand before the settings, which may not fit on a phone.
        view! {
            <tr>
                <th scope="row"><span class="dot" aria-hidden="true" style:background=colour></span>{format!("Pin {n}")}</th>
                <td>{button("Show again", AppState::show_pin)}{button("Remove", AppState::unpin)}</td>
                {values}
            </tr>
        }
        .into_any()
    });
    view! {
        <table>
            <caption>"Pinned runs"</caption>
            <thead><tr><th scope="col">"Run"</th><td></td>{head}</tr></thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
    }
}
