//! Columns of the main table: contents, distribution and role.

use leptos::prelude::*;

use super::select::{Names, select};
use crate::app::own_data::{self, ColumnRow};
use crate::app::page::state::AppState;

/// Largest number of listed columns; the fields of the form take any.
const LISTED: usize = 100;

/// Shows a table of the columns, with a choice of their roles.
#[component]
pub fn Columns(app: AppState) -> impl IntoView {
    let rows = Memo::new(move |_| app.column_rows());
    let none = Memo::new(move |_| rows.with(Vec::is_empty));
    let summary = Memo::new(move |_| rows.with(|rows| own_data::describe_roles(rows)));
    let table = move || {
        let mut rows = rows.get();
        let more = rows.len().saturating_sub(LISTED);
        rows.truncate(LISTED);
        let more = (more > 0).then(|| format!("{more} more columns: use the fields below."));
        let rows = rows.into_iter().map(|row| column(app, row)).collect_view();
        Some(view! { <table class="columns"><tbody>{rows}</tbody></table><p>{more}</p> }.into_any())
    };
    view! { <details class="roles" hidden=none><summary>{summary}</summary>{table}</details> }
}

fn column(app: AppState, row: ColumnRow) -> AnyView {
    let ColumnRow { name, holds, bars, role, choices } = row;
    let label = format!("Role of {name}");
    let chosen = Memo::new(move |_| role.to_owned());
    let words = choices.into_iter().map(|(key, word)| (key.to_owned(), word)).collect();
    let of = name.clone();
    let select = select(None, Names::Words(label), words, chosen, move |key| app.assign_role(&of, key));
    view! { <tr><td><b>{name}</b><i aria-hidden="true">{bars}</i>{holds}</td><td>{select}</td></tr> }
        .into_any()
}
