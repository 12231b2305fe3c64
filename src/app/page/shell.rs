//! The page of a model within the frame of `index.html`: routes, titles and keys.

use leptos::ev;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::AddEventListenerOptions;

use super::browser;
use super::components::{
    Begin, Controls, Exercises, Figures, Knobs, MountQueue, Notes, NotesRead, PinTable, RunBar, Transport,
};
use super::state::{AppState, FirstPicture};
use crate::lab::{Catalog, Task, model_of};
use crate::protocol::VERSION;

/// Shows the page in `#app` once the address names a task; the front page and the ledger need no program.
pub fn open(catalog: Catalog) {
    std::panic::set_hook(Box::new(|info| {
        browser::mark("data-crash", &info.to_string());
        #[cfg(debug_assertions)]
        console_error_panic_hook::hook(info);
    }));
    if let Some(version) = browser::document().and_then(|d| d.get_element_by_id("version")) {
        version.set_text_content(Some(&format!("Version {VERSION}")));
    }
    if browser::matches(MODEL_PAGE) {
        // In a task of its own, so that the browser can draw between loading and mounting.
        browser::timeout(0, move || mount(catalog));
    } else {
        let listener = Closure::once_into_js(move || open(catalog));
        if let Some(window) = browser::window() {
            let options = AddEventListenerOptions::new();
            options.set_once(true);
            let _ = window.add_event_listener_with_callback_and_add_event_listener_options(
                "hashchange",
                listener.unchecked_ref(),
                &options,
            );
        }
    }
}

/// Attribute of the root element while the page is being mounted behind the ready-made picture.
const MOUNTING: &str = "data-mounting";

/// Selects the root element while it has that attribute.
const COVERED: &str = ":root[data-mounting]";

/// Selects the root element while the address names a page of a model.
const MODEL_PAGE: &str = ":root[data-page=model]";

fn mount(catalog: Catalog) {
    let Some(root) = browser::document().and_then(|d| d.get_element_by_id("app")) else { return };
    leptos::mount::mount_to(root.unchecked_into(), move || view! { <Shell catalog /> }).forget();
}

#[component]
fn Shell(catalog: Catalog) -> impl IntoView {
    let app = AppState::new(catalog);
    let open = move || app.open(&browser::hash(), browser::ready_made().is_some());
    open();
    // The ready-made picture stays while the page is made in a task of its own.
    browser::mark(MOUNTING, "");
    let opening = MountQueue::new(1);
    window_event_listener(ev::hashchange, move |_| open());
    window_event_listener(ev::resize, move |_| app.window_height.set(browser::inner_height()));
    window_event_listener(ev::keydown, move |ev| handle_key(app, &ev));
    // A control whose pointer the browser takes, such as for scrolling, keeps its value.
    window_event_listener(ev::pointercancel, move |_| {
        if !app.run.settled.get_untracked() {
            app.settle();
        }
    });
    let read_theme = move || {
        app.dark.set(browser::matches(":root[data-dark]"));
        app.paper.set(browser::matches(":root[data-paper]"));
    };
    read_theme();
    window_event_listener(ev::Custom::<web_sys::Event>::new("theme"), move |_| read_theme());
    // The model in the address, or the whole address if it has no page.
    let opened = Memo::new(move |_| {
        let page = app.form.page.get();
        if app.task().is_some() { model_of(&page).to_owned() } else { page }
    });
    let notes = NotesRead::default();
    Effect::new(move || set_title(app, &opened.get()));
    opening.at(1, move || {
        let page = move || {
            let id = opened.get();
            if untrack(|| app.task()).is_some() {
                view! { <ModelPage app notes id /> }.into_any()
            } else {
                view! { <NoSuchPage id /> }.into_any()
            }
        };
        page.into_any()
    })
}

/// Sets the title of the document for a model and its page.
fn set_title(app: AppState, model: &str) {
    let name = app.catalog.model(model).map_or("Not found", |model| model.name);
    let several = app.catalog.pages(model).nth(1).is_some();
    let tab = app.task().and_then(|task| task.meta().tab).filter(|_| several);
    if let Some(document) = browser::document() {
        let page = tab.map_or(name.to_owned(), |tab| format!("{tab} · {name}"));
        document.set_title(&format!("{page} · Mean Field Lab"));
    }
}

#[component]
fn ModelPage(app: AppState, notes: NotesRead, id: String) -> impl IntoView {
    let paper = app.catalog.model(&id).map(|model| model.paper);
    let meta = move || app.task().map(Task::meta);
    let question = Memo::new(move |_| meta().map_or(String::new(), |meta| meta.question.to_owned()));
    let subtitle = Memo::new(move |_| meta().map_or(String::new(), |meta| meta.subtitle.to_owned()));
    let whole = Signal::derive(move || browser::address(&app.form.link()).replace("?embed", "?"));
    let embedded = browser::embedded();
    let head = embedded.then(|| {
        view! {
            <p class="embed-head">
                <b>{question}</b>
                <a href=whole target="_blank" rel="noopener">"Open in Mean Field Lab"</a>
            </p>
        }
    });
    let queue = MountQueue::new(7);
    // The article of a page is kept while its settings change.
    let page = Memo::new(move |_| meta().map(|meta| meta.id));
    let asks = Memo::new(move |_| app.asks_for_table());
    let place = move |of| move || app.run.first_picture.get() == of;
    view! {
        <div class="model" class:asking=asks>
            {head}
            <div class="title">
                <PageTabs app model=id.clone() />
                <h1>{question}</h1>
                <p>{subtitle}</p>
                {queue.at(1, move || view! { <Exercises app /> }.into_any())}
            </div>
            <div class="work" class:ready-made=place(FirstPicture::ReadyMade) class:no-picture=place(FirstPicture::Missing)>
                // The components of another task are created anew.
                {move || {
                    app.form.page.track();
                    Some(view! { <Middle app queue /> }.into_any())
                }}
                {(!embedded).then(|| view! {
                    <section class="controls" aria-label="Settings" aria-busy=move || queue.has_more().then_some("true")>
                        {queue.at(6, move || view! { <Controls app /> }.into_any())}
                    </section>
                })}
            </div>
            {queue.at(7, move || {
                (move || {
                    let task = app.catalog.page(page.get()?)?;
                    Some(view! { <Notes app task paper read=notes /> })
                })
                .into_any()
            })}
        </div>
    }
}

/// Shows the run bar and the figures. They are mounted in steps 2 to 5 of the queue. The page is shown once the first figure is mounted.
#[component]
fn Middle(app: AppState, queue: MountQueue) -> impl IntoView {
    let embedded = browser::embedded();
    view! {
        <div class="middle">
            <div class="run-row">
                {queue.at(2, move || view! { <RunBar app /> }.into_any())}
                {queue.at(3, move || view! { <Transport app /> }.into_any())}
            </div>
            {queue.at(4, move || view! { <Begin app /> }.into_any())}
            {queue.at(5, move || {
                let covered = browser::matches(COVERED);
                view! { <Figures app covered on_first=|| browser::unmark(MOUNTING) /> }.into_any()
            })}
            {embedded.then(|| view! { <Knobs app /> })}
            {queue.at(4, move || view! { <PinTable app /> }.into_any())}
        </div>
    }
}

/// Links to the pages of a model with several pages, each with its last settings.
#[component]
fn PageTabs(app: AppState, model: String) -> impl IntoView {
    let pages: Vec<_> = app.catalog.pages(&model).map(Task::meta).collect();
    let tabs = NodeRef::<html::Nav>::new();
    // On a phone the row of links is longer than the screen.
    Effect::new(move || {
        app.form.page.track();
        let Some(tabs) = tabs.get() else { return };
        browser::next_frame(move || browser::scroll_to_current(&tabs));
    });
    (pages.len() > 1).then(|| {
        let links = pages.into_iter().map(|meta| {
            let left = move || app.visited.with(|visited| visited.get(meta.id).cloned());
            view! {
                <a href=move || left().unwrap_or_else(|| format!("#/{}", meta.id))
                    aria-current=move || app.form.page.with(|id| id == meta.id).then_some("page")>
                    {meta.tab}
                </a>
            }
        });
        view! { <nav class="tabs" aria-label="Pages of this model" node_ref=tabs>{links.collect_view()}</nav> }
    })
}

/// Shows a message for an address without a page.
#[component]
fn NoSuchPage(id: String) -> impl IntoView {
    browser::mark("data-state", "done");
    browser::unmark(MOUNTING);
    view! {
        <div class="not-found">
            <h1>"No such page"</h1>
            <p>"There is no page called “" {id} "”. " <a href="#/">"Go to the front page"</a></p>
        </div>
    }
}

/// Key of the preference that turns off shortcuts of one key.
const SHORTCUTS: &str = "meanfield-shortcuts";

/// Handles keys: Space runs and pauses, S steps and P replays, if shortcuts of one key are on; Escape stops. Keys in inputs and on buttons are
/// ignored.
fn handle_key(app: AppState, ev: &web_sys::KeyboardEvent) {
    // Pages without a program have no shortcuts.
    if !browser::matches(MODEL_PAGE) {
        return;
    }
    let closest = |selector: &str| {
        let target = ev.target().and_then(|t| t.dyn_into::<web_sys::Element>().ok());
        target.is_some_and(|e| e.closest(selector).ok().flatten().is_some())
    };
    let typing = closest("input[type=text], textarea");
    if (ev.ctrl_key() || ev.meta_key()) && !typing {
        match (ev.key().as_str(), ev.shift_key()) {
            ("z", false) => app.undo(),
            ("Z" | "z", true) | ("y", false) => app.redo(),
            _ => return,
        }
        ev.prevent_default();
        return;
    }
    let busy = closest("input:not([type=range]), select, textarea, button, summary, a, code");
    if busy || ev.ctrl_key() || ev.meta_key() || ev.alt_key() || app.task().is_none() {
        return;
    }
    let single = browser::remembered(SHORTCUTS).is_none();
    match ev.key().as_str() {
        " " if single => app.run_or_pause(),
        "s" | "S" if single && app.form.checked.with_untracked(Result::is_ok) => app.step(),
        "p" | "P" if single => app.play_or_pause(),
        "Escape" => app.stop(),
        _ => return,
    }
    ev.prevent_default();
}
