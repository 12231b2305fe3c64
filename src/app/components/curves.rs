//! The curves of a figure as buttons that switch them on and off.

use leptos::prelude::*;

use crate::app::choices::Choices;
use crate::figure::Figure;
use crate::render::swatch;

/// A button a curve, with a sample of it; none where there is little to choose from.
#[component]
pub fn Curves(figure: Memo<Option<Figure>>, choices: RwSignal<Choices>) -> impl IntoView {
    const FEW: usize = 2;
    // Only what the buttons are made of: a run that redraws, or a choice, leaves them (and the focus) alone.
    let offered = Memo::new(move |_| {
        let mut figure = figure.get().filter(|figure| figure.curves.len() > FEW)?;
        figure.caption.clear();
        figure.summary.clear();
        for curve in &mut figure.curves {
            curve.points.clear();
            (curve.shown, curve.stale) = (true, false);
        }
        Some(figure)
    });
    move || {
        offered.get().map(|Figure { id, curves, .. }| {
            let id = StoredValue::new(id);
            let buttons = curves.into_iter().map(|curve| {
                let sample = swatch(&curve);
                let key = StoredValue::new(curve.key);
                let shown = move || {
                    let key = key.get_value();
                    figure.with(|f| f.iter().flat_map(|f| &f.curves).any(|c| c.key == key && c.shown))
                };
                view! {
                    <button type="button" class="quiet" aria-pressed=move || shown().to_string()
                        on:click=move |_| {
                            let shown = untrack(shown);
                            choices.update(|all| all.set(&id.get_value(), &key.get_value(), !shown));
                        }>
                        <span class="swatch" inner_html=sample></span>
                        {curve.label}
                    </button>
                }
            });
            view! { <div class="curves" role="group" aria-label="Curves">{buttons.collect_view()}</div> }
        })
    }
}
