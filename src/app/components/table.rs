//! Tables of texts.

use leptos::prelude::*;

use super::boxed::list;

/// A table with a head.
#[component]
pub fn Table(head: Vec<String>, rows: Vec<Vec<String>>) -> impl IntoView {
    let head = list(head.into_iter().map(|text| view! { <th scope="col">{text}</th> }));
    let rows = rows.into_iter().map(|row| {
        let cells = list(row.into_iter().map(|text| view! { <td>{text}</td> }));
        view! { <tr>{cells}</tr> }
    });
    view! { <table><thead><tr>{head}</tr></thead><tbody>{list(rows)}</tbody></table> }
}
