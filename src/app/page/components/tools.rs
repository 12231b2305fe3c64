//! Tools below a figure: axis scales, exports, and its numbers as a table.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::copy_button::{Looks, copy_button};
use super::table::Table;
use crate::app::choices::Choices;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::figure::{Axis, DataTable, Records, Scale};
use crate::render::{self, Drawing, FigureLayout, Theme};

/// Size of downloaded pictures, in CSS pixels.
const FILE: (u32, u32) = (760, 480);

/// Axis scales chosen by the reader in place of those of the figure.
pub type Scales = RwSignal<(Option<Scale>, Option<Scale>)>;

/// Shows the log toggles and one menu of exports. Pictures are those of the figure as `drawn`, with pins; numbers are those of its `own` marks.
#[component]
pub fn Tools(
    app: AppState,
    unpinned: Memo<Option<Drawing>>,
    drawn: Memo<Option<Drawing>>,
    scales: Scales,
    choices: RwSignal<Choices>,
) -> impl IntoView {
    let axis = move |pick: fn(&Drawing) -> &Axis| {
        Memo::new(move |_| {
            unpinned.with(|unpinned| {
                unpinned.as_ref().map(|unpinned| (pick(unpinned).scales.len() > 1, pick(unpinned).scale))
            })
        })
    };
    let toggle = move |name: &'static str,
                       pick: fn(&Drawing) -> &Axis,
                       set: fn(&mut (Option<Scale>, Option<Scale>), Scale)| {
        let axis = axis(pick);
        let log = move || axis.get().is_some_and(|(_, scale)| scale == Scale::Log);
        view! {
            <button type="button" class="quiet" aria-pressed=move || log().to_string()
                hidden=move || !axis.get().is_some_and(|(choice, _)| choice)
                on:click=move |_| {
                    let other = if log() { Scale::Linear } else { Scale::Log };
                    scales.update(|scales| set(scales, other));
                }>"log "<i>{name}</i></button>
        }
    };
    view! {
        <div class="tools" role="group" aria-label="Scales and export">
            {toggle("x", |drawing| &drawing.figure.x, |scales, to| scales.0 = Some(to))}
            {toggle("y", |drawing| &drawing.figure.y, |scales, to| scales.1 = Some(to))}
            <MoreCurves unpinned choices />
            <span class="spacer"></span>
            <Export app unpinned drawn />
        </div>
    }
}

/// Lists the names of the marks that the model hides, so that they can be switched on.
#[component]
fn MoreCurves(unpinned: Memo<Option<Drawing>>, choices: RwSignal<Choices>) -> impl IntoView {
    let state = Memo::new(move |_| {
        unpinned.with(|unpinned| {
            unpinned
                .as_ref()
                .map(|unpinned| (unpinned.figure.id.clone(), unpinned.more, unpinned.more_marks()))
        })
    });
    let count = move || state.with(|state| state.as_ref().map_or(0, |state| state.2));
    let more = move || state.with(|state| state.as_ref().is_some_and(|state| state.1));
    let switch = move |_| {
        if let Some((figure, more, _)) = state.get_untracked() {
            choices.update(|choices| choices.list_more(&figure, !more));
        }
    };
    let words = move || match (more(), count()) {
        (true, _) => "Fewer curves".to_owned(),
        (false, count) => format!("More curves ({count})"),
    };
    view! {
        <button type="button" class="quiet more-curves" aria-expanded=move || more().to_string()
            hidden=move || count() == 0 on:click=switch>{words}</button>
    }
}

/// Shows the menu of exports.
#[component]
fn Export(app: AppState, unpinned: Memo<Option<Drawing>>, drawn: Memo<Option<Drawing>>) -> impl IntoView {
    // Cloned, because an exception of the browser would leave a borrowed signal locked.
    let with = move |drawing: Memo<Option<Drawing>>, work: fn(&Drawing)| {
        if let Some(drawing) = drawing.get_untracked() {
            work(&drawing);
        }
    };
    let csv = move || unpinned.get_untracked().map(|unpinned| unpinned.figure.csv(|| app.run.records()));
    let save_csv = move |_| match csv() {
        Some(Records { csv, .. }) if csv.lines().nth(1).is_none() => {
            app.notices.set(vec!["This figure has no rows to save.".to_owned()]);
        }
        Some(Records { file, csv }) => browser::save_as(&csv.into(), "text/csv", &file),
        None => {}
    };
    let svg = |drawn: &Drawing| {
        let (drawing, file) = (exported(drawn), drawn.figure.file("svg"));
        browser::spawn(async move {
            let svg = match browser::fetch_base64("fonts/text.woff2").await {
                Some(face) => render::svg_with_face(&drawing, FILE.0, FILE.1, Theme::Light, &face),
                None => render::svg(&drawing, FILE.0, FILE.1, Theme::Light),
            };
            browser::save_as(&svg.into(), "image/svg+xml", &file);
        });
    };
    let png = move |name: &'static str, save: fn(&Drawing)| {
        let click = move |_| with(drawn, save);
        view! { <button type="button" class="quiet" data-closes="" title="Download the figure as PNG; 3× for print" on:click=click>{name}</button> }
    };
    let looks = Looks { class: "quiet", title: Some("Copy every point as CSV"), words: "Copy CSV" };
    let copy = copy_button(
        looks,
        Box::new(move || unpinned.track()),
        Box::new(move || csv().map(|records| records.csv)),
    );
    view! {
        <Menu name="Export">
            {copy}
            <button type="button" class="quiet" data-closes="" title="Download every point as CSV" on:click=save_csv>"CSV"</button>
            <button type="button" class="quiet" data-closes="" title="Download the figure as SVG, with its typeface" on:click=move |_| with(drawn, svg)>"SVG"</button>
            {png("PNG 1×", |drawn| save_png(drawn, 1.0))}
            {png("PNG 2×", |drawn| save_png(drawn, 2.0))}
            {png("PNG 3×", |drawn| save_png(drawn, 3.0))}
        </Menu>
    }
}

/// Shows a button with a menu, which closes on Escape, when the focus leaves it, and after an entry with `data-closes`. The arrow keys
/// move through it.
#[component]
fn Menu(name: &'static str, children: Children) -> impl IntoView {
    let (open, upwards) = (RwSignal::new(false), RwSignal::new(false));
    let (holder, items) = (NodeRef::<html::Div>::new(), NodeRef::<html::Div>::new());
    let toggle = move |_| {
        upwards.set(false);
        open.update(|open| *open = !*open);
        // Before it is painted: without room below the button it opens upwards.
        request_animation_frame(move || {
            let Some(items) = items.try_get_untracked().flatten() else { return };
            upwards.set(items.get_bounding_client_rect().bottom() > browser::inner_height());
        });
    };
    let left = move |ev: leptos::ev::FocusEvent| {
        let to = ev.related_target().and_then(|to| to.dyn_into::<web_sys::Node>().ok());
        // The focus also leaves a menu that is removed with its page.
        let Some(holder) = holder.try_get_untracked().flatten() else { return };
        if to.is_none() || !holder.contains(to.as_ref()) {
            open.set(false);
        }
    };
    let keyed = move |ev: leptos::ev::KeyboardEvent| {
        let (Some(holder), Some(items)) = (holder.get_untracked(), items.get_untracked()) else { return };
        if !open.get_untracked() {
            return;
        }
        let focused = browser::document().and_then(|document| document.active_element());
        let inside = focused.filter(|focused| items.contains(Some(focused)));
        let to = match (ev.key().as_str(), inside) {
            ("Escape", _) => None,
            ("ArrowDown", Some(item)) => item.next_element_sibling().or(Some(item)),
            ("ArrowDown", None) => items.first_element_child(),
            ("ArrowUp", Some(item)) => item.previous_element_sibling(),
            _ => return,
        };
        ev.prevent_default();
        ev.stop_propagation();
        open.set(to.is_some());
        // Without an item, the button of the menu.
        focus(to.or_else(|| holder.first_element_child()));
    };
    let chosen = move |ev: leptos::ev::MouseEvent| {
        let item = ev.target().and_then(|item| item.dyn_into::<web_sys::Element>().ok());
        if item.is_none_or(|item| !item.has_attribute("data-closes")) {
            return;
        }
        open.set(false);
        focus(holder.get_untracked().and_then(|holder| holder.first_element_child()));
    };
    view! {
        <div class="menu" node_ref=holder on:focusout=left on:keydown=keyed>
            <button type="button" class="quiet" aria-expanded=move || open.get().to_string() on:click=toggle>{name}</button>
            <div class="items" class:upwards=upwards node_ref=items hidden=move || !open.get() on:click=chosen>{children()}</div>
        </div>
    }
}

fn focus(element: Option<web_sys::Element>) {
    if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

/// Returns the drawing as it is exported, without switches.
fn exported(drawing: &Drawing) -> Drawing {
    Drawing { switches: false, ..drawing.clone() }
}

/// Shows the numbers, one row per abscissa.
#[component]
pub fn DataTableView(drawing: Memo<Option<Drawing>>) -> impl IntoView {
    let open = RwSignal::new(false);
    // A closed table is not kept up to date while a run redraws.
    let table = move || {
        let drawing = open.get().then(|| drawing.get()).flatten()?;
        let DataTable { columns, rows, more } = DataTable::of(&drawing.figure);
        let rows =
            rows.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default).collect()).collect();
        let more = (more > 0).then(|| view! { <p>{format!("{more} more rows are in the CSV.")}</p> });
        // Several tables may be open: each is named after its figure.
        let name = format!("Data of {}", drawing.figure.title);
        let table = view! {
            <div class="scroll" tabindex="0" role="region" aria-label=name><Table head=columns rows />{more}</div>
        };
        Some(table.into_any())
    };
    view! {
        <details class="data" on:toggle=move |ev| open.set(event_target::<web_sys::Element>(&ev).has_attribute("open"))>
            <summary>"Data"</summary>
            {table}
        </details>
    }
}

/// Saves the figure as PNG with `scale` pixels per CSS pixel.
fn save_png(drawing: &Drawing, scale: f64) {
    let canvas = browser::document().and_then(|d| d.create_element("canvas").ok());
    let Some(canvas) = canvas.and_then(|c| c.dyn_into::<web_sys::HtmlCanvasElement>().ok()) else { return };
    let size = (f64::from(FILE.0), f64::from(FILE.1));
    let exported = exported(drawing);
    let layout = FigureLayout::new(&exported, size);
    if layout.draw_on_canvas(&exported, &canvas, scale, Theme::Light, true).is_ok()
        && let Ok(url) = canvas.to_data_url()
    {
        browser::save(&url, &drawing.figure.file("png"));
    }
}
