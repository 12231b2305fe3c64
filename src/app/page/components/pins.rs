//! The kept runs in a table: what differs, and what can be done with each.

use leptos::html;
use leptos::prelude::*;

use crate::app::page::state::AppState;
use crate::app::pins::{Comparison, MOST, hue};
use crate::render::property;

/// The pins of the task and its present run; hidden where nothing is pinned.
#[component]
pub fn PinTable(app: AppState) -> impl IntoView {
    let compared = Memo::new(move |_| app.comparison());
    let said = Memo::new(move |_| {
        compared.get().map(|table| format!("{} of {MOST} runs pinned.", table.pins())).unwrap_or_default()
    });
    let holder = NodeRef::<html::Div>::new();
    // The table is made anew, its buttons with it: who works by keys must not be thrown back to the top.
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
            <p class="sr-only" role="status">{said}</p>
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
            // What is spoken begins with what is read.
            view! {
                <button type="button" class="quiet" aria-label=format!("{words}: pin {n}") on:click=clicked>{words}</button>
            }
        };
        let colour = format!("var({})", property(hue(n)));
        // The buttons stand before the settings, which may be more than fit on a phone.
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
