//! The page of a model within the frame that `index.html` has ready: routes, titles and keys.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use super::browser;
use super::components::{
    Begin, Controls, Figures, Knobs, Notes, NotesRead, PinTable, RunBar, Steps, effect, list, live, memo,
    part, signal,
};
use super::state::Lab;
use super::viewer;
use crate::lab::{Catalog, Task, model_of};

/// Asks the solvers' program what there is to run, and puts the page into `#app`. What is ready-made stands until then; where
/// the program cannot be had, the script that was there before the page says so.
pub fn open() {
    std::panic::set_hook(Box::new(|info| {
        browser::mark("data-crash", &info.to_string());
        #[cfg(debug_assertions)]
        console_error_panic_hook::hook(info);
    }));
    browser::spawn(async {
        match program().await {
            // In a task of its own, as is what comes after it.
            Ok(catalog) => browser::timeout(0, move || mount(Box::leak(Box::new(catalog)))),
            // The script that was there before the page says so.
            Err(_) => browser::dispatch("error"),
        }
    });
}

async fn program() -> Result<Catalog, JsValue> {
    viewer::load(&viewer::first()?).await
}

fn mount(catalog: &'static Catalog) {
    let Some(root) = browser::document().and_then(|d| d.get_element_by_id("app")) else { return };
    leptos::mount::mount_to(root.unchecked_into(), move || view! { <Shell catalog /> }).forget();
}

#[component]
fn Shell(catalog: &'static Catalog) -> impl IntoView {
    let lab = Lab::new(catalog);
    let open = move || lab.open(&browser::hash(), browser::ready_made().is_some());
    open();
    // What is ready-made stands while the page is made, which is a task of its own.
    let opening = Steps::new(1);
    window_event_listener(ev::hashchange, move |_| open());
    // The program of another model has come.
    window_event_listener(ev::Custom::<web_sys::Event>::new("program"), move |_| open());
    window_event_listener(ev::keydown, move |ev| keys(lab, &ev));
    let look = move || {
        lab.dark.set(browser::matches(":root[data-dark]"));
        lab.paper.set(browser::matches(":root[data-paper]"));
    };
    look();
    window_event_listener(ev::Custom::<web_sys::Event>::new("theme"), move |_| look());
    // The model of the page in the address; what is no page stands for itself.
    let opened = memo(move |_| {
        let page = lab.page.get();
        if lab.task().is_some() { model_of(&page).to_owned() } else { page }
    });
    let notes = NotesRead::default();
    effect(move || {
        let id = opened.get();
        let name = catalog.model(&id).map_or("Not found", |m| m.name);
        let tab = lab
            .task()
            .filter(|_| lab.catalog.get().pages(&id).nth(1).is_some())
            .and_then(|task| task.meta().tab);
        if let Some(document) = browser::document() {
            let between = if tab.is_some() { " · " } else { "" };
            document.set_title(&format!("{}{between}{name} · Mean Field Lab", tab.unwrap_or_default()));
        }
    });
    opening.at(1, move || {
        live(move || {
            let id = opened.get();
            Some(if untrack(|| lab.task()).is_some() {
                view! { <ModelPage lab notes id /> }.into_any()
            } else {
                view! { <NoSuchPage id /> }.into_any()
            })
        })
    })
}

#[component]
fn ModelPage(lab: Lab, notes: NotesRead, id: String) -> impl IntoView {
    let paper = lab.catalog.get_untracked().model(&id).map(|model| model.paper);
    let meta = move || lab.task().map(Task::meta);
    let title = memo(move |_| meta().map_or(String::new(), |meta| meta.title.to_owned()));
    let subtitle = memo(move |_| meta().map_or(String::new(), |meta| meta.subtitle.to_owned()));
    let whole = signal(move || browser::address(&lab.link()).replace("?embed", "?"));
    let embedded = browser::embedded();
    let head = part(embedded, || {
        view! {
            <p class="embed-head">
                <b>{title}</b>
                <a href=whole target="_blank" rel="noopener">"Open in Mean Field Lab"</a>
            </p>
        }
    });
    // The settings come after the figures.
    let steps = Steps::new(2);
    view! {
        <div class="model">
            {head}
            <div class="title"><h1>{title}</h1><Experiments lab model=id.clone() /><p>{subtitle}</p></div>
            <div class="work">
                // Another experiment begins with nothing of the one before.
                {live(move || {
                    lab.page.track();
                    let middle = view! {
                        <div class="middle">
                            <RunBar lab />
                            <Begin lab />
                            <Figures lab />
                            {part(embedded, || view! { <Knobs lab /> })}
                            <PinTable lab />
                        </div>
                    };
                    Some(middle.into_any())
                })}
                {part(!embedded, || view! {
                    <section class="controls" aria-label="Settings" aria-busy=signal(move || steps.coming().then_some("true"))>
                        {steps.at(1, move || view! { <Controls lab /> }.into_any())}
                    </section>
                })}
            </div>
            {steps.at(2, move || {
                live(move || lab.task().map(|task| view! { <Notes task=task.meta().id paper read=notes /> }.into_any()))
            })}
        </div>
    }
}

/// The pages of a model that has several, each a link to where it was left.
#[component]
fn Experiments(lab: Lab, model: String) -> impl IntoView {
    let pages: Vec<_> = lab.catalog.get_untracked().pages(&model).map(Task::meta).collect();
    part(pages.len() > 1, || {
        let links = pages.into_iter().map(|meta| {
            let left = move || lab.visited.with(|visited| visited.get(meta.id).cloned());
            view! {
                <a href=signal(move || left().unwrap_or_else(|| format!("#/{}", meta.id)))
                    aria-current=signal(move || lab.page.with(|id| id == meta.id).then_some("page"))>
                    {meta.tab}
                </a>
            }
        });
        view! { <nav class="experiments" aria-label="Experiments">{list(links)}</nav> }
    })
}

/// The address names no page.
#[component]
fn NoSuchPage(id: String) -> impl IntoView {
    browser::mark("data-state", "done");
    view! {
        <div class="not-found">
            <h1>"No such page"</h1>
            <p>"There is no page called “" {id} "”. The models are listed at the top."</p>
        </div>
    }
}

/// Where it is remembered that single keys do nothing.
const SHORTCUTS: &str = "meanfield-shortcuts";

/// Space runs and pauses, S steps, if single keys are to do anything; Escape stops. Not while something is typed or pressed.
fn keys(lab: Lab, ev: &web_sys::KeyboardEvent) {
    // Over a page without a program they are the browser's own.
    if !browser::matches(":root[data-page=model]") {
        return;
    }
    let closest = |selector: &str| {
        let target = ev.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        target.is_some_and(|e| e.closest(selector).ok().flatten().is_some())
    };
    let typing = closest("input[type=text], textarea");
    if (ev.ctrl_key() || ev.meta_key()) && !ev.shift_key() && ev.key() == "z" && !typing && lab.can_undo() {
        lab.undo();
        ev.prevent_default();
        return;
    }
    let busy = closest("input, select, textarea, button, summary, a, code");
    if busy || ev.ctrl_key() || ev.meta_key() || ev.alt_key() || lab.task().is_none() {
        return;
    }
    let single = browser::remembered(SHORTCUTS).is_none();
    match ev.key().as_str() {
        " " if single => lab.run_or_pause(),
        "s" | "S" if single => lab.step(),
        "Escape" => lab.stop(),
        _ => return,
    }
    ev.prevent_default();
}
