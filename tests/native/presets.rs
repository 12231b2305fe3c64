//! The presets of every page: every figure has something to see, captions name the strokes that are drawn, and a preset whose first
//! figure is not that of the default settings has a headline of its own.

use std::io::{self, Write as _};
use std::iter;

use meanfield::data::{DataRef, Store};
use meanfield::figure::{Axis, Figure, FigureKind, Mark, Stroke};
use meanfield::lab::{ErasedResult, Link, Preset, Progress, Raw, Role, Task, companion_settings};
use meanfield::models::{TASKS, task};
use meanfield::render::{Layer, overlay};

use crate::common::needs::data_set;

/// Maximum cost of a preset that is run, by page, in the units of its plan: about two seconds.
const MOST_WORK: &[(&str, f64)] = &[
    ("feedforward", 1e9),
    ("feedforward.run", 3.2e9),
    ("gp", 7e9),
    ("gp.data", 5e8),
    ("gp.evidence", 1e9),
    ("mlp.curve", 1e9),
    ("mlp.data", 1e6),
    ("mlp.units", 1e9),
    ("nfa", 1e8),
    ("sbn", 1e4),
];
/// Presets that are not run: their plans do not count the draws of their chains.
const SLOW: [&str; 1] = ["Error bars against Monte Carlo"];
/// Number of presets that are skipped, because they take more than `MOST_WORK`. Only a new preset of this kind may increase it.
const SKIPPED: usize = 44;

/// The default settings.
const DEFAULTS: Preset = Preset::new("default settings", "", "");

/// Returns the tables that presets name; without `MEANFIELD_DATA` only those that come with the page.
fn store() -> Store {
    let mut store = Store::default();
    let example = include_bytes!("../../assets/data/example.csv");
    for table in [&example[..], include_bytes!("../../assets/data/yield.csv")] {
        store.load(table).unwrap();
    }
    for file in ["sonar.csv", "housing.csv"].into_iter().filter_map(data_set) {
        store.load(&std::fs::read(file).unwrap()).unwrap();
    }
    store
}

/// Returns the settings of a preset. A page for a table without one gets that of its first preset, with the columns to ignore.
fn settings(page: &dyn Task, preset: &Preset) -> Raw {
    let read = |preset: &Preset| Link::settings(preset.query);
    let mut raw = read(preset);
    let takes_table = page.fields().iter().any(|field| field.role == Role::Data && field.default.is_empty());
    if let Some(first) = page.meta().presets.first().filter(|_| takes_table && !raw.contains_key("data")) {
        raw.extend(read(first).into_iter().filter(|(key, _)| ["data", "ignore"].contains(&key.as_str())));
    }
    raw
}

/// Returns the expected work of a run; `None` without its data.
fn work(page: &dyn Task, raw: &Raw, store: &Store) -> Option<f64> {
    let values = page.check(raw).unwrap();
    let facts = values.data().and_then(|named| store.facts(named.content()?));
    let has_data = facts.is_some() || values.data().is_some_and(DataRef::needs_no_file);
    let plan = page.plan(&values, facts);
    (has_data || !values.takes_data()).then(|| plan.cost(0..plan.units()))
}

fn run(task: &dyn Task, raw: &Raw, store: &Store) -> Box<dyn ErasedResult> {
    let values = task.check(raw).unwrap();
    let facts = values.data().and_then(|named| store.facts(named.content()?));
    let mut parts: Vec<Vec<u8>> = Vec::new();
    for stage in task.plan(&values, facts).stages() {
        let before: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let mut run = task.start(&task.check(raw).unwrap(), stage, store, &before).unwrap();
        while run.advance() != Progress::Done {}
        parts.push(run.snapshot());
    }
    task.result(&values, &parts.iter().map(Vec::as_slice).collect::<Vec<_>>()).unwrap()
}

/// Returns the figures of a page: those of the run, and over them those of its live companion.
fn figures(page: &dyn Task, raw: &Raw, store: &Store) -> Vec<Figure> {
    let live = page.meta().live.map(|id| task(id).unwrap());
    let live = live.map(|live| run(live, &companion_settings(live.fields(), raw, &[]), store).figures());
    let layers = run(page, raw, store).figures().into_iter().chain(live.into_iter().flatten());
    let drawings = overlay(layers.map(|figure| Layer { figure, stale: false }));
    drawings.into_iter().map(|drawing| drawing.figure).collect()
}

/// Returns true if a mark that is shown has a datum inside the axes. A map shows something if its values differ.
fn shows_something(figure: &Figure) -> bool {
    let holds = |axis: &Axis, at: f64| (axis.range.0..=axis.range.1).contains(&at);
    let mut shown = figure.marks.iter().filter(|mark| !mark.info().hidden);
    match &figure.kind {
        FigureKind::Pictures { .. } => shown.any(|mark| matches!(mark, Mark::Grid(_)) && !mark.is_empty()),
        FigureKind::Space { z } => shown.any(|mark| {
            let inside = |at: &meanfield::figure::Datum| {
                let depth = at.z.is_some_and(|depth| holds(z, depth));
                depth && holds(&figure.x, at.x) && holds(&figure.y, at.y)
            };
            mark.data().any(|datum| inside(&datum))
        }),
        FigureKind::Plane { .. } | FigureKind::Panels { .. } => shown.any(|mark| {
            let (x, y) = figure.axes(mark.info().panel);
            match mark {
                Mark::Grid(grid) => grid.values.iter().any(|value| *value != grid.values[0]),
                mark => mark.data().any(|datum| holds(x, datum.x) && holds(y, datum.y)),
            }
        }),
    }
}

/// Returns the strokes that a caption names and no mark has.
fn missing_strokes(figure: &Figure) -> Vec<&'static str> {
    let stroke = |mark: &Mark| match mark {
        Mark::Curve(curve) => curve.stroke,
        Mark::Cloud(cloud) => cloud.stroke,
        Mark::Segments(segments) => Some(segments.stroke),
        Mark::Ellipses(ellipses) => Some(ellipses.stroke),
        _ => None,
    };
    let caption = figure.caption.to_lowercase();
    let drawn = |stroke_of: &[Stroke]| figure.marks.iter().filter_map(stroke).any(|s| stroke_of.contains(&s));
    let named = [("dashed", &[Stroke::Dashed, Stroke::DashDot][..]), ("dotted", &[Stroke::Dotted])];
    named
        .into_iter()
        .filter(|(word, of)| caption.contains(word) && !drawn(of))
        .map(|(word, _)| word)
        .collect()
}

/// Returns true if two figures can be told apart: another mark, or a datum elsewhere by more than a thousandth.
fn differ(a: &Figure, b: &Figure) -> bool {
    let far = |a: f64, b: f64| (a - b).abs() > 1e-3 * (1.0 + a.abs());
    let moved = |(a, b): (&Mark, &Mark)| {
        let values = |mark: &Mark| -> Vec<f64> {
            mark.data()
                .flat_map(|datum| [Some(datum.x), Some(datum.y), datum.get("value")])
                .flatten()
                .collect()
        };
        let (a_values, b_values) = (values(a), values(b));
        let different = a.key() != b.key() || a_values.len() != b_values.len();
        different || a_values.iter().zip(&b_values).any(|(a, b)| far(*a, *b))
    };
    a.marks.len() != b.marks.len() || a.marks.iter().zip(&b.marks).any(moved)
}

/// Returns the defects of the figures of a preset; `stock` is the first figure of the default settings.
fn defects(figures: &[Figure], stock: Option<&Figure>) -> Vec<String> {
    let empty = figures.iter().filter(|figure| !shows_something(figure));
    let mut defects: Vec<String> = empty.map(|figure| format!("{} is empty", figure.id)).collect();
    for figure in figures {
        let strokes = missing_strokes(figure).into_iter();
        defects.extend(strokes.map(|word| format!("the caption of {} names a {word} line", figure.id)));
    }
    let copies = |stock: &&Figure| differ(stock, &figures[0]) && stock.headline() == figures[0].headline();
    defects.extend(
        stock.filter(copies).map(|stock| format!("headline of the default settings: {}", stock.headline())),
    );
    defects
}

/// Returns a defect if the figure that a preset is about does not come first, or first after a pair.
fn misplaced(page: &dyn Task, preset: &Preset, figures: &[Figure]) -> Option<String> {
    let place = if page.meta().pair { 2 } else { 0 };
    let found = figures.get(place).map_or("no figure", |figure| &figure.id);
    let right = preset.figure.is_empty() || found == preset.figure;
    (!right).then(|| format!("figure {} is {found} instead of {}", place + 1, preset.figure))
}

/// The figures of presets that take too long for the next test are those before a result.
#[test]
fn the_figure_that_a_preset_is_about_comes_first_before_a_result() {
    for id in ["sbn", "sbn.bound", "nfa"] {
        let page = task(id).unwrap();
        for preset in page.meta().presets {
            let values = page.check(&settings(page, preset)).unwrap();
            assert_eq!(
                misplaced(page, preset, &page.result(&values, &[]).unwrap().figures()),
                None,
                "{id}, {}",
                preset.label
            );
        }
    }
}

#[test]
fn every_preset_has_figures_and_a_headline_of_its_own() {
    let store = store();
    let (mut wrong, mut skipped, mut without_data) = (Vec::new(), Vec::new(), 0);
    for page in TASKS.iter().copied().filter(|task| task.meta().tab.is_some()) {
        let id = page.meta().id;
        let most = MOST_WORK.iter().find(|(page, _)| *page == id).map_or(f64::INFINITY, |(_, most)| *most);
        let mut stock = None;
        let named = page.meta().presets.iter().filter(|preset| !preset.query.is_empty());
        for preset in iter::once(&DEFAULTS).chain(named) {
            let raw = settings(page, preset);
            let Some(work) = work(page, &raw, &store) else {
                without_data += 1;
                continue;
            };
            if work > most || SLOW.contains(&preset.label) {
                skipped.push(format!("{id}: {}", preset.label));
                continue;
            }
            let mut figures = figures(page, &raw, &store);
            let defects =
                defects(&figures, stock.as_ref()).into_iter().chain(misplaced(page, preset, &figures));
            wrong.extend(defects.map(|defect| format!("{id}, {}: {defect}", preset.label)));
            stock = stock.or_else(|| Some(figures.swap_remove(0)));
        }
    }
    // Written directly: the test harness discards the output of passing tests.
    let (count, names) = (skipped.len(), skipped.join("; "));
    let _ = writeln!(io::stderr(), "{count} presets take too long ({names}), {without_data} have no data");
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count <= SKIPPED, "{count} presets are skipped: {names}");
}
