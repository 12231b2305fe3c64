//! Tests of editing points and pixels by pointer and keys.

use super::*;
use crate::figure::{Colours, Curve, Figure, Grid, Hue, Scale};
use crate::render::{AxisMap, Rect};

const CLASSES: &[(f64, &str)] = &[(1.0, "+1"), (-1.0, "−1")];
const RANGE: (f64, f64) = (-9.0, 9.0);
const CLASSED: Kind = Kind::Points { x: RANGE, y: RANGE, labels: CLASSES, number: (2, 4) };
const NUMERIC: Kind = Kind::Points { x: RANGE, y: (-1.5, 1.5), labels: &[], number: (1, 9) };

/// A figure of 400 × 400 pixels, the field that it edits, and the texts of the form.
struct Desk {
    field: Field,
    drawing: Drawing,
    geometry: PlotGeometry,
    raw: Raw,
    editing: Editing,
}

impl Desk {
    fn new(kind: Kind, handles: Handles, figure: Figure) -> Self {
        let axis = |px| AxisMap { scale: Scale::Linear, range: (-2.0, 2.0), px };
        let geometry = PlotGeometry {
            size: (400.0, 400.0),
            plot: Rect { left: 0.0, top: 0.0, right: 400.0, bottom: 400.0 },
            x: axis((0.0, 400.0)),
            y: axis((400.0, 0.0)),
            coordinates: crate::render::Coordinates::Plane,
        };
        Self {
            field: Field::new("drawn", kind, ""),
            drawing: Drawing::new(figure.handles(handles)),
            geometry,
            raw: Raw::new(),
            editing: Editing::default(),
        }
    }

    fn points(kind: Kind, shown: &str) -> Self {
        let handles = Handles::new("drawn", &shown).with("set", "own").count("examples");
        Self::new(kind, handles, Figure::new("f", "").mark(Curve::new("c", "", Hue::Ink)))
    }

    /// Returns a desk with a picture of pixels over the whole plot.
    fn pad(columns: usize, levels: u8, missing: bool) -> Self {
        let kind = Kind::Pixels { size: (columns, columns), levels, missing };
        let blank = Pixels::blank(columns, columns, levels);
        let values = vec![f32::NAN; columns * columns];
        let pad = Grid::map("pad", "", columns, values, ((-2.0, 2.0), (-2.0, 2.0)), Colours::Probability);
        Self::new(kind, Handles::new("drawn", &blank).grid("pad"), Figure::new("f", "").mark(pad))
    }

    fn act<T>(&mut self, work: impl FnOnce(&mut Editing, &Scene) -> T) -> T {
        let handles = self.drawing.figure.handles.as_ref().unwrap();
        let (raw, geometry) = (&self.raw, &self.geometry);
        let scene = Scene { handles, field: &self.field, raw, drawing: &self.drawing, geometry };
        work(&mut self.editing, &scene)
    }

    /// Puts an edit into the form; returns true if it is the first of a movement.
    fn put(&mut self, edit: Option<Edit>) -> Option<bool> {
        edit.map(|edit| {
            self.raw.extend(edit.texts);
            edit.first
        })
    }

    fn drag(&mut self, from: (f64, f64), way: &[(f64, f64)]) -> (Vec<bool>, Released) {
        self.act(|editing, scene| editing.down(scene, from));
        let mut steps = Vec::new();
        for at in std::iter::once(&from).chain(way) {
            let edit = self.act(|editing, scene| editing.moved(scene, *at));
            steps.extend(self.put(edit));
        }
        (steps, self.act(Editing::up))
    }

    fn click(&mut self, at: (f64, f64)) -> Option<&str> {
        let (_, Released::Clicked(edit)) = self.drag(at, &[]) else { panic!("no click") };
        self.put(edit)?;
        Some(&self.raw["drawn"])
    }

    fn key(&mut self, key: &str, shift: bool, at: (f64, f64)) -> Option<&str> {
        let edit = self.act(|editing, scene| editing.key(scene, key, shift, Some(at))).unwrap();
        self.put(edit)?;
        Some(&self.raw["drawn"])
    }

    fn px(&self, x: f64, y: f64) -> (f64, f64) {
        self.geometry.to_px(x, y).unwrap()
    }

    /// Returns the picture in the form, one text per row: `.` paper, `#` ink, `?` missing.
    fn picture(&self) -> Vec<String> {
        let Ok(Value::Pixels(Some(picture))) = self.field.read(&self.raw["drawn"]) else {
            panic!("no picture")
        };
        let sign = |level: &Option<u8>| match level {
            Some(0) => '.',
            Some(level) if *level == picture.top() => '#',
            Some(_) => '+',
            None => '?',
        };
        picture.values().chunks(picture.columns()).map(|row| row.iter().map(sign).collect()).collect()
    }
}

/// Two points, one of each class.
const TWO: &str = "0.5,-0.25,1,-1,1,-1";

#[test]
fn the_form_goes_before_the_figure_where_it_is_in_use() {
    let mut desk = Desk::points(CLASSED, TWO);
    let shown = Some(Content::Points(vec![[0.5, -0.25, 1.0], [-1.0, 1.0, -1.0]]));
    assert_eq!(desk.act(|_, scene| scene.content()), shown);
    let own = "0.123,-2,-1,1,0,1,0,0,1";
    desk.raw = Raw::from([("drawn".into(), own.into()), ("set".into(), "own".into())]);
    let Some(Content::Points(list)) = desk.act(|_, scene| scene.content()) else { panic!() };
    assert_eq!((list.len(), list[0]), (3, [0.123, -2.0, -1.0]));
    // Points of another set and invalid texts are ignored.
    desk.raw.insert("set".into(), "moons".into());
    assert_eq!(desk.act(|_, scene| scene.content()), shown);
    desk.raw = Raw::from([("drawn".into(), "1,x".into()), ("set".into(), "own".into())]);
    assert_eq!(desk.act(|_, scene| scene.content()), shown);
}

#[test]
fn a_click_does_what_its_tool_says() {
    let mut desk = Desk::points(CLASSED, TWO);
    let first = desk.px(0.5, -0.25);
    let free = desk.px(1.5, 1.5);
    desk.editing.tool = Some(Tool::Add(1));
    assert_eq!(desk.click(first), None, "there is a point already");
    desk.editing.tool = Some(Tool::Relabel);
    assert_eq!(desk.click(free), None);
    assert_eq!(desk.click(first), Some("0.5,-0.25,-1,-1,1,-1"));
    assert_eq!((desk.raw["set"].as_str(), desk.raw["examples"].as_str()), ("own", "2"));
    desk.editing.tool = Some(Tool::Remove);
    assert_eq!(desk.click(first), None, "too few would be left");
    desk.editing.tool = Some(Tool::Add(0));
    assert_eq!(desk.click(free), Some("0.5,-0.25,-1,-1,1,-1,1.5,1.5,1"));
    assert!(desk.click(desk.px(-1.5, -1.5)).is_some());
    assert_eq!(desk.click(desk.px(0.0, -1.5)), None, "too many");
    desk.editing.tool = Some(Tool::Remove);
    assert_eq!(desk.click(first), Some("-1,1,-1,1.5,1.5,1,-1.5,-1.5,1"));
    assert_eq!(desk.raw["examples"], "3");
}

#[test]
fn points_are_edited_in_the_panels_of_the_handles() {
    let handles = Handles::new("drawn", &"0,0").on([1, 2]);
    let axis = || crate::figure::Axis::linear("", (-2.0, 2.0));
    let panels = ["a", "b", "c"].map(|key| crate::figure::Panel::new(key, axis(), axis()));
    let mut desk = Desk::new(NUMERIC, handles, Figure::new("f", "").panels(3, panels));
    desk.geometry = crate::render::FigureLayout::new(&desk.drawing, (900.0, 300.0)).geometry;
    let at =
        |desk: &Desk, panel: usize, x: f64, y: f64| desk.geometry.panel(panel).unwrap().to_px(x, y).unwrap();
    let [first, second, third] = [0, 1, 2].map(|panel| at(&desk, panel, 0.0, 0.0));
    let aside = at(&desk, 1, 1.0, 0.5);
    assert!(!desk.act(|editing, scene| editing.down(scene, first)), "the first panel has no handles");
    assert_eq!(desk.drag(second, &[aside]), (vec![true], Released::Settled));
    assert_eq!(desk.raw["drawn"], "1,0.5");
    assert_eq!(desk.act(|editing, scene| editing.place(scene)), Some(aside));
    // Dragged over another panel, the point stays in its own.
    desk.drag(aside, &[third]);
    assert_eq!(desk.raw["drawn"], "2,0");
    let right = at(&desk, 2, 2.0, 0.0);
    assert_eq!(desk.key("ArrowLeft", true, right), Some("1.95,0"));
    assert_eq!(desk.act(|editing, scene| editing.place(scene)), Some(at(&desk, 2, 1.95, 0.0)));
}

#[test]
fn the_nearest_point_in_reach_is_taken() {
    let desk = Desk::points(CLASSED, TWO);
    let list = [[0.0, 0.0, 1.0], [0.05, 0.0, 1.0], [5.0, 0.0, 1.0]];
    let at = desk.px(0.04, 0.0);
    assert_eq!(points::under(&desk.geometry, &list, at), Some(1));
    let far = (at.0, at.1 + points::GRASP + 1.0);
    assert_eq!(points::under(&desk.geometry, &list, far), None);
}

#[test]
fn a_point_is_dragged_in_one_step() {
    let mut desk = Desk::points(CLASSED, TWO);
    let from = desk.px(0.5, -0.25);
    let (steps, released) =
        desk.drag(from, &[(from.0 + 3.0, from.1), (from.0 + 50.0, from.1), (from.0 + 1000.0, from.1)]);
    assert_eq!((steps, released), (vec![true, false], Released::Settled), "a click shakes a little");
    assert_eq!(desk.raw["drawn"], "2,-0.25,1,-1,1,-1", "it stays in the plot");
    let place = desk.act(|editing, scene| editing.place(scene));
    assert_eq!(place, Some(desk.px(2.0, -0.25)));
    // Beside the points nothing is dragged.
    let free = desk.px(1.0, 1.0);
    let (steps, released) = desk.drag(free, &[(free.0 + 50.0, free.1)]);
    assert_eq!((steps, released), (Vec::new(), Released::Clicked(None)));
}

#[test]
fn points_with_a_number_as_target_take_the_same_way() {
    let mut desk = Desk::points(NUMERIC, "1,1,-1,0.5");
    let names: Vec<String> = tools(&NUMERIC).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["Add", "Delete"]);
    let from = desk.px(1.0, 1.0);
    let (steps, _) = desk.drag(from, &[(from.0 + 10.0, from.1 - 90.0)]);
    assert_eq!((steps, desk.raw["drawn"].as_str()), (vec![true], "1.1,1.5,-1,0.5"), "held in its range");
    assert_eq!(desk.click(desk.px(0.0, 0.0)), Some("1.1,1.5,-1,0.5,0,0"));
    let at = desk.px(0.0, 0.0);
    assert_eq!(desk.key("ArrowUp", true, at), Some("1.1,1.5,-1,0.5,0,0.05"));
    assert_eq!(desk.key("f", false, at), None, "without classes nothing flips");
    assert_eq!(desk.key("Delete", false, at), Some("1.1,1.5,-1,0.5"));
}

#[test]
fn keys_edit_points() {
    let mut desk = Desk::points(CLASSED, "0.5,-0.25,1,-1,1,-1,1,1,-1");
    let at = desk.px(1.0, 1.0);
    assert_eq!(desk.key("f", false, at), Some("0.5,-0.25,1,-1,1,-1,1,1,1"));
    assert_eq!(desk.key("ArrowUp", true, at), Some("0.5,-0.25,1,-1,1,-1,1,1.05,1"));
    desk.editing.tool = Some(Tool::Add(1));
    assert_eq!(desk.key("Insert", false, at), Some("0.5,-0.25,1,-1,1,-1,1,1.05,1,1.2,1,-1"));
    assert_eq!(desk.key("Delete", false, at), Some("0.5,-0.25,1,-1,1,-1,1.2,1,-1"));
    let reads = desk.act(|editing, scene| editing.key(scene, "ArrowUp", false, Some(at)));
    assert_eq!(reads, None, "arrows alone are for reading");
    assert_eq!(desk.act(|editing, scene| editing.key(scene, "Delete", false, None)), Some(None));
}

#[test]
fn a_stroke_on_a_small_pad_is_one_pixel_wide_and_one_step() {
    let mut desk = Desk::pad(4, 2, true);
    let names: Vec<String> = tools(&desk.field.kind).into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["Draw", "Erase", "Hide pixels"]);
    // Cells are 100 pixels wide; the stroke goes from the first row to the third and covers the cells in between.
    let (steps, released) = desk.drag((150.0, 50.0), &[(150.0, 250.0), (250.0, 250.0)]);
    assert_eq!((steps, released), (vec![true, false, false], Released::Settled));
    assert_eq!(desk.picture(), [".#..", ".#..", ".##.", "...."]);
    assert_eq!(desk.raw.len(), 1, "nothing but the picture changes");
    desk.editing.tool = Some(Tool::Hide);
    desk.drag((150.0, 150.0), &[]);
    desk.editing.tool = Some(Tool::Erase);
    desk.drag((150.0, 50.0), &[]);
    assert_eq!(desk.picture(), ["....", ".?..", ".##.", "...."]);
    let (steps, _) = desk.drag((50.0, 50.0), &[]);
    assert_eq!(steps, [] as [bool; 0], "paper is paper already");
    let cleared = desk.act(Editing::clear);
    desk.put(cleared);
    assert_eq!(desk.raw["drawn"], "4x4.");
}

#[test]
fn a_pen_on_a_large_picture_is_wide_and_soft() {
    let mut desk = Desk::pad(20, 15, false);
    desk.drag((210.0, 210.0), &[(250.0, 210.0)]);
    let picture = desk.picture();
    assert_eq!((&picture[10][9..14], &picture[9][9..14]), ("+###+", "+++++"), "{picture:?}");
    assert!(picture[7].chars().all(|sign| sign == '.'), "{picture:?}");
    desk.editing.tool = Some(Tool::Erase);
    desk.drag((190.0, 210.0), &[(270.0, 210.0)]);
    assert!(desk.picture()[10].chars().all(|sign| sign == '.'), "{:?}", desk.picture());
}

#[test]
fn keys_draw() {
    let mut desk = Desk::pad(3, 2, true);
    let middle = (200.0, 200.0);
    desk.key("f", false, middle);
    assert_eq!(desk.picture()[1], ".#.");
    desk.key("f", false, middle);
    assert_eq!(desk.picture()[1], ".?.");
    desk.key("Delete", false, middle);
    desk.editing.tool = Some(Tool::Hide);
    desk.key("Enter", false, middle);
    assert_eq!(desk.picture()[1], ".?.");
    desk.editing.tool = Some(Tool::Draw);
    desk.key("Delete", false, middle);
    desk.key("ArrowRight", true, middle);
    assert_eq!(desk.picture(), ["...", "..#", "..."]);
    let place = desk.act(|editing, scene| editing.place(scene)).unwrap();
    assert!((place.0 - 1000.0 / 3.0).abs() < 1e-9 && (place.1 - 200.0).abs() < 1e-9, "{place:?}");
    assert_eq!(desk.key("ArrowRight", true, (390.0, 200.0)), None, "the edge");
    assert_eq!(desk.key("Insert", false, middle), None);
}

/// Regression: the axis followed a point at its edge, which sent the point away from the pointer.
#[test]
fn the_axes_of_a_held_point_keep_still() {
    let axis = |end: f64| crate::figure::Axis::linear("", (-end, end));
    let panel = |key: &str, end| crate::figure::Panel::new(key, axis(end), axis(end));
    let figure = |end| {
        let handles = Handles::new("drawn", &TWO).on([1]);
        Figure::new("f", "").panels(2, [panel("weights", end), panel("curves", end)]).handles(handles)
    };
    let mut now = figure(9.0);
    keep_axes(&mut now, &figure(2.0));
    let ends: Vec<f64> = now.all_panels().iter().map(|panel| panel.y.range.1).collect();
    assert_eq!(ends, [9.0, 2.0], "only where the points are");
    let plain = |id: &str, end| Figure::new(id, "").y(axis(end)).handles(Handles::new("drawn", &TWO));
    for (id, end) in [("f", 2.0), ("another", 9.0)] {
        let mut now = plain("f", 9.0);
        keep_axes(&mut now, &plain(id, 2.0));
        assert_eq!(now.y.range.1, end);
    }
}

#[test]
fn a_drag_is_taken_back_while_it_goes_on() {
    let mut desk = Desk::points(NUMERIC, "0,0,1,1");
    let (on, off) = (desk.px(0.0, 0.0), desk.px(-1.5, -1.5));
    assert!(desk.act(|editing, scene| editing.grasps(scene, on)));
    assert!(!desk.act(|editing, scene| editing.grasps(scene, off)));
    desk.act(|editing, scene| editing.down(scene, on));
    assert!(!desk.act(|editing, _| editing.abandon()), "nothing has changed yet");
    desk.act(|editing, scene| editing.down(scene, on));
    assert!(desk.act(|editing, scene| editing.moved(scene, off)).is_some());
    assert!(desk.act(|editing, _| editing.abandon()));
    assert_eq!(desk.act(Editing::up), Released::Clicked(None));
}

#[test]
fn only_a_stroke_that_has_changed_the_picture_is_taken_back() {
    for (tool, changes) in [(Tool::Draw, true), (Tool::Erase, false)] {
        let mut desk = Desk::pad(4, 2, false);
        desk.editing.tool = Some(tool);
        let at = desk.px(0.5, 0.5);
        desk.act(|editing, scene| editing.down(scene, at));
        assert_eq!(desk.act(|editing, scene| editing.moved(scene, at)).is_some(), changes);
        assert_eq!(desk.act(|editing, _| editing.abandon()), changes, "{tool:?} on paper");
    }
}
