//! What can be done with a figure: scales, downloads, and its numbers as a table.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::app::browser;
use crate::app::html::{cells, table};
use crate::app::state::Lab;
use crate::figure::{Axis, DataTable, Figure, Scale, tidy_csv};
use crate::render::{self, Drawing, Theme, escape};

/// Size of downloaded pictures.
const FILE: (u32, u32) = (760, 480);

/// What they are called, said and for: `data-do`, title, words. Markup with one listener costs the page least.
const BUTTONS: [(&str, &str, &str); 7] = [
    ("pin", "Keep this run to compare others with", "Pin this run"),
    ("x", "Logarithmic x axis", "log <i>x</i>"),
    ("y", "Logarithmic y axis", "log <i>y</i>"),
    ("copy", "Copy every point as CSV", COPY),
    ("csv", "Download every point as CSV", "CSV"),
    ("svg", "Download the figure as SVG", "SVG"),
    ("png", "Download the figure as PNG", "PNG"),
];
const COPY: &str = "Copy CSV";

/// Pin, log toggles and downloads. Pictures show what is `drawn`, pins and all; numbers are the figure's `own`.
#[component]
pub fn Tools(
    lab: Lab,
    place: usize,
    own: Memo<Option<Drawing>>,
    drawn: Memo<Option<Drawing>>,
    scales: RwSignal<(Option<Scale>, Option<Scale>)>,
) -> impl IntoView {
    let markup = |(what, title, words): &(&str, &str, &str)| {
        let class = if *what == "pin" { "" } else { " class=\"quiet\"" };
        let space = if *what == "copy" { "<span class=\"spacer\"></span>" } else { "" };
        format!("{space}<button type=\"button\"{class} data-do=\"{what}\" title=\"{title}\">{words}</button>")
    };
    let buttons = BUTTONS[usize::from(place > 0)..].iter().map(markup).collect::<Vec<_>>().concat();
    let holder = NodeRef::<html::Div>::new();
    let button =
        move |what: &str| holder.get_untracked()?.query_selector(&format!("[data-do={what}]")).ok().flatten();
    Effect::new(move |_| {
        holder.track();
        own.with(|figure| {
            for (what, axis) in figure.iter().flat_map(|d| [("x", &d.figure.x), ("y", &d.figure.y)]) {
                let Some(button) = button(what) else { continue };
                // An attribute of an element that is there can be set.
                let _ = button.toggle_attribute_with_force("hidden", axis.scales.len() < 2);
                let _ = button
                    .set_attribute("aria-pressed", if axis.scale == Scale::Log { "true" } else { "false" });
            }
        });
        if let Some(button) = button("copy") {
            button.set_text_content(Some(COPY));
        }
    });
    let clicked = move |ev: MouseEvent| {
        let target = event_target::<web_sys::Element>(&ev).closest("[data-do]").ok().flatten();
        let Some(what) = target.and_then(|button| button.get_attribute("data-do")) else { return };
        // Cloned out of their signals, which the browser must find unlocked if it throws.
        let (Some(own), Some(drawn)) = (own.get_untracked(), drawn.get_untracked()) else { return };
        let other = |axis: &Axis| Some(if axis.scale == Scale::Log { Scale::Linear } else { Scale::Log });
        match what.as_str() {
            "pin" => lab.pin(),
            "x" => scales.update(|s| s.0 = other(&own.figure.x)),
            "y" => scales.update(|s| s.1 = other(&own.figure.y)),
            "copy" => browser::copy(&tidy_csv(&own.figure), move |well| {
                if let Some(button) = button("copy") {
                    button.set_text_content(Some(if well { "Copied" } else { "Not copied" }));
                }
            }),
            "csv" => browser::save_text(&tidy_csv(&own.figure), "text/csv", &own.figure.file("csv")),
            "svg" => {
                let svg = render::svg(&drawn, FILE.0, FILE.1, Theme::Light);
                browser::save_text(&svg, "image/svg+xml", &drawn.figure.file("svg"));
            }
            _ => save_png(&drawn),
        }
    };
    view! {
        <div class="tools" role="group" aria-label="Pin, scales and downloads" node_ref=holder
            inner_html=buttons on:click=clicked></div>
    }
}

/// The numbers, a row an abscissa.
#[component]
pub fn DataTable(drawing: Memo<Option<Drawing>>) -> impl IntoView {
    let open = RwSignal::new(false);
    // A closed table is not kept up to date while a run redraws.
    let table = move || {
        open.get()
            .then(|| drawing.with(|d| d.as_ref().map(|d| markup(&d.figure))))
            .flatten()
            .unwrap_or_default()
    };
    view! {
        <details class="data" on:toggle=move |ev| open.set(event_target::<web_sys::Element>(&ev).has_attribute("open"))>
            <summary>"Data"</summary>
            <div inner_html=table></div>
        </details>
    }
}

fn markup(figure: &Figure) -> String {
    let DataTable { columns, rows, more } = DataTable::of(figure);
    let row = |row: &Vec<Option<String>>| {
        format!("<tr>{}</tr>", cells("td", row.iter().map(|cell| cell.as_deref().unwrap_or_default())))
    };
    let head = cells("th scope=\"col\"", columns.iter().map(String::as_str));
    let table = table("", &head, &rows.iter().map(row).collect::<Vec<_>>());
    let more = if more > 0 { format!("<p>{more} more rows are in the CSV.</p>") } else { String::new() };
    // Several may be open: each is named after its figure.
    let name = escape(&figure.title);
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Data of {name}\">{table}{more}</div>"
    )
}

/// Three pixels a CSS pixel, as printers like it.
fn save_png(drawing: &Drawing) {
    let canvas = browser::document().and_then(|d| d.create_element("canvas").ok());
    let Some(canvas) = canvas.and_then(|c| c.dyn_into::<web_sys::HtmlCanvasElement>().ok()) else { return };
    let (width, height) = (f64::from(FILE.0), f64::from(FILE.1));
    if render::canvas(drawing, &canvas, width, height, 3.0, Theme::Light).is_ok()
        && let Ok(url) = canvas.to_data_url()
    {
        browser::save(&url, &drawing.figure.file("png"));
    }
}
