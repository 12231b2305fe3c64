//! Connects [`crate::app::editing`] with a figure of the page.

use leptos::prelude::*;

use crate::app::editing::{Edit, Editing, Scene, Tool, tools};
use crate::app::page::state::AppState;
use crate::lab::{Field, Kind};
use crate::render::{Drawing, FigureLayout};

/// Keys of a figure that can be edited, shown while it has the focus of the keyboard.
const KEYS_OF_POINTS: &str =
    "Keys: arrows choose a point, Shift+arrows move it, Delete removes it, Enter uses the tool.";
const KEYS_OF_PIXELS: &str =
    "Keys: arrows choose a pixel, Shift+arrows draw a line, F switches a pixel, Enter uses the tool.";

/// Editor of one figure; without effect in a figure without handles.
#[derive(Clone, Copy)]
pub struct Editor {
    app: AppState,
    figure: Memo<Option<Drawing>>,
    layout: Memo<Option<FigureLayout>>,
    editing: StoredValue<Editing, LocalStorage>,
    tool: RwSignal<Option<Tool>>,
    /// Field whose value is edited.
    field: Memo<Option<&'static Field>>,
}

impl Editor {
    /// Creates the editor of a figure with that layout.
    pub fn new(app: AppState, figure: Memo<Option<Drawing>>, layout: Memo<Option<FigureLayout>>) -> Self {
        let field = Memo::new(move |_| {
            figure.with(|figure| {
                let key = &figure.as_ref()?.figure.handles.as_ref()?.field;
                app.task()?.fields().iter().find(|field| field.key == key)
            })
        });
        let editing = StoredValue::new_local(Editing::default());
        Self { app, figure, layout, editing, tool: RwSignal::new(None), field }
    }

    /// Returns true if the figure can be edited, tracked.
    pub fn is_available(self) -> bool {
        self.field.with(Option::is_some)
    }

    /// Applies `work` to the editor, if the figure can be edited.
    pub fn edit<T>(&self, work: impl FnOnce(&mut Editing, &Scene) -> T) -> Option<T> {
        let field = self.field.get_untracked()?;
        let geometry =
            self.layout.with_untracked(|layout| layout.as_ref().map(|layout| layout.geometry.clone()))?;
        let drawing = self.figure.get_untracked()?;
        let handles = drawing.figure.handles.as_ref()?;
        let raw = self.app.form.texts();
        let scene = Scene { handles, field, raw: &raw, drawing: &drawing, geometry: &geometry };
        self.editing.try_update_value(|editing| work(editing, &scene))
    }

    /// Puts an edit into the form and, if `done`, runs again. Returns true if there was an edit.
    pub fn put(&self, edit: Option<Edit>, done: bool) -> bool {
        let Some(Edit { texts, first }) = edit else { return false };
        if first {
            self.app.remember();
        }
        self.app.change(&texts);
        if done {
            self.app.settle();
        }
        true
    }

    /// Shows the tools of the editor; shown once the figure is drawn.
    pub fn tools(self, hidden: Memo<bool>) -> impl IntoView {
        move || {
            let field = self.field.get()?;
            let all = tools(&field.kind);
            let known: Vec<Tool> = all.iter().map(|(tool, _)| *tool).collect();
            // Another canvas may lack the chosen tool.
            let used = Memo::new(move |_| {
                self.tool.get().filter(|tool| known.contains(tool)).or(known.first().copied())
            });
            let buttons = all.into_iter().map(|(tool, name)| {
                let pressed = move || (used.get() == Some(tool)).to_string();
                let choose = move |_| {
                    self.tool.set(Some(tool));
                    self.editing.update_value(|editing| editing.tool = Some(tool));
                };
                view! { <button type="button" aria-pressed=pressed on:click=choose>{name}</button> }
            });
            let drawn = matches!(field.kind, Kind::Pixels { .. });
            let clear = move |_| {
                self.put(self.edit(Editing::clear).flatten(), true);
            };
            let tools = view! {
                <div class="tools editor" hidden=hidden role="group" aria-label="What a click in the figure does">
                    <span>{if drawn { "Draw in the picture:" } else { "Drag a point, or click to:" }}</span>
                    {buttons.collect_view()}
                    {drawn.then(|| view! { <button type="button" class="quiet" on:click=clear>"Clear"</button> })}
                    <span class="by-keys">{if drawn { KEYS_OF_PIXELS } else { KEYS_OF_POINTS }}</span>
                </div>
            };
            Some(tools.into_any())
        }
    }
}
