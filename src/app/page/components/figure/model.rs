//! State of one figure of the page: its drawing, size and scales, the datum that is read, and the editor.

use leptos::html;
use leptos::prelude::*;

use super::super::editor::Editor;
use super::super::legend::MarkName;
use super::super::tools::Scales;
use crate::app::choices::Choices;
use crate::app::editing::keep_axes;
use crate::app::page::browser;
use crate::app::page::state::AppState;
use crate::app::readout::{Readout, under};
use crate::app::view::RunState;
use crate::render::{self, Drawing, FigureLayout, PlotGeometry, Turn};

/// Height of everything around the first figure, and least height of a figure, in CSS pixels. The style sheet has the same numbers for
/// the ready-made picture.
const IN_WINDOW: (f64, f64) = (340.0, 320.0);
/// The same within another page.
const IN_FRAME: (f64, f64) = (290.0, 180.0);

/// Largest height in an article and least height, as a fraction of the window and in CSS pixels. The style sheet has the same
/// fraction.
const IN_ARTICLE: (f64, f64) = (0.45, 200.0);

/// Relation of the pointer to the points of a figure that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grip {
    /// Over none of them.
    None,
    /// Over one of them.
    Over,
    /// Holds one: the axes that it is dragged along keep still.
    Held,
}

/// Place of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the list of all figures.
    Page,
    /// Beside the article, without switches.
    Article,
}

/// One figure of the page, as signals.
#[derive(Clone, Copy)]
pub struct FigureModel {
    pub app: AppState,
    /// Axis scales that the user has chosen.
    pub scales: Scales,
    /// Rotation of a figure in space.
    pub turn: RwSignal<Turn>,
    /// The drawing without pins.
    pub unpinned: Memo<Option<Drawing>>,
    /// The drawing with pins.
    pub drawing: Memo<Option<Drawing>>,
    /// Width in CSS pixels.
    pub width: RwSignal<f64>,
    /// Height in CSS pixels.
    pub height: Memo<f64>,
    /// True while the figure is in or near the window.
    pub near: RwSignal<bool>,
    /// True while the figure is drawn: while it is near, and when it is printed.
    pub shown: Memo<bool>,
    /// Layout of the drawing in this size; `None` while the figure is not drawn.
    pub layout: Memo<Option<FigureLayout>>,
    /// Names of the marks as they were drawn last.
    pub names: RwSignal<Vec<MarkName>>,
    /// The datum that is read.
    pub reading: RwSignal<Option<Readout>>,
    pub grip: RwSignal<Grip>,
    /// True once the canvas has been drawn.
    pub drawn_once: RwSignal<bool>,
    /// True if the ready-made picture is shown until then: in the first figure of the page.
    has_ready_made: bool,
    pub editor: Editor,
    pub canvas: NodeRef<html::Canvas>,
    pub holder: NodeRef<html::Div>,
}

impl FigureModel {
    pub fn new(app: AppState, index: usize, choices: RwSignal<Choices>, place: Place) -> Self {
        let scales = Scales::default();
        let turn = RwSignal::new(Turn::default());
        let grip = RwSignal::new(Grip::None);
        let unpinned = unpinned_drawing(app, index, choices, place, (scales, turn, grip));
        let drawing = Memo::new(move |_| {
            let mut drawing = unpinned.get()?;
            app.lay_pins_under(&mut drawing);
            Some(drawing)
        });
        let width = RwSignal::new(0.0);
        let height = Memo::new(move |_| {
            drawing.with(|drawing| {
                drawing.as_ref().map_or(0.0, |drawing| match place {
                    Place::Page => height(app, width.get(), drawing, aspect(app, index)),
                    Place::Article => height_beside(app, width.get(), drawing),
                })
            })
        });
        let has_ready_made = index == 0 && place == Place::Page;
        // The first picture does not wait for the browser to say where it is, and an article shows its figures only in the window.
        let near = RwSignal::new(has_ready_made || place == Place::Article);
        let shown = Memo::new(move |_| near.get() || app.paper.get());
        let layout = Memo::new(move |_| {
            if !shown.get() {
                return None;
            }
            let size = (width.get(), height.get());
            drawing.with(|drawing| drawing.as_ref().map(|drawing| FigureLayout::new(drawing, size)))
        });
        Self {
            app,
            scales,
            turn,
            unpinned,
            drawing,
            width,
            height,
            layout,
            near,
            shown,
            names: RwSignal::default(),
            reading: RwSignal::new(None),
            grip,
            drawn_once: RwSignal::new(false),
            has_ready_made,
            editor: Editor::new(app, unpinned, layout),
            canvas: NodeRef::new(),
            holder: NodeRef::new(),
        }
    }

    /// Returns true if the figure is in three dimensions, untracked.
    pub fn in_space(self) -> bool {
        self.unpinned
            .with_untracked(|unpinned| unpinned.as_ref().is_some_and(|unpinned| unpinned.figure.in_space()))
    }

    /// Returns true while there is no figure, or its size is not known, or only its ready-made picture is there.
    pub fn is_empty(self) -> bool {
        let awaits_picture = self.has_ready_made && !self.drawn_once.get();
        awaits_picture || self.width.get() == 0.0 || self.drawing.with(Option::is_none)
    }

    /// Returns true while the figure is about to be drawn for the first time.
    pub fn is_coming(self) -> bool {
        self.near.get() && self.drawing.with(Option::is_some) && !self.drawn_once.get()
    }

    /// Returns the positions of plot and axes, untracked.
    pub fn geometry(self) -> Option<PlotGeometry> {
        self.layout.with_untracked(|layout| layout.as_ref().map(|layout| layout.geometry.clone()))
    }

    /// Returns the datum at a position in CSS pixels from the figure's corner.
    pub fn datum_at(self, at: (f64, f64)) -> Option<Readout> {
        let geometry = self.geometry()?;
        self.drawing.with_untracked(|drawing| under(drawing.as_ref()?, &geometry, at))
    }
}

/// Returns the drawing of a figure without pins, with what the user has chosen for it.
fn unpinned_drawing(
    app: AppState,
    index: usize,
    choices: RwSignal<Choices>,
    place: Place,
    (scales, turn, grip): (Scales, RwSignal<Turn>, RwSignal<Grip>),
) -> Memo<Option<Drawing>> {
    let held = Memo::new(move |_| grip.get() == Grip::Held);
    Memo::new(move |before: Option<&Option<Drawing>>| {
        let mut drawing = own_drawing(app, index, before, |drawing| {
            let (x, y) = scales.get();
            drawing.figure.x.scale = x.unwrap_or(drawing.figure.x.scale);
            drawing.figure.y.scale = y.unwrap_or(drawing.figure.y.scale);
            choices.with(|choices| choices.apply(drawing));
            drawing.turn = turn.get();
        })?;
        if let Some(Some(before)) = before.filter(|_| held.get()) {
            keep_axes(&mut drawing.figure, &before.figure);
        }
        // Printed figures have no switches.
        let switches = place == Place::Page && !app.paper.get();
        Some(if switches { drawing.with_switches() } else { drawing })
    })
}

/// Returns the current drawing of a figure after `adjust`; while there is none, the previous drawing, faded.
fn own_drawing(
    app: AppState,
    index: usize,
    before: Option<&Option<Drawing>>,
    adjust: impl Fn(&mut Drawing),
) -> Option<Drawing> {
    let failed = app.run.state() == RunState::Failed;
    let Some(mut drawing) = app.run.figures.with(|all| all.get(index).cloned()) else {
        let mut old = before.cloned().flatten()?;
        if failed {
            old.outdate();
        } else {
            old.fade();
        }
        return Some(old);
    };
    adjust(&mut drawing);
    Some(drawing)
}

/// Returns width ÷ height of a figure of the page: the first has the width to itself, or shares it with a second one.
fn aspect(app: AppState, index: usize) -> f64 {
    match (index, app.task().is_some_and(|task| task.meta().pair)) {
        (0 | 1, true) => 1.0,
        (0, false) => render::WIDE,
        _ => render::USUAL,
    }
}

/// Returns the height of a figure of that width. It is limited by the window, or within another page by the frame. It does not follow
/// the height of the window, which changes on a phone while the page is scrolled.
fn height(app: AppState, width: f64, drawing: &Drawing, aspect: f64) -> f64 {
    let window = app.window_height.get_untracked();
    if browser::option("bare").is_some() {
        return window;
    }
    // On a page of its own, a figure leaves room for the settings; in a frame or on a phone, panels are readable and the page scrolls.
    let (around, least) = if browser::embedded() { IN_FRAME } else { IN_WINDOW };
    let scrolls = browser::embedded() || browser::is_narrow();
    let panels = if scrolls { render::least_height(width, drawing) } else { 0.0 };
    render::height(width, drawing, aspect).min((window - around).max(least).max(panels))
}

/// Returns the height of a figure of that width beside the article.
fn height_beside(app: AppState, width: f64, drawing: &Drawing) -> f64 {
    let (most, least) = IN_ARTICLE;
    render::height(width, drawing, render::USUAL).min((most * app.window_height.get_untracked()).max(least))
}
