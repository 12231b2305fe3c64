//! Points pulled, clicked and moved by keys.

use super::*;
use crate::figure::Scale;
use crate::render::{Map, Rect};

fn handles() -> Handles {
    Handles {
        field: "points".into(),
        with: vec![("set".into(), "own".into())],
        count: Some("examples".into()),
        labels: vec![(1.0, "+1".into()), (-1.0, "−1".into())],
        points: vec![[0.5, -0.25, 1.0], [-1.0, 1.0, -1.0]],
        number: (2, 4),
    }
}

#[test]
fn what_is_written_is_read_again() {
    let (handles, mut raw) = (handles(), Raw::new());
    assert_eq!(current(&handles, &raw), handles.points);
    let points = vec![[0.123456, -2.0, -1.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    raw.extend(texts(&handles, &points));
    assert_eq!(raw["points"], "0.123,-2,-1,1,0,1,0,0,1");
    assert_eq!((raw["set"].as_str(), raw["examples"].as_str()), ("own", "3"));
    assert_eq!(current(&handles, &raw)[0], [0.123, -2.0, -1.0]);
    // Points of another set do not count, and broken ones neither.
    let other = Raw::from([("points".into(), "1,1,1".into()), ("set".into(), "moons".into())]);
    assert_eq!(current(&handles, &other), handles.points);
    raw.insert("points".into(), "1,x".into());
    assert_eq!(current(&handles, &raw), handles.points);
}

#[test]
fn points_without_labels_are_pairs() {
    let handles = Handles { labels: Vec::new(), with: Vec::new(), count: None, ..handles() };
    let texts = texts(&handles, &[[1.0, 2.0, 0.0], [3.0, 4.5, 0.0]]);
    assert_eq!(texts, [("points".to_owned(), "1,2,3,4.5".to_owned())]);
    assert_eq!(current(&handles, &texts.into_iter().collect())[1], [3.0, 4.5, 0.0]);
}

#[test]
fn a_click_does_what_its_tool_says() {
    let handles = handles();
    let click = |tool, on| clicked(&handles, handles.points.clone(), tool, on, (2.0, 2.0));
    assert_eq!(click(Tool::AddOther, None).unwrap()[2], [2.0, 2.0, -1.0]);
    assert_eq!(click(Tool::AddOther, Some(0)), None, "there is one already");
    assert_eq!(click(Tool::Relabel, Some(0)).unwrap()[0][2], -1.0);
    assert_eq!(click(Tool::Relabel, Some(1)).unwrap()[1][2], 1.0);
    assert_eq!(click(Tool::Relabel, None), None);
    assert_eq!(click(Tool::Remove, Some(0)), None, "too few would be left");
    let three = click(Tool::Add, None).unwrap();
    assert_eq!(clicked(&handles, three.clone(), Tool::Remove, Some(0), (0.0, 0.0)).unwrap().len(), 2);
    let four = clicked(&handles, three, Tool::Add, None, (1.0, 0.0)).unwrap();
    assert_eq!(clicked(&handles, four, Tool::Add, None, (1.0, 1.0)), None, "too many");
}

fn frame() -> Frame {
    let axis = |px| Map { scale: Scale::Linear, range: (-2.0, 2.0), px };
    Frame {
        size: (400.0, 400.0),
        plot: Rect { left: 0.0, top: 0.0, right: 400.0, bottom: 400.0 },
        x: axis((0.0, 400.0)),
        y: axis((400.0, 0.0)),
        inside: crate::render::Inside::Plane,
    }
}

#[test]
fn the_nearest_point_in_reach_is_taken() {
    let (handles, raw, frame) = (handles(), Raw::new(), frame());
    let scene = Scene { handles: &handles, raw: &raw, frame: &frame };
    let points = [[0.0, 0.0, 1.0], [0.05, 0.0, 1.0], [5.0, 0.0, 1.0]];
    let at = frame.to_px(0.04, 0.0).unwrap();
    assert_eq!(scene.under(&points, at), Some(1));
    assert_eq!(scene.under(&points, (at.0, at.1 + GRASP + 1.0)), None);
}

/// The form after some of it has changed.
fn with(raw: &Raw, texts: Texts) -> Raw {
    raw.clone().into_iter().chain(texts).collect()
}

#[test]
fn a_point_is_pulled_and_put_back() {
    let (handles, frame) = (handles(), frame());
    let raw: Raw =
        [("points", ""), ("set", "moons"), ("examples", "2")].map(|(k, v)| (k.into(), v.into())).into();
    let scene = |raw| Scene { handles: &handles, raw, frame: &frame };
    let mut editing = Editing::default();
    let from = frame.to_px(0.5, -0.25).unwrap();
    assert!(editing.down(&scene(&raw), from));
    assert_eq!(editing.moved(&scene(&raw), (from.0 + 1.0, from.1)), None, "a click shakes");
    let first = editing.moved(&scene(&raw), (from.0 + 50.0, from.1)).unwrap();
    let pulled = with(&raw, first);
    assert_eq!(pulled["points"], "1,-0.25,1,-1,1,-1");
    let last = editing.moved(&scene(&pulled), (from.0 + 1000.0, from.1)).unwrap();
    let last = with(&pulled, last);
    assert_eq!(last["points"], "2,-0.25,1,-1,1,-1", "it stays in the plot");
    assert_eq!((editing.up(&scene(&last)), editing.last()), (Released::Pulled, Some((2.0, -0.25))));
    assert_eq!(with(&last, editing.take("undo").unwrap()), raw);
    assert_eq!(editing.take("undo"), None);
}

#[test]
fn clicks_and_keys_edit() {
    let (handles, frame, mut raw) = (handles(), frame(), Raw::new());
    let mut editing = Editing::default();
    assert!(editing.html(&handles).contains("data-tool=\"undo\" disabled"));
    assert_eq!(editing.take("1"), None);
    assert!(editing.html(&handles).contains("data-tool=\"1\" aria-pressed=\"true\">Add −1<"));
    let mut act = |raw: &mut Raw, act: &mut dyn FnMut(&mut Editing, &Scene) -> Option<Texts>| {
        let texts = act(&mut editing, &Scene { handles: &handles, raw, frame: &frame });
        raw.extend(texts.unwrap_or_default());
        raw.get("points").cloned()
    };
    let at = frame.to_px(1.0, 1.0).unwrap();
    let clicked = act(&mut raw, &mut |editing, scene| {
        assert!(!editing.down(scene, at));
        let Released::Clicked(texts) = editing.up(scene) else { panic!("a click") };
        texts
    });
    assert_eq!(clicked.unwrap(), "0.5,-0.25,1,-1,1,-1,1,1,-1");
    let mut key =
        |key, shift| act(&mut raw, &mut |editing, scene| editing.key(scene, key, shift, Some(at)).unwrap());
    assert_eq!(key("f", false).unwrap(), "0.5,-0.25,1,-1,1,-1,1,1,1");
    assert_eq!(key("ArrowUp", true).unwrap(), "0.5,-0.25,1,-1,1,-1,1,1.05,1");
    assert_eq!(key("Insert", false).unwrap(), "0.5,-0.25,1,-1,1,-1,1,1.05,1,1.2,1,-1");
    assert_eq!(key("Delete", false).unwrap(), "0.5,-0.25,1,-1,1,-1,1.2,1,-1");
    let (raw, handles) = (Raw::new(), self::handles());
    let scene = Scene { handles: &handles, raw: &raw, frame: &frame };
    assert_eq!(editing.key(&scene, "ArrowUp", false, Some(at)), None, "for reading");
    assert_eq!(editing.key(&scene, "Delete", false, None), Some(None));
}
