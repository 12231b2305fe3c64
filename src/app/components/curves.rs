//! The marks of a figure as buttons that switch them on and off.

use leptos::prelude::*;

use crate::app::choices::Choices;
use crate::figure::{Entry, Mark};
use crate::render::{Drawing, Style, swatch};

/// A button a mark, with a sample of it; none where there is little to choose from.
#[component]
pub fn Curves(drawing: Memo<Option<Drawing>>, choices: RwSignal<Choices>) -> impl IntoView {
    const FEW: usize = 2;
    // Only what the buttons are made of: a run that redraws, or a choice, leaves them (and the focus) alone.
    let offered = Memo::new(move |_| {
        drawing.with(|drawing| {
            let figure = &drawing.as_ref()?.figure;
            let sample = |mark: &Mark| (mark.entry().clone(), swatch(mark, &Style::default()));
            let marks: Vec<(Entry, String)> =
                figure.marks.iter().filter(|mark| mark.switchable()).map(sample).collect();
            (marks.len() > FEW).then(|| (figure.id.clone(), marks))
        })
    });
    move || {
        offered.get().map(|(id, marks)| {
            let id = StoredValue::new(id);
            let buttons = marks.into_iter().map(|(Entry { key, label, .. }, sample)| {
                let key = StoredValue::new(key);
                let shown = move || {
                    let key = key.get_value();
                    drawing
                        .with(|d| d.iter().flat_map(Drawing::marks).any(|(m, s)| m.key() == key && !s.hidden))
                };
                view! {
                    <button type="button" class="quiet" aria-pressed=move || shown().to_string()
                        on:click=move |_| {
                            let shown = untrack(shown);
                            choices.update(|all| all.set(&id.get_value(), &key.get_value(), !shown));
                        }>
                        <span class="swatch" inner_html=sample></span>
                        {label}
                    </button>
                }
            });
            view! { <div class="curves" role="group" aria-label="Curves">{buttons.collect_view()}</div> }
        })
    }
}
