//! Editing the points of a figure: what [`crate::app::editing`] decides, done on the page.

use leptos::prelude::*;

use crate::app::editing::{Editing, Scene, Texts};
use crate::app::state::Lab;
use crate::render::{Drawing, Frame};

/// The editor of one figure, which does nothing where there are no handles.
#[derive(Clone, Copy)]
pub struct Editor {
    lab: Lab,
    figure: Memo<Option<Drawing>>,
    frame: StoredValue<Option<Frame>, LocalStorage>,
    editing: StoredValue<Editing, LocalStorage>,
    /// The tools as markup; empty where there is nothing to edit.
    tools: RwSignal<String>,
}

impl Editor {
    /// The editor of `figure`, which stands in `frame` once it is drawn.
    pub fn new(
        lab: Lab,
        figure: Memo<Option<Drawing>>,
        frame: StoredValue<Option<Frame>, LocalStorage>,
    ) -> Self {
        let editing = StoredValue::new_local(Editing::default());
        Self { lab, figure, frame, editing, tools: RwSignal::new(String::new()) }
    }

    /// Edits, if there is anything to edit.
    pub fn edit<T>(&self, work: impl FnOnce(&mut Editing, &Scene) -> T) -> Option<T> {
        let (mut work, mut result) = (Some(work), None);
        self.with_scene(&mut |editing, scene| result = work.take().map(|work| work(editing, scene)));
        result
    }

    /// The same for all kinds of edits: compiled once.
    fn with_scene(&self, work: &mut dyn FnMut(&mut Editing, &Scene)) {
        let handles = self.figure.with_untracked(|figure| figure.as_ref()?.figure.handles.clone());
        let mut tools = String::new();
        if let (Some(handles), Some(frame)) = (handles, self.frame.get_value()) {
            let scene = Scene { handles: &handles, raw: &self.lab.whole(), frame: &frame };
            self.editing.update_value(|editing| {
                work(editing, &scene);
                tools = editing.html(&handles);
            });
        }
        // An element made anew would lose the focus.
        if self.tools.with_untracked(|before| *before != tools) {
            self.tools.set(tools);
        }
    }

    /// Puts into the form what an edit says; the run starts again where it is `done`. Whether there was anything.
    pub fn put(&self, texts: Option<Texts>, done: bool) -> bool {
        let Some(texts) = texts else { return false };
        self.lab.change(&texts);
        if done {
            self.lab.settle();
        }
        true
    }

    /// What a click does, and undo.
    pub fn tools(self) -> AnyView {
        let clicked = move |ev: leptos::ev::MouseEvent| {
            let Some(tool) = event_target::<web_sys::Element>(&ev).get_attribute("data-tool") else { return };
            let undone = self.edit(|editing, _| editing.take(&tool)).flatten();
            self.put(undone, true);
        };
        view! {
            <div class="tools editor" role="group" aria-label="What a click in the figure does"
                inner_html=self.tools on:click=clicked></div>
        }
        .into_any()
    }
}
