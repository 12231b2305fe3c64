//! The frame around every model: head, navigation, theme, routes and keys.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use super::browser;
use super::components::on;
use super::components::{Begin, Controls, Figures, Knobs, Notes, NotesRead, PinTable, RunBar, Share};
use super::state::Lab;
use super::viewer;
use crate::lab::{Catalog, ModelInfo, Task, model_of};

/// Asks the solvers' program what there is to run, and puts the page into `#app`. The ready-made picture that stands there
/// stays until there is a live one; where the program cannot be had, the page says so beside it.
pub fn open() {
    browser::spawn(async {
        match program().await {
            Ok(catalog) => mount(Box::leak(Box::new(catalog))),
            // The script that was there before the page says so.
            Err(_) => browser::dispatch("error"),
        }
    });
}

async fn program() -> Result<Catalog, JsValue> {
    viewer::load(&viewer::first()?).await
}

fn mount(catalog: &'static Catalog) {
    #[cfg(debug_assertions)]
    console_error_panic_hook::set_once();
    let Some(root) = browser::document().and_then(|d| d.get_element_by_id("app")) else { return };
    // A page deeper in has no picture.
    let picture = root.query_selector(":root:not(.deep) .first-paint").ok().flatten();
    let picture = picture.map(|p| p.inner_html()).unwrap_or_default();
    root.set_inner_html("");
    leptos::mount::mount_to(root.unchecked_into(), move || view! { <Shell catalog picture /> }).forget();
}

#[component]
fn Shell(catalog: &'static Catalog, picture: String) -> impl IntoView {
    let lab = Lab::new(catalog);
    let landing = StoredValue::new(browser::hash());
    lab.open(&browser::hash(), !picture.is_empty());
    // The ready-made picture belongs to the page it came with.
    let first_paint = StoredValue::new(picture);
    window_event_listener(ev::hashchange, move |_| {
        if browser::hash() != landing.get_value() {
            first_paint.set_value(String::new());
        }
        lab.open(&browser::hash(), false);
    });
    let shortcuts = RwSignal::new(browser::remembered(SHORTCUTS).is_none());
    window_event_listener(ev::keydown, move |ev| keys(lab, shortcuts.get_untracked(), &ev));
    // The model of the page in the address; what is no page stands for itself.
    let opened = Memo::new(move |_| {
        let page = lab.page.get();
        if lab.task().is_some() { model_of(&page).to_owned() } else { page }
    });
    let notes = NotesRead::default();
    Effect::new(move |_| {
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
    view! {
        <a class="skip" href="#main" on:click=on(move |ev: ev::MouseEvent| {
            // The hash is the route: go there without it.
            ev.prevent_default();
            if let Some(main) = browser::document().and_then(|d| d.get_element_by_id("main")) {
                let _ = main.unchecked_into::<web_sys::HtmlElement>().focus();
            }
        })>"Skip to the figure"</a>
        <header>
            <a class="mark" href="#/">"Mean Field Lab"</a>
            <nav aria-label="Models">
                {catalog.models.iter().map(|model| view! { <ModelLink lab model opened /> }).collect_view()}
            </nav>
            <ThemeButton lab />
        </header>
        <section class="tagline" aria-label="About">{TAGLINE}</section>
        <main id="main" tabindex="-1">
            {move || {
                let id = opened.get();
                if untrack(|| lab.task()).is_some() {
                    view! { <ModelPage lab first_paint notes id /> }.into_any()
                } else {
                    view! { <NoSuchPage id /> }.into_any()
                }
            }}
        </main>
        <footer>
            <label>
                <input type="checkbox" prop:checked=shortcuts on:change=on(move |ev| {
                    let on = event_target_checked(&ev);
                    browser::remember(SHORTCUTS, (!on).then_some("off"));
                    shortcuts.set(on);
                }) />
                "Single-key shortcuts: Space runs and pauses, S steps"
            </label>
            <p>"Everything is computed in this browser tab; nothing is sent anywhere. Version " {crate::protocol::VERSION}</p>
        </footer>
    }
}

/// What all of this is, in one sentence.
pub const TAGLINE: &str = "Mean Field Lab runs five classic approximate-inference methods in your browser and shows how \
                           close each comes to the exact answer.";

/// A model in the navigation, which leads to where it was left. The one that is looked at is scrolled into view.
#[component]
fn ModelLink(lab: Lab, model: &'static ModelInfo, opened: Memo<String>) -> impl IntoView {
    let current = Memo::new(move |_| opened.with(|id| id == model.id));
    let left = move || lab.recent.with(|recent| recent.get(model.id).cloned());
    let link = NodeRef::<leptos::html::A>::new();
    Effect::new(move |_| {
        let Some(link) = link.get().filter(|_| current.get()) else { return };
        if let Some(nav) = link.parent_element() {
            let left = |element: &web_sys::Element| element.get_bounding_client_rect().left();
            nav.set_scroll_left(nav.scroll_left() + (left(&link) - left(&nav)) as i32 - 24);
        }
    });
    view! {
        <a node_ref=link href=Signal::derive(move || left().unwrap_or_else(|| format!("#/{}", model.id)))
            aria-current=Signal::derive(move || current.get().then_some("page"))>
            {model.name}
        </a>
    }
}

#[component]
fn ModelPage(lab: Lab, first_paint: StoredValue<String>, notes: NotesRead, id: String) -> impl IntoView {
    let paper = lab.catalog.get_untracked().model(&id).map(|model| model.paper);
    let meta = move || lab.task().map(Task::meta);
    let title = move || meta().map(|meta| meta.title);
    let subtitle = move || meta().map(|meta| meta.subtitle);
    let whole = move || browser::address(&lab.link()).replace("?embed", "?");
    let embedded = browser::embedded();
    let head = embedded.then(|| {
        view! {
            <p class="embed-head">
                <b>{title}</b>
                <a href=whole target="_blank" rel="noopener">"Open in Mean Field Lab"</a>
            </p>
        }
    });
    view! {
        <div class="model">
            {head}
            <div class="title"><h1>{title}</h1><Experiments lab model=id.clone() /><p>{subtitle}</p></div>
            <div class="work">
                // Another experiment begins with nothing of the one before.
                {move || {
                    lab.page.track();
                    view! {
                        <div class="middle">
                            <RunBar lab />
                            <Begin lab />
                            <Figures lab first_paint />
                            {embedded.then(|| view! { <Knobs lab /> })}
                            <PinTable lab />
                        </div>
                    }
                }}
                {(!embedded).then(|| view! {
                    <section class="controls" aria-label="Settings"><Controls lab /><Share lab /></section>
                })}
            </div>
            {move || lab.task().map(|task| view! { <Notes task=task.meta().id paper read=notes /> })}
        </div>
    }
}

/// The pages of a model that has several, each a link to where it was left.
#[component]
fn Experiments(lab: Lab, model: String) -> impl IntoView {
    let pages: Vec<_> = lab.catalog.get_untracked().pages(&model).map(Task::meta).collect();
    (pages.len() > 1).then(|| {
        let links = pages.into_iter().map(|meta| {
            let left = move || lab.visited.with(|visited| visited.get(meta.id).cloned());
            view! {
                <a href=Signal::derive(move || left().unwrap_or_else(|| format!("#/{}", meta.id)))
                    aria-current=Signal::derive(move || lab.page.with(|id| id == meta.id).then_some("page"))>
                    {meta.tab}
                </a>
            }
        });
        view! { <nav class="experiments" aria-label="Experiments">{links.collect_view()}</nav> }
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

/// Light, dark, or as the system says.
#[component]
fn ThemeButton(lab: Lab) -> impl IntoView {
    const KEY: &str = "meanfield-theme";
    let choice = RwSignal::new(browser::remembered(KEY).unwrap_or_else(|| "auto".to_owned()));
    let system = RwSignal::new(browser::media("(prefers-color-scheme: dark)"));
    if let Some(query) =
        browser::window().and_then(|w| w.match_media("(prefers-color-scheme: dark)").ok().flatten())
    {
        let closure = wasm_bindgen::prelude::Closure::<dyn FnMut(web_sys::MediaQueryListEvent)>::new(
            move |ev: web_sys::MediaQueryListEvent| system.set(ev.matches()),
        );
        query.set_onchange(Some(closure.as_ref().unchecked_ref()));
        // The page listens for as long as it lives.
        closure.forget();
    }
    Effect::new(move |_| {
        let choice = choice.get();
        browser::mark("data-theme", &choice);
        lab.dark.set(if choice == "auto" { system.get() } else { choice == "dark" });
    });
    let next = move || match choice.get().as_str() {
        "auto" => "light",
        "light" => "dark",
        _ => "auto",
    };
    view! {
        <button type="button" class="quiet theme" title="Colours: automatic, light or dark"
            on:click=on(move |_| {
                let chosen = next();
                browser::remember(KEY, Some(chosen));
                choice.set(chosen.to_owned());
            })>
            <span class="long">"Theme: "</span>{move || choice.get()}
        </button>
    }
}

/// Where it is remembered that single keys do nothing.
const SHORTCUTS: &str = "meanfield-shortcuts";

/// Space runs and pauses, S steps, if single keys are to do anything; Escape stops. Not while something is typed or pressed.
fn keys(lab: Lab, single: bool, ev: &web_sys::KeyboardEvent) {
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
    match ev.key().as_str() {
        " " if single => lab.run_or_pause(),
        "s" | "S" if single => lab.step(),
        "Escape" => lab.stop(),
        _ => return,
    }
    ev.prevent_default();
}
