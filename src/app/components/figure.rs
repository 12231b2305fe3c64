//! A live figure: a canvas drawn by `render`, values under the pointer or by arrow keys, table and downloads.

use leptos::ev::{KeyboardEvent, MouseEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use crate::app::browser;
use crate::app::state::Lab;
use crate::figure::{Axis, Figure, Scale, Table, tidy_csv};
use crate::render::{self, Frame, Theme};

/// Width ÷ height of a figure on a wide page; on a phone it is higher.
const ASPECT: f64 = 760.0 / 480.0;
const PHONE: f64 = 560.0;
/// Size of downloaded pictures.
const FILE: (u32, u32) = (760, 480);
/// How near the pointer must be to a point to read it, in CSS pixels.
const REACH: f64 = 40.0;

/// Which point of which curve is being read.
#[derive(Clone, Copy, PartialEq)]
struct Reading {
    curve: usize,
    point: usize,
    at: (f64, f64),
}

/// All figures of a task. Which there will be is known when it has run; before that there is a place for one.
#[component]
pub fn Figures(lab: Lab, first_paint: StoredValue<String>) -> impl IntoView {
    // A run that begins anew has nothing yet to show: its figures keep their places.
    let places =
        Memo::new(move |before: Option<&usize>| lab.figures.with(Vec::len).max(before.copied().unwrap_or(1)));
    view! {
        <div class="figures">
            {move || (0..places.get()).map(|place| view! { <FigureView lab place first_paint /> }).collect_view()}
        </div>
    }
}

/// The figure of that place in the page's list.
#[component]
fn FigureView(lab: Lab, place: usize, first_paint: StoredValue<String>) -> impl IntoView {
    let scales = RwSignal::new((None::<Scale>, None::<Scale>));
    let figure = Memo::new(move |before: Option<&Option<Figure>>| {
        let Some(mut figure) = lab.figures.with(|all| all.get(place).cloned()) else {
            return before.cloned().flatten().map(Figure::stale);
        };
        let (x, y) = scales.get();
        figure.x.scale = x.unwrap_or(figure.x.scale);
        figure.y.scale = y.unwrap_or(figure.y.scale);
        Some(figure)
    });
    let width = RwSignal::new(0.0);
    let frame = StoredValue::new_local(None::<Frame>);
    let reading = RwSignal::new(None::<Reading>);
    let canvas = NodeRef::<html::Canvas>::new();
    let holder = NodeRef::<html::Div>::new();

    Effect::new(move |_| {
        let Some(holder) = holder.get() else { return };
        watch_width(&holder, width);
    });
    Effect::new(move |_| {
        let (Some(canvas), width) = (canvas.get(), width.get()) else { return };
        let theme = if lab.dark.get() { Theme::Dark } else { Theme::Light };
        let drawn = figure.with(|figure| {
            let figure = figure.as_ref()?;
            let size = (width, height(width));
            render::canvas(figure, &canvas, size.0, size.1, browser::pixel_ratio(), theme).ok()
        });
        frame.set_value(drawn);
    });

    let pointed = move |ev: PointerEvent| {
        let Some(holder) = holder.get() else { return };
        let bounds = holder.get_bounding_client_rect();
        let (px, py) = (f64::from(ev.client_x()) - bounds.left(), f64::from(ev.client_y()) - bounds.top());
        reading.set(figure.with(|figure| {
            let hit = frame.with_value(|frame| frame.as_ref()?.nearest(figure.as_ref()?, px, py))?;
            (hit.distance < REACH).then_some(Reading { curve: hit.curve, point: hit.point, at: hit.at })
        }));
    };
    let keyed = move |ev: KeyboardEvent| {
        let (curve, point) = match ev.key().as_str() {
            "ArrowRight" => (0, 1),
            "ArrowLeft" => (0, -1),
            "ArrowUp" => (-1, 0),
            "ArrowDown" => (1, 0),
            "Escape" if reading.get_untracked().is_some() => {
                // Closes the reading, and does not stop the run as well.
                ev.stop_propagation();
                reading.set(None);
                return;
            }
            _ => return,
        };
        ev.prevent_default();
        ev.stop_propagation();
        let next = figure.with(|figure| {
            frame.with_value(|frame| {
                step(figure.as_ref()?, frame.as_ref()?, reading.get_untracked(), curve, point)
            })
        });
        reading.set(next.or(reading.get_untracked()));
    };
    let value = Memo::new(move |_| {
        let reading = reading.get()?;
        figure.with(|figure| said(figure.as_ref()?, reading)).map(|text| (text, reading.at))
    });
    let summary = move || figure.with(|f| f.as_ref().map(|f| f.summary.clone()).unwrap_or_default());
    let caption = move || figure.with(|f| f.as_ref().map(|f| f.caption.clone()).unwrap_or_default());
    let empty = Memo::new(move |_| figure.with(Option::is_none));
    view! {
        <figure class="figure">
            <div class="picture" node_ref=holder tabindex="0" role="group"
                aria-label="Values of the figure: left and right arrows for points, up and down for curves"
                on:pointermove=pointed on:pointerdown=pointed on:pointerleave=move |_| reading.set(None)
                on:keydown=keyed on:blur=move |_| reading.set(None)>
                {move || empty.get().then(|| {
                    let picture = if place == 0 { first_paint.get_value() } else { String::new() };
                    view! { <div class="first-paint" inner_html=picture></div> }
                })}
                <canvas node_ref=canvas role="img" aria-label=summary hidden=empty
                    style:width=move || format!("{}px", width.get())
                    style:height=move || format!("{}px", height(width.get()))></canvas>
                {move || value.get().map(|(text, (x, y))| view! {
                    <span class="ring" aria-hidden="true" style:left=format!("{x}px") style:top=format!("{y}px")></span>
                    <span class="value" class:left={move || x > 0.6 * width.get()} aria-hidden="true"
                        style:left=format!("{x}px") style:top=format!("{y}px")>{text}</span>
                })}
            </div>
            <p class="sr-only" aria-live="polite">{move || value.get().map(|(text, _)| text)}</p>
            <figcaption>{caption}</figcaption>
            <div hidden=empty><Tools figure scales /><DataTable figure /></div>
        </figure>
    }
}

fn height(width: f64) -> f64 {
    if width < PHONE { width * 0.95 } else { width / ASPECT }.round()
}

/// Log toggles and downloads.
#[component]
fn Tools(figure: Memo<Option<Figure>>, scales: RwSignal<(Option<Scale>, Option<Scale>)>) -> impl IntoView {
    let toggle = move |name: &'static str,
                       axis: fn(&Figure) -> &Axis,
                       set: fn(&mut (Option<Scale>, Option<Scale>), Scale)| {
        let offered =
            Memo::new(move |_| figure.with(|f| f.as_ref().is_some_and(|f| axis(f).scales.len() > 1)));
        let log =
            Memo::new(move |_| figure.with(|f| f.as_ref().is_some_and(|f| axis(f).scale == Scale::Log)));
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
        figure.track();
        copied.set("Copy CSV");
    });
    let copy = move |figure: &Figure| {
        browser::copy(&tidy_csv(figure), move |well| copied.set(if well { "Copied" } else { "Not copied" }));
    };
    view! {
        <div class="tools" role="group" aria-label="Scales and downloads">
            {toggle("x", |f| &f.x, |s, scale| s.0 = Some(scale))}
            {toggle("y", |f| &f.y, |s, scale| s.1 = Some(scale))}
            <span class="spacer"></span>
            <button type="button" class="quiet" title="Copy every point as CSV" on:click=with(figure, copy)>{copied}</button>
            <button type="button" class="quiet" title="Download every point as CSV"
                on:click=with(figure, |f| browser::save_text(&tidy_csv(f), "text/csv", &file(f, "csv")))>"CSV"</button>
            <button type="button" class="quiet" title="Download the figure as SVG"
                on:click=with(figure, |f| browser::save_text(&render::svg(f, FILE.0, FILE.1, Theme::Light), "image/svg+xml", &file(f, "svg")))>"SVG"</button>
            <button type="button" class="quiet" title="Download the figure as PNG" on:click=with(figure, save_png)>"PNG"</button>
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
fn DataTable(figure: Memo<Option<Figure>>) -> impl IntoView {
    let open = RwSignal::new(false);
    // A closed table is not kept up to date while a run redraws.
    let table = move || open.get().then(|| figure.with(|f| f.as_ref().map(Table::of))).flatten();
    view! {
        <details class="data" on:toggle=move |ev| open.set(event_target::<web_sys::Element>(&ev).has_attribute("open"))>
            <summary>"Data"</summary>
            <div class="scroll" tabindex="0" role="region" aria-label="Data table">
                {move || table().map(|table| view! {
                    <table>
                        <thead><tr>{table.columns.into_iter().map(|c| view! { <th scope="col">{c}</th> }).collect_view()}</tr></thead>
                        <tbody>{table.rows.into_iter().map(|row| view! {
                            <tr>{row.into_iter().map(|cell| view! { <td>{cell.unwrap_or_default()}</td> }).collect_view()}</tr>
                        }).collect_view()}</tbody>
                    </table>
                })}
            </div>
        </details>
    }
}

/// Keeps `width` equal to the element's content width for as long as the page lives.
fn watch_width(element: &web_sys::HtmlElement, width: RwSignal<f64>) {
    let observed = element.clone();
    let measure = move || width.set(f64::from(observed.client_width()));
    measure();
    let closure = Closure::<dyn FnMut()>::new(measure);
    if let Ok(observer) = web_sys::ResizeObserver::new(closure.as_ref().unchecked_ref()) {
        observer.observe(element);
        let kept = StoredValue::new_local(Some((observer, closure)));
        on_cleanup(move || {
            if let Some((observer, _)) = kept.try_update_value(Option::take).flatten() {
                observer.disconnect();
            }
        });
    }
}

/// The next point to read from `from`, by keys; the first one of the last curve drawn to begin with.
fn step(
    figure: &Figure,
    frame: &Frame,
    from: Option<Reading>,
    curve: isize,
    point: isize,
) -> Option<Reading> {
    let visible = |c: usize, p: usize| {
        let point = figure.curves.get(c)?.points.get(p)?;
        Some(Reading { curve: c, point: p, at: frame.to_px(point.x, point.y)? })
    };
    let Some(from) = from else {
        return (0..figure.curves.len())
            .rev()
            .find_map(|c| (0..figure.curves[c].points.len()).find_map(|p| visible(c, p)));
    };
    if point != 0 {
        let mut p = from.point.checked_add_signed(point)?;
        loop {
            if p >= figure.curves.get(from.curve)?.points.len() {
                return None;
            }
            if let Some(found) = visible(from.curve, p) {
                return Some(found);
            }
            p = p.checked_add_signed(point)?;
        }
    }
    let x = figure.curves.get(from.curve)?.points.get(from.point)?.x;
    let mut c = from.curve.checked_add_signed(curve)?;
    while let Some(other) = figure.curves.get(c) {
        let nearest = (0..other.points.len())
            .filter(|&p| visible(c, p).is_some())
            .min_by(|&a, &b| (other.points[a].x - x).abs().total_cmp(&(other.points[b].x - x).abs()));
        if let Some(p) = nearest {
            return visible(c, p);
        }
        c = c.checked_add_signed(curve)?;
    }
    None
}

/// A point in words.
fn said(figure: &Figure, reading: Reading) -> Option<String> {
    let curve = figure.curves.get(reading.curve)?;
    let p = curve.points.get(reading.point)?;
    let se = p.se.map_or(String::new(), |se| format!(" ± {se:.4}"));
    let symbol = |axis: &Axis| {
        axis.label.rsplit(", ").next().unwrap_or_default().split(' ').next().unwrap_or_default().to_owned()
    };
    Some(format!(
        "{}: {} = {:.4}{se} at {} = {:.3}",
        curve.label,
        symbol(&figure.y),
        p.y,
        symbol(&figure.x),
        p.x
    ))
}

fn file(figure: &Figure, ending: &str) -> String {
    format!("{}.{ending}", figure.title.to_ascii_lowercase().replace(' ', "-"))
}

/// Three pixels a CSS pixel, as printers like it.
fn save_png(figure: &Figure) {
    let canvas = browser::document().and_then(|d| d.create_element("canvas").ok());
    let Some(canvas) = canvas.and_then(|c| c.dyn_into::<web_sys::HtmlCanvasElement>().ok()) else { return };
    let (width, height) = (f64::from(FILE.0), f64::from(FILE.1));
    if render::canvas(figure, &canvas, width, height, 3.0, Theme::Light).is_ok()
        && let Ok(url) = canvas.to_data_url()
    {
        browser::save(&url, &file(figure, "png"));
    }
}
