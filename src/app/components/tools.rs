//! What can be done with a figure: scales, downloads, and its numbers as a table.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::app::browser;
use crate::app::html::{cells, table};
use crate::app::state::Lab;
use crate::figure::{Axis, Figure, Scale, Table, tidy_csv};
use crate::render::{self, Theme, escape};

/// Size of downloaded pictures.
const FILE: (u32, u32) = (760, 480);

/// Pin, log toggles and downloads. Pictures show what is `drawn`, pins and all; numbers are the figure's `own`.
#[component]
pub fn Tools(
    lab: Lab,
    place: usize,
    own: Memo<Option<Figure>>,
    drawn: Memo<Option<Figure>>,
    scales: RwSignal<(Option<Scale>, Option<Scale>)>,
) -> impl IntoView {
    let toggle = move |name: &'static str,
                       axis: fn(&Figure) -> &Axis,
                       set: fn(&mut (Option<Scale>, Option<Scale>), Scale)| {
        let offered = Memo::new(move |_| own.with(|f| f.as_ref().is_some_and(|f| axis(f).scales.len() > 1)));
        let log = Memo::new(move |_| own.with(|f| f.as_ref().is_some_and(|f| axis(f).scale == Scale::Log)));
        move || {
            offered.get().then(|| view! {
                <button type="button" class="quiet" aria-pressed=move || log.get().to_string()
                    title=format!("Logarithmic {name} axis")
                    on:click=move |_| scales.update(|s| set(s, if log.get_untracked() { Scale::Linear } else { Scale::Log }))>
                    "log " <i>{name}</i>
                </button>
            })
        }
    };
    let copied = RwSignal::new("Copy CSV");
    Effect::new(move |_| {
        own.track();
        copied.set("Copy CSV");
    });
    let copy = move |figure: &Figure| {
        browser::copy(&tidy_csv(figure), move |well| copied.set(if well { "Copied" } else { "Not copied" }));
    };
    view! {
        <div class="tools" role="group" aria-label="Pin, scales and downloads">
            {(place == 0).then(|| view! {
                <button type="button" title="Keep this run to compare others with"
                    on:click=move |_| lab.pin()>"Pin this run"</button>
            })}
            {toggle("x", |f| &f.x, |s, scale| s.0 = Some(scale))}
            {toggle("y", |f| &f.y, |s, scale| s.1 = Some(scale))}
            <span class="spacer"></span>
            <button type="button" class="quiet" title="Copy every point as CSV" on:click=with(own, copy)>{copied}</button>
            <button type="button" class="quiet" title="Download every point as CSV"
                on:click=with(own, |f| browser::save_text(&tidy_csv(f), "text/csv", &f.file("csv")))>"CSV"</button>
            <button type="button" class="quiet" title="Download the figure as SVG"
                on:click=with(drawn, |f| browser::save_text(&render::svg(f, FILE.0, FILE.1, Theme::Light), "image/svg+xml", &f.file("svg")))>"SVG"</button>
            <button type="button" class="quiet" title="Download the figure as PNG" on:click=with(drawn, save_png)>"PNG"</button>
        </div>
    }
}

/// Does something with the figure as it stands. It is cloned out of its signal, which the browser must find
/// unlocked if it throws.
fn with(figure: Memo<Option<Figure>>, work: impl Fn(&Figure) + 'static) -> impl Fn(MouseEvent) {
    move |_| figure.get_untracked().iter().for_each(&work)
}

/// The numbers, a row an abscissa.
#[component]
pub fn DataTable(figure: Memo<Option<Figure>>) -> impl IntoView {
    let open = RwSignal::new(false);
    // A closed table is not kept up to date while a run redraws.
    let table =
        move || open.get().then(|| figure.with(|f| f.as_ref().map(markup))).flatten().unwrap_or_default();
    view! {
        <details class="data" on:toggle=move |ev| open.set(event_target::<web_sys::Element>(&ev).has_attribute("open"))>
            <summary>"Data"</summary>
            <div inner_html=table></div>
        </details>
    }
}

fn markup(figure: &Figure) -> String {
    let Table { columns, rows } = Table::of(figure);
    let row = |row: &Vec<Option<String>>| {
        format!("<tr>{}</tr>", cells("td", row.iter().map(|cell| cell.as_deref().unwrap_or_default())))
    };
    let head = cells("th scope=\"col\"", columns.iter().map(String::as_str));
    let table = table("", &head, &rows.iter().map(row).collect::<Vec<_>>());
    // Several may be open: each is named after its figure.
    let name = escape(&figure.title);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Data of {name}\">{table}</div>"
    )
}

/// Three pixels a CSS pixel, as printers like it.
fn save_png(figure: &Figure) {
    let canvas = browser::document().and_then(|d| d.create_element("canvas").ok());
    let Some(canvas) = canvas.and_then(|c| c.dyn_into::<web_sys::HtmlCanvasElement>().ok()) else { return };
    let (width, height) = (f64::from(FILE.0), f64::from(FILE.1));
    if render::canvas(figure, &canvas, width, height, 3.0, Theme::Light).is_ok()
        && let Ok(url) = canvas.to_data_url()
    {
        browser::save(&url, &figure.file("png"));
    }
}
