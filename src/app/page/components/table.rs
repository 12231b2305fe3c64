//! Tables of texts.

use leptos::prelude::*;

/// Shows a table with a head.
#[component]
pub fn Table(head: Vec<String>, rows: Vec<Vec<String>>) -> impl IntoView {
    let head = head.into_iter().map(|text| view! { <th scope="col">{text}</th> }).collect_view();
    let rows = rows.into_iter().map(|row| {
        let cells = row.into_iter().map(|text| view! { <td>{text}</td> }).collect_view();
        view! { <tr>{cells}</tr> }
    });
    view! { <table><thead><tr>{head}</tr></thead><tbody>{rows.collect_view()}</tbody></table> }
}
