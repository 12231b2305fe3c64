//! Drawn points and pictures as fields of a task: from the text in a link to the figure, and back.

use meanfield::data::{Facts, Store};
use meanfield::figure::{Axis, Colours, Curve, Figure, Grid, Handles, Hue, Marker, Point, Stroke};
use meanfield::lab::{
    Budget, Checked, Erased, InputError, Meta, Pixels, Plan, Prepared, Progress, Queue, Raw, Spec, Status,
    Task, TypedTask, Value, Work, mend, pixels, points,
};

meanfield::spec! {
    /// A line through points, and a picture.
    pub struct DrawnSpec {
        /// Inputs and targets.
        points: Vec<[f64; 2]> = points((-5.0, 5.0), (-2.0, 2.0), (2, 50)).label("Points").default("-1,-1,1,1"),
        /// What is drawn on the pad.
        pad: Option<Pixels> = pixels(10, 10, 2).may_miss().label("Pad"),
    }
}

impl Spec for DrawnSpec {}

/// Least squares, and the share of ink of what is not missing.
pub struct Drawn;

struct DrawnWork(Checked<DrawnSpec>, Option<[f64; 3]>);

impl TypedTask for Drawn {
    const META: Meta = Meta { queue: Queue::Run, ..Meta::companion("drawn", "") };
    type Spec = DrawnSpec;
    type Snapshot = Option<[f64; 3]>;

    fn plan(_: &Checked<DrawnSpec>, _: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn prepare(
        spec: &Checked<DrawnSpec>,
        _: &Store,
        _: Option<Option<[f64; 3]>>,
    ) -> Result<Prepared<Option<[f64; 3]>>, Vec<InputError>> {
        Ok(Box::new(DrawnWork(spec.clone(), None)))
    }

    fn merge(parts: Vec<Option<[f64; 3]>>) -> Option<[f64; 3]> {
        parts.into_iter().flatten().next()
    }

    fn status(_: &Checked<DrawnSpec>, _: &Option<[f64; 3]>) -> Status {
        Status::CONVERGED
    }

    fn figures(spec: &Checked<DrawnSpec>, seen: &Option<[f64; 3]>) -> Vec<Figure> {
        let given = spec.points.iter().map(|[x, y]| Point::new(*x, *y));
        let [intercept, slope, _] = seen.unwrap_or_default();
        let line = [-5.0, 5.0].map(|x| Point::new(x, intercept + slope * x));
        let picture = spec.pad.clone().unwrap_or_else(|| Pixels::blank(10, 10, 2));
        let grey = Colours::Grey { low: 0.0, high: 1.0 };
        vec![
            Figure::new("line", "Line")
                .x(Axis::linear("x", (-5.0, 5.0)))
                .y(Axis::linear("y", (-2.0, 2.0)))
                .mark(Curve::new("line", "", Hue::Blue).stroke(Stroke::Solid).points(line))
                .mark(Curve::new("given", "", Hue::Ink).marker(Marker::Disc).points(given))
                .handles(Handles::new("points", &Value::Points(spec.points.clone()))),
            Figure::new("pad", "Pad")
                .pictures(1)
                .mark(Grid::image("pad", "", 10, &picture.shades(), grey))
                .handles(Handles::new("pad", &picture).grid("pad")),
        ]
    }

    fn report(_: &Checked<DrawnSpec>, seen: &Option<[f64; 3]>) -> serde_json::Value {
        serde_json::to_value(seen).unwrap()
    }
}

impl Work for DrawnWork {
    type Snapshot = Option<[f64; 3]>;

    fn begin(&mut self, _: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(1);
        let points = &self.0.points;
        let mean = |of: &dyn Fn(&[f64; 2]) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
        let (x0, y0) = (mean(&|p| p[0]), mean(&|p| p[1]));
        let slope = mean(&|p| (p[0] - x0) * (p[1] - y0)) / mean(&|p| (p[0] - x0) * (p[0] - x0));
        let shades = self.0.pad.iter().flat_map(Pixels::shades).filter(|shade| shade.is_finite());
        let (ink, seen) = shades.fold((0.0, 0.0), |(ink, seen), shade| (ink + f64::from(shade), seen + 1.0));
        self.1 = Some([y0 - slope * x0, slope, if seen > 0.0 { ink / seen } else { 0.0 }]);
        true
    }

    fn fraction(&self) -> f64 {
        0.0
    }

    fn note(&self) -> String {
        String::new()
    }

    fn snapshot(&self) -> Option<[f64; 3]> {
        self.1
    }
}

static DRAWN: &dyn Task = &Erased::<Drawn>::NEW;

fn raw(pairs: &[(&str, &str)]) -> Raw {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

fn report(pairs: &[(&str, &str)]) -> Vec<f64> {
    let values = DRAWN.check(&raw(pairs)).unwrap();
    let mut job = DRAWN.start(&DRAWN.check(&raw(pairs)).unwrap(), 0..1, &Store::default(), &[]).unwrap();
    while job.advance() != Progress::Done {}
    let snapshot = job.snapshot();
    let report = DRAWN.result(&values, &[snapshot.as_slice()]).unwrap().report();
    report.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

#[test]
fn drawings_reach_the_solver_and_the_figures() {
    assert_eq!(report(&[]), [0.0, 1.0, 0.0]);
    let mut picture = Pixels::blank(10, 10, 2);
    (0..5).for_each(|row| picture.set(3, row, Some(1)));
    (0..50).for_each(|cell| picture.set(cell % 10, 5 + cell / 10, None));
    let text = picture.to_string();
    assert_eq!(report(&[("points", "0,1,2,0,4,-1"), ("pad", &text)]), [1.0, -0.5, 0.1]);
    // A link that holds both gives the figures that can be edited on, with the same texts.
    let values = DRAWN.check(&raw(&[("points", "0,1,2,0"), ("pad", &text)])).unwrap();
    let figures = DRAWN.result(&values, &[]).unwrap().figures();
    let shown: Vec<_> = figures.iter().map(|figure| figure.handles.clone().unwrap().shown).collect();
    assert_eq!(shown, ["0,1,2,0", text.as_str()]);
    assert_eq!(values.to_raw()["pad"], text);
}

#[test]
fn invalid_drawings_are_refused_with_valid_advice() {
    for (key, text) in [
        ("points", "0,1"),
        ("points", "9,9,0,0"),
        ("points", "1,2,3"),
        ("points", ""),
        ("pad", "9x9.AA"),
        ("pad", "10x10.__"),
        ("pad", "ink"),
    ] {
        let raw = raw(&[(key, text)]);
        let problems = DRAWN.check(&raw).unwrap_err();
        assert_eq!((problems.len(), problems[0].field.as_str()), (1, key), "{text}");
        let (mended, _) = mend(&raw, |raw| DRAWN.check(raw).map(|_| ()));
        assert!(DRAWN.check(&mended).is_ok(), "{key} = {text}: {mended:?}");
    }
}
