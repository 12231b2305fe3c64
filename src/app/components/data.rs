//! The input of a field of data: choose a file, drop it, or paste a table; then what is in it.

use leptos::ev::DragEvent;
use leptos::html;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::{FileList, HtmlInputElement};

use crate::app::browser;
use crate::app::pool::Stage;
use crate::app::state::Lab;
use crate::data::{ColumnFacts, ColumnKind, Facts};

/// Drop zone, file picker and paste, with a preview under them.
#[component]
pub fn DataInput(lab: Lab, id: String, described: String) -> impl IntoView {
    let over = RwSignal::new(false);
    let pasted = NodeRef::<html::Textarea>::new();
    let give = move |files: Option<FileList>| {
        let Some(file) = files.and_then(|files| files.get(0)) else { return };
        spawn_local(async move {
            match browser::read(&file).await {
                Ok(bytes) => lab.load(&file.name(), bytes),
                Err(why) => lab.notices.set(vec![why]),
            }
        });
    };
    let hover = move |ev: &DragEvent, on: bool| {
        // Otherwise the browser would leave the page for the file.
        ev.prevent_default();
        over.set(on);
    };
    view! {
        <div class="drop" class:over=over on:dragover=move |ev| hover(&ev, true) on:dragleave=move |ev| hover(&ev, false)
            on:drop=move |ev| {
                hover(&ev, false);
                give(ev.data_transfer().and_then(|data| data.files()));
            }>
            <input type="file" id=id accept=".csv,.tsv,.txt,.dat,text/csv,text/plain" aria-describedby=described
                on:change=move |ev| give(event_target::<HtmlInputElement>(&ev).files()) />
            <p>"Or drop a CSV file here. It stays in this browser: nothing is sent anywhere."</p>
            <details>
                <summary>"Paste a table"</summary>
                <textarea rows="5" aria-label="A table as text" node_ref=pasted></textarea>
                <button type="button" on:click=move |_| {
                    let text = pasted.get().map(|area| area.value()).unwrap_or_default();
                    lab.load("pasted.csv", text.into_bytes());
                }>"Use this table"</button>
            </details>
            <div role="status">{move || lab.data.with(|stage| stage.as_ref().map(known))}</div>
        </div>
    }
}

fn known(stage: &Stage) -> AnyView {
    match stage {
        Stage::Waiting | Stage::Reading => view! { <p>"Reading the file …"</p> }.into_any(),
        Stage::Rejected(problem) => {
            view! { <p class="problem">{format!("This is no table: {problem}.")}</p> }.into_any()
        }
        Stage::Known(facts) => preview(facts),
    }
}

fn preview(facts: &Facts) -> AnyView {
    let size = format!("{}: {} rows × {} columns", facts.name, facts.rows, facts.columns.len());
    let rows = facts.columns.iter().map(|column| column.name.clone()).collect();
    let rows = [rows, facts.columns.iter().map(kind).collect()].into_iter().chain(facts.head.iter().cloned());
    let row = |(i, cells): (usize, Vec<String>)| {
        let cell = |text: String| {
            if i == 0 {
                view! { <th scope="col">{text}</th> }.into_any()
            } else {
                view! { <td>{text}</td> }.into_any()
            }
        };
        view! { <tr>{cells.into_iter().map(cell).collect_view()}</tr> }
    };
    view! {
        <details class="preview" open>
            <summary>{size}</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="First rows">
                <table>{rows.enumerate().map(row).collect_view()}</table>
            </div>
        </details>
    }
    .into_any()
}

/// What a column holds, in a few words.
fn kind(column: &ColumnFacts) -> String {
    let holds = match column.kind {
        ColumnKind::Numeric { min, max, .. } => format!("{min} to {max}"),
        ColumnKind::Text => "text".to_owned(),
    };
    if column.missing == 0 { holds } else { format!("{holds}, {} missing", column.missing) }
}
