//! One field of the form: label with symbol, help, input and error.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use super::data::DataInput;
use super::select::{Names, select};
use crate::app::form;
use crate::app::own_data::FieldChoices;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::lab::{Field, Kind, Rank, Raw, Role};

/// Maximum number of words that are shown as radio buttons; more would not fit in a row.
const MAX_BUTTONS: usize = 5;
/// Longest value shown on a button, in characters.
const MAX_NEAREST: usize = 16;
/// Characters per line of a list field, and its maximum number of lines; a longer list scrolls.
const LIST_LINE: usize = 32;
const MOST_LINES: usize = 4;

/// State shared by the inputs of a field.
#[derive(Clone, Copy)]
struct FieldInput {
    app: AppState,
    field: &'static Field,
    text: Memo<String>,
    wrong: Memo<bool>,
}

/// Returns the reason why the text of a field is invalid: by itself, with other fields, or for the data.
pub fn problem_of(app: AppState, key: &'static str) -> Option<String> {
    // An error between fields is shown at the field that it names.
    let of_form = app
        .form
        .checked
        .with(|checked| checked.as_ref().err()?.iter().find(|p| p.field == key).map(|p| p.expected.clone()));
    // Errors against the data are known once the data are read.
    of_form.or_else(|| {
        app.run.view.with(|run| {
            let problem = run.problems.iter().find(|p| p.field == key && !run.changed)?;
            let asked = problem.expected.ends_with('?');
            let nearest = problem.nearest.as_ref().filter(|nearest| !(asked || nearest.is_empty()));
            let nearest =
                nearest.map_or(String::new(), |nearest| format!(" Nearest valid value: {nearest}."));
            Some(problem.expected.clone() + nearest.as_str())
        })
    })
}

/// Shows one field.
#[component]
pub fn FieldView(app: AppState, field: &'static Field) -> impl IntoView {
    let key = field.key;
    let problem = Memo::new(move |_| problem_of(app, key));
    let input = FieldInput::new(app, field, Memo::new(move |_| problem.with(Option::is_some)));
    let (wrong, shown) = (input.wrong, input.is_shown());
    let message = Memo::new(move |_| problem.get().unwrap_or_default());
    // A longer one would not fit on the button.
    let fits = |nearest: &String| (1..=MAX_NEAREST).contains(&nearest.chars().count());
    let nearest = Memo::new(move |_| app.nearest_valid(key).filter(fits));
    let use_nearest = move |_| {
        if let Some(nearest) = nearest.get_untracked() {
            input.set(&nearest);
            // The button disappears.
            browser::focus(&format!("#{}", form::id(key)));
        }
    };
    let symbol = (!field.symbol.is_empty()).then(|| view! { " "<i class="symbol">{field.symbol}</i> });
    let words = view! { {field.label}{symbol} };
    let knob = field.rank == Rank::Knob;
    let name = match &field.kind {
        Kind::Flag => view! { <label class="check">{input.checkbox()}{words}</label> }.into_any(),
        // The label belongs to the group of buttons and must not name one of them.
        Kind::Choice(_) if is_switch(field) => {
            view! { <span class="name" id=format!("field-{key}-name")>{words}</span> }.into_any()
        }
        _ => view! { <label for=form::id(key)>{words}</label> }.into_any(),
    };
    view! {
        <div class="control" class:wrong=wrong class:knob=knob hidden=move || !shown.get()>
            <div class="name-row">{name}{input.found()}<Help key label=field.label text=field.help /></div>
            {(field.kind != Kind::Flag).then(|| view! { <div class="inputs">{input.inputs()}</div> })}
            {field.meaning.map(|_| view! { <p class="meaning">{input.meaning()}</p> })}
            <p class="problem" role="alert" id=format!("field-{key}-problem")>{message}</p>
            <button type="button" class="nearest" hidden=move || nearest.with(Option::is_none) on:click=use_nearest>
                {move || nearest.get().map(|nearest| format!("Use {}", form::in_a_sentence(&nearest)))}
            </button>
        </div>
    }
}

/// Returns true if the choice is shown as radio buttons: it is the main one of its page, and they fit in a row.
fn is_switch(field: &Field) -> bool {
    matches!(field.kind, Kind::Choice(words) if field.rank == Rank::Knob && words.len() <= MAX_BUTTONS)
}

/// Shows the help behind a question mark, shown on hover, focus and touch.
#[component]
fn Help(key: &'static str, label: &'static str, text: &'static str) -> impl IntoView {
    let open = RwSignal::new(false);
    let escaped = move |ev: leptos::ev::KeyboardEvent| {
        if ev.key() == "Escape" && open.get_untracked() {
            ev.stop_propagation();
            open.set(false);
        }
    };
    (!text.is_empty()).then(|| {
        view! {
            <button type="button" class="tip" aria-label=format!("About {label}") aria-expanded=move || open.get().to_string()
                aria-controls=format!("field-{key}-help") on:click=move |_| open.update(|open| *open = !*open)
                on:blur=move |_| open.set(false) on:keydown=escaped>"?"</button>
            <p class="help" class:open=open id=format!("field-{key}-help")>{text}</p>
        }
    })
}

/// Shows the control of a field within a sentence: a slider with its number, or a choice.
#[component]
pub fn InlineKnob(app: AppState, field: &'static Field) -> impl IntoView {
    let input = FieldInput::new(app, field, Memo::new(|_| false));
    let (text, shown) = (input.text, input.is_shown());
    let control = match &field.kind {
        Kind::Choice(words) => {
            let names = Names::Words(field.label.to_owned());
            let choice = select(None, names, pairs(words), text, move |word| input.set(word));
            let chosen = move || {
                text.with(|text| words.iter().find(|(word, _)| word == text).map(|(_, reads)| *reads))
            };
            // Paper has no controls.
            view! { {choice}<span class="on-paper">{chosen}</span> }.into_any()
        }
        _ => view! {
            <span hidden=move || !shown.get()>{input.slider()}</span>
            <b>{move || text.with(|text| form::in_a_sentence(text))}</b>
            {field.meaning.map(|_| view! { " ("{input.meaning()}")" })}
        }
        .into_any(),
    };
    view! { <span class="inline-knob">{control}</span> }
}

/// Moves the slider beside a text input by a number of steps, as the arrow keys do on the slider itself.
fn step(ev: &web_sys::KeyboardEvent, line: &web_sys::HtmlInputElement, steps: f64) {
    let beside = line.previous_element_sibling();
    let Some(slider) = beside.and_then(|beside| beside.dyn_into::<web_sys::HtmlInputElement>().ok()) else {
        return;
    };
    ev.prevent_default();
    let size: f64 = slider.step().parse().unwrap_or(1.0);
    // A slider rounds its value to a step within its range.
    slider.set_value(&(slider.value_as_number() + steps * size).to_string());
    for event in ["input", "change"].into_iter().filter_map(|name| web_sys::Event::new(name).ok()) {
        let _ = slider.dispatch_event(&event);
    }
}

/// Returns the words of a choice with their texts.
fn pairs(words: &[(&str, &str)]) -> Vec<(String, String)> {
    words.iter().map(|(word, reads)| ((*word).to_owned(), (*reads).to_owned())).collect()
}

impl FieldInput {
    /// Returns the inputs of a field whose text follows the form.
    fn new(app: AppState, field: &'static Field, wrong: Memo<bool>) -> Self {
        let text = Memo::new(move |_| {
            let entered = app.form.raw.with(|raw| raw.get(field.key).cloned());
            entered.unwrap_or_else(|| field.default.to_owned())
        });
        Self { app, field, text, wrong }
    }

    /// Shows the number that the run has found, if any. It stands beside the name, because a line below the input would move the fields
    /// that follow.
    fn found(self) -> impl IntoView {
        let Self { app, field, text, .. } = self;
        let words = Memo::new(move |_| {
            let of =
                |found: &Raw| app.run.view.with(|run| text.with(|text| run.found_beside(found, text, field)));
            app.run.found.with(of)
        });
        view! { <span class="found">{words}</span> }
    }

    /// Returns true while the field has an effect, or is wrong. A second table is of use beside a first one only.
    fn is_shown(self) -> Memo<bool> {
        let Self { app, field, wrong, .. } = self;
        let has_table = move || app.main_data_key().is_some_and(|key| app.named_data(key).is_some());
        Memo::new(move |_| {
            let wrong = wrong.get();
            let shown = app
                .task()
                .is_none_or(|task| app.form.raw.with(|raw| form::is_shown(field, task.fields(), raw, wrong)));
            shown && (field.role != Role::SecondData || has_table())
        })
    }

    /// Returns the meaning of the number in words.
    fn meaning(self) -> Memo<String> {
        let Self { field, text, .. } = self;
        Memo::new(move |_| text.with(|text| field.meaning_of(text)).unwrap_or_default())
    }

    fn set(&self, text: &str) {
        self.app.edit(self.field.key, text);
        self.app.settle();
    }

    fn id(&self) -> String {
        form::id(self.field.key)
    }

    fn described(&self) -> String {
        form::described(self.field)
    }

    /// Shows the inputs of the field.
    fn inputs(self) -> AnyView {
        let Field { kind, role, .. } = self.field;
        match kind {
            Kind::Integer { .. } => {
                let new_seed = (*role == Role::Seed).then(|| {
                    let set = move |_| {
                        if let Some(random) = browser::random_number() {
                            self.set(&form::seed(&self.field.kind, random).to_string());
                        }
                    };
                    view! { <button type="button" class="quiet" on:click=set>"New seed"</button> }
                });
                view! { {self.slider()}{self.line("numeric")}{new_seed} }.into_any()
            }
            Kind::Real { infinity, .. } => {
                let infinity = infinity.then(|| {
                    view! {
                        <button type="button" class="quiet" title="Infinity" aria-label="Set to infinity"
                            on:click=move |_| self.set("inf")>"∞"</button>
                    }
                });
                view! { {self.slider()}{self.line("decimal")}{infinity} }.into_any()
            }
            Kind::Text { .. } => {
                let options = Memo::new(move |_| self.app.options(self.field));
                let input = move || {
                    let options = options.get();
                    if options.texts.is_empty() { self.line("text") } else { self.column(options) }
                };
                input.into_any()
            }
            Kind::Reals { .. } => self.list(),
            Kind::Points { .. } | Kind::Pixels { .. } => self.line("text"),
            Kind::Choice(words) if is_switch(self.field) => self.switch(words),
            Kind::Choice(words) => self.select(pairs(words)),
            Kind::Data => view! { <DataInput app=self.app field=self.field /> }.into_any(),
            Kind::Flag => ().into_any(),
        }
    }

    /// Shows a line of text. Escape takes back a text that has not been entered or is not valid; Ctrl+Z takes back an entry.
    fn line(self, mode: &'static str) -> AnyView {
        let pressed = move |ev: leptos::ev::KeyboardEvent| {
            let input: web_sys::HtmlInputElement = event_target(&ev);
            let entered = self.text.get_untracked();
            let is_entered = input.value() == entered;
            match ev.key().as_str() {
                "Escape" if !is_entered => input.set_value(&entered),
                "Escape" if self.wrong.get_untracked() => self.app.undo(),
                "z" if is_entered && (ev.ctrl_key() || ev.meta_key()) => {
                    // The browser would change the text, but not enter it.
                    ev.prevent_default();
                    self.app.undo();
                }
                "ArrowUp" if is_entered => step(&ev, &input, 1.0),
                "ArrowDown" if is_entered => step(&ev, &input, -1.0),
                _ => {}
            }
        };
        view! {
            <input type="text" id=self.id() aria-describedby=self.described() inputmode=mode autocomplete="off"
                aria-invalid=move || self.wrong.get().to_string() prop:value=self.text on:keydown=pressed
                on:change=move |ev| self.set(&event_target_value(&ev)) />
        }
        .into_any()
    }

    /// Shows a list of numbers on as many lines as it needs.
    fn list(self) -> AnyView {
        let spaced = Memo::new(move |_| self.text.with(|text| form::spaced(text)));
        let rows = move || spaced.with(|text| text.len().div_ceil(LIST_LINE).clamp(1, MOST_LINES));
        let entered = move |area: web_sys::HtmlTextAreaElement| self.set(&form::unspaced(&area.value()));
        // As in a field of one line, Enter ends the entry.
        let ended = move |ev: leptos::ev::KeyboardEvent| {
            if ev.key() == "Enter" {
                ev.prevent_default();
                entered(event_target(&ev));
            }
        };
        view! {
            <textarea class="list" id=self.id() aria-describedby=self.described() rows=rows autocomplete="off" spellcheck="false"
                aria-invalid=move || self.wrong.get().to_string() prop:value=spaced on:keydown=ended
                on:change=move |ev| entered(event_target(&ev))></textarea>
        }
        .into_any()
    }

    /// Returns the slider of a number, if it has one: dragging updates the live companion, releasing it runs. A value that
    /// other settings rule out snaps to the nearest valid one.
    fn slider(self) -> Option<AnyView> {
        let (low, high, step) = form::slider(&self.field.kind)?;
        // A text that is not a number leaves the slider in place.
        let position = Memo::new(move |before: Option<&f64>| {
            let now = self.text.with(|text| form::position(&self.field.kind, text));
            now.unwrap_or_else(|| before.copied().unwrap_or(low))
        });
        let moved = move |ev: leptos::ev::Event| {
            let input: web_sys::HtmlInputElement = event_target(&ev);
            self.app.edit(self.field.key, &input.value());
            if let Some(nearest) = untrack(|| self.app.nearest_valid(self.field.key)) {
                self.app.edit(self.field.key, &nearest);
                input.set_value(&position.get_untracked().to_string());
            }
        };
        let slider = view! {
            <input type="range" min=low max=high step=step aria-label=self.field.label
                prop:value=move || position.get().to_string()
                on:input=moved
                on:change=move |_| self.app.settle() />
        };
        Some(slider.into_any())
    }

    fn checkbox(self) -> AnyView {
        view! {
            <input type="checkbox" id=self.id() aria-describedby=self.described()
                prop:checked=move || self.text.with(|text| text == "true")
                on:change=move |ev| self.set(&event_target_checked(&ev).to_string()) />
        }
        .into_any()
    }

    fn select(self, words: Vec<(String, String)>) -> AnyView {
        select(Some(self.id()), Names::By(self.described()), words, self.text, move |word| self.set(word))
    }

    /// Shows a choice among columns or values of the table.
    fn column(self, options: FieldChoices) -> AnyView {
        let usual = options.default.map_or("default".to_owned(), |usual| format!("default: {usual}"));
        let texts = options.texts.into_iter().map(|text| (text.clone(), text));
        self.select(std::iter::once((String::new(), usual)).chain(texts).collect())
    }

    /// Shows the radio buttons for the main choice of a page.
    fn switch(self, words: &'static [(&'static str, &'static str)]) -> AnyView {
        let key = self.field.key;
        let buttons = words.iter().map(|(word, reads)| {
            view! {
                <label>
                    <input type="radio" name=key value=*word prop:checked=move || self.text.with(|text| text == word)
                        on:change=move |_| self.set(word) />
                    <span>{*reads}</span>
                </label>
            }
        });
        view! {
            <div class="switch" role="radiogroup" id=self.id() aria-labelledby=format!("field-{key}-name")
                aria-describedby=self.described()>{buttons.collect_view()}</div>
        }
        .into_any()
    }
}
