//! A regression of a table's numeric column, small enough to be checked by hand, through all parts of a model: fields,
//! the reader of tables, units in workers, an artefact made by the run, and a live task that takes it by its hash.

use std::collections::{BTreeMap, VecDeque};

use meanfield::app::pool::{Action, Phase, Pool, Request, WorkerId};
use meanfield::data::{
    Artefact, ColumnChoices, ColumnError, DataRef, DataRequirements, Dataset, Facts, RowRole, Store,
    TableChoices, Target, TargetKind,
};
use meanfield::figure::Figure;
use meanfield::lab::fields::{DATA, IGNORE, LABEL, PREDICT, SEED, SPLIT, STANDARDISE, TRAIN_FRACTION};
use meanfield::lab::{
    Budget, Catalog, Checked, Erased, InputError, Meta, Model, Plan, Prepared, Queue, Raw, Role, Spec,
    Status, Task, TypedTask, Work, data, real,
};
use meanfield::protocol::Command;
use meanfield::worker::Host;
use serde::{Deserialize, Serialize};

/// Kind of the artefact with the fitted line.
const KIND: &str = "toy.line";
const FORMAT: u32 = 1;

static TOY: &[&dyn Task] = &[&Erased::<Fit>::NEW, &Erased::<Score>::NEW];
static CATALOG: Catalog = Catalog(&[&Model::of_tasks("toy", TOY)]);

meanfield::spec! {
    /// Settings of the fit.
    struct FitSpec {
        /// The table.
        data: Option<DataRef> = DATA,
        /// The target.
        label: String = LABEL,
        /// Columns that are not inputs.
        ignore: String = IGNORE,
        /// Column that divides the rows into training and test rows.
        split: String = SPLIT,
        /// Fraction of the rows that is drawn for training.
        train_fraction: f64 = TRAIN_FRACTION,
        /// True if the input is scaled to zero mean and unit variance.
        standardise: bool = STANDARDISE,
        /// A second file.
        predict: Option<DataRef> = PREDICT,
        /// Seed of the draw.
        seed: u64 = SEED,
        /// Ridge.
        ridge: f64 = real((0.0, 10.0), (0.0, 10.0, 0.1)).label("Ridge").default("0"),
    }
}

impl Spec for FitSpec {}

meanfield::spec! {
    /// Settings of a prediction by the fitted line.
    struct ScoreSpec {
        /// The artefact.
        line: Option<DataRef> = data(Role::Setting).label("Line"),
        /// The input.
        x: f64 = real((-100.0, 100.0), (-10.0, 10.0, 0.1)).label("x").default("0"),
    }
}

impl Spec for ScoreSpec {}

struct Fit;
struct Score;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct FitSnapshot {
    /// Mean squared error of the test rows, in the units of the file.
    test_error: Option<f64>,
    unlabelled: Vec<f64>,
    second: Vec<f64>,
}

/// Fitted line y = intercept + slope x, in the units of the file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    intercept: f64,
    slope: f64,
}

struct FitWork {
    set: Dataset,
    ridge: f64,
    made: Vec<Artefact>,
    seen: FitSnapshot,
}

const fn meta(id: &'static str, queue: Queue) -> Meta {
    Meta { queue, ..Meta::companion(id, "") }
}

impl TypedTask for Fit {
    const META: Meta = meta("toy", Queue::Run);
    type Spec = FitSpec;
    type Snapshot = FitSnapshot;

    fn plan(_: &Checked<FitSpec>, facts: Option<&Facts>) -> Plan {
        Plan::of(usize::from(facts.is_some()))
    }

    fn prepare(
        spec: &Checked<FitSpec>,
        data: &Store,
        _: Option<FitSnapshot>,
    ) -> Result<Prepared<FitSnapshot>, Vec<InputError>> {
        let needs = DataRequirements { target: TargetKind::Numbers, training: None };
        let columns = ColumnChoices {
            label: &spec.label,
            ignore: &spec.ignore,
            split: &spec.split,
            ..ColumnChoices::default()
        };
        let choices = TableChoices {
            reading: meanfield::data::ReadingChoices::default(),
            data: spec.data.as_ref(),
            columns,
            train_fraction: spec.train_fraction,
            seed: spec.seed,
            standardise: spec.standardise,
            predict: spec.predict.as_ref(),
        };
        let set = choices.prepare(&needs, data).map_err(|misfit: ColumnError| vec![misfit.into()])?;
        let seen = FitSnapshot::default();
        Ok(Box::new(FitWork { set, ridge: spec.ridge, made: Vec::new(), seen }))
    }

    fn merge(parts: Vec<FitSnapshot>) -> FitSnapshot {
        parts.into_iter().next().unwrap_or_default()
    }

    fn status(_: &Checked<FitSpec>, _: &FitSnapshot) -> Status {
        Status::CONVERGED
    }

    fn figures(_: &Checked<FitSpec>, _: &FitSnapshot) -> Vec<Figure> {
        Vec::new()
    }

    fn report(_: &Checked<FitSpec>, snapshot: &FitSnapshot) -> serde_json::Value {
        serde_json::to_value(snapshot).unwrap()
    }
}

impl Work for FitWork {
    type Snapshot = FitSnapshot;

    fn begin(&mut self, _: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(self.set.rows() as u64);
        let set = &self.set;
        let Target::Numbers(y) = &set.target else { panic!("asked for numbers") };
        assert_eq!(set.width(), 1, "the toy draws a line");
        let train: Vec<(f64, f64)> = set.of(RowRole::Train).map(|i| (set.row(i)[0], y[i])).collect();
        let mean = |of: &dyn Fn(&(f64, f64)) -> f64| train.iter().map(of).sum::<f64>() / train.len() as f64;
        let (x0, y0) = (mean(&|p| p.0), mean(&|p| p.1));
        let slope = mean(&|p| (p.0 - x0) * (p.1 - y0)) / (mean(&|p| (p.0 - x0) * (p.0 - x0)) + self.ridge);
        // Converts to the units of the file.
        let input = |x: f64| set.scaling.as_ref().map_or(x, |scaling| scaling.inputs[0].standardise(x));
        let scale = set.scaling.as_ref().and_then(|scaling| scaling.target);
        let back = |y: f64| scale.map_or(y, |scale| scale.invert(y));
        let at = |z: f64| back(y0 + slope * (z - x0));
        let predict = |part| set.of(part).map(|i| at(set.row(i)[0])).collect::<Vec<_>>();
        let tests = predict(RowRole::Test);
        let errors = set.of(RowRole::Test).zip(&tests).map(|(i, said)| (said - back(y[i])).powi(2));
        self.seen = FitSnapshot {
            test_error: (!tests.is_empty()).then(|| errors.sum::<f64>() / tests.len() as f64),
            unlabelled: predict(RowRole::Unlabelled),
            second: predict(RowRole::Second),
        };
        let line = Line { intercept: at(input(0.0)), slope: at(input(1.0)) - at(input(0.0)) };
        let bytes = postcard::to_stdvec(&line).unwrap();
        self.made.push(Artefact { kind: KIND.into(), format: FORMAT, bytes });
        true
    }

    fn fraction(&self) -> f64 {
        0.0
    }

    fn note(&self) -> String {
        "fitting".into()
    }

    fn snapshot(&self) -> FitSnapshot {
        self.seen.clone()
    }

    fn take_artefacts(&mut self) -> Vec<Artefact> {
        std::mem::take(&mut self.made)
    }
}

struct ScoreWork {
    line: Line,
    x: f64,
    y: Option<f64>,
}

impl TypedTask for Score {
    const META: Meta = meta("toy.score", Queue::Live);
    type Spec = ScoreSpec;
    type Snapshot = Option<f64>;

    fn plan(_: &Checked<ScoreSpec>, _: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn prepare(
        spec: &Checked<ScoreSpec>,
        data: &Store,
        _: Option<Option<f64>>,
    ) -> Result<Prepared<Option<f64>>, Vec<InputError>> {
        let bytes = spec.line.as_ref().and_then(|named| data.artefact(named, KIND, FORMAT));
        let missing = || vec![ScoreSpec::FIELDS.line.error("").because("a fitted line is needed")];
        let line = postcard::from_bytes(bytes.ok_or_else(missing)?).map_err(|_| missing())?;
        Ok(Box::new(ScoreWork { line, x: spec.x, y: None }))
    }

    fn merge(parts: Vec<Option<f64>>) -> Option<f64> {
        parts.into_iter().flatten().next()
    }

    fn status(_: &Checked<ScoreSpec>, _: &Option<f64>) -> Status {
        Status::CONVERGED
    }

    fn figures(_: &Checked<ScoreSpec>, _: &Option<f64>) -> Vec<Figure> {
        Vec::new()
    }

    fn report(_: &Checked<ScoreSpec>, snapshot: &Option<f64>) -> serde_json::Value {
        serde_json::to_value(snapshot).unwrap()
    }
}

impl Work for ScoreWork {
    type Snapshot = Option<f64>;

    fn begin(&mut self, _: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        budget.spend(1);
        self.y = Some(self.line.intercept + self.line.slope * self.x);
        true
    }

    fn fraction(&self) -> f64 {
        0.0
    }

    fn note(&self) -> String {
        String::new()
    }

    fn snapshot(&self) -> Option<f64> {
        self.y
    }
}

/// A pool with real hosts as workers.
struct Page {
    pool: Pool,
    workers: BTreeMap<WorkerId, (Host, VecDeque<Command>)>,
    now: f64,
}

impl Page {
    fn new() -> Self {
        let mut page = Self { pool: Pool::new(2, 0.0), workers: BTreeMap::new(), now: 0.0 };
        page.pool.start_all_workers(0.0);
        page.turn();
        page
    }

    fn carry_out(&mut self) {
        for action in self.pool.take_actions() {
            match action {
                Action::Spawn(id) => {
                    self.workers.insert(id, (Host::new(CATALOG), VecDeque::new()));
                    self.pool.event(id, Host::ready(), self.now);
                }
                Action::Post(id, command) => self.workers.get_mut(&id).unwrap().1.push_back(command),
                Action::Terminate(id) => drop(self.workers.remove(&id)),
            }
        }
    }

    fn turn(&mut self) {
        self.now += 1.0;
        self.carry_out();
        let ids: Vec<WorkerId> = self.workers.keys().copied().collect();
        for id in ids {
            let Some((host, mail)) = self.workers.get_mut(&id) else { continue };
            let mut events: Vec<_> = mail.drain(..).filter_map(|command| host.handle(command)).collect();
            let now = self.now;
            events.extend(host.turn(|| now));
            for event in events {
                self.pool.event(id, event, now);
            }
        }
        self.pool.drawn();
    }

    /// Runs a task to its end and returns its report.
    fn run(&mut self, task: &'static dyn Task, pairs: &[(&str, &str)]) -> serde_json::Value {
        let values = task.check(&raw(pairs)).unwrap();
        let queue = task.meta().queue;
        self.pool.start(Request { task, values: values.clone(), record: true }, false, self.now);
        for _ in 0..50 {
            self.turn();
        }
        let run = self.pool.run(queue).unwrap();
        assert_eq!(run.phase, Phase::Finished);
        let mut decoder = task.decoder();
        decoder.update(&run.snapshots()).unwrap();
        decoder.result(&values).report()
    }
}

fn raw(pairs: &[(&str, &str)]) -> Raw {
    pairs.iter().map(|(key, text)| ((*key).to_owned(), (*text).to_owned())).collect()
}

/// A table with y = 3 + 2x on the training rows, a test row that is off by 1, a row without a target, and a constant column.
const TABLE: &[u8] = b"c,x,part,y\n5,0,train,3\n5,1,train,5\n5,4,train,11\n5,2,test,8\n5,10,train,\n";
const SECOND: &[u8] = b"x,note\n-1,u\n6,v\n";

#[test]
fn a_live_task_takes_the_artefact_of_a_run_by_its_hash() {
    let mut page = Page::new();
    let [fit, score]: [&'static dyn Task; 2] = [TOY[0], TOY[1]];
    let table = page.pool.load("t.csv", TABLE.to_vec(), 0.0);
    let second = page.pool.load("s.csv", SECOND.to_vec(), 0.0);
    let pairs = [("data", table.to_string()), ("predict", second.to_string())];
    let pairs: Vec<(&str, &str)> = pairs.iter().map(|(key, text)| (*key, text.as_str())).collect();
    let report = page.run(fit, &pairs);
    let near = |value: &serde_json::Value, expected: f64| {
        let value = value.as_f64().unwrap();
        assert!((value - expected).abs() < 1e-12, "{value} instead of {expected}");
    };
    near(&report["test_error"], 1.0);
    near(&report["unlabelled"][0], 23.0);
    near(&report["second"][0], 1.0);
    near(&report["second"][1], 15.0);
    // The artefact is a file of the page, and a link names it as such.
    let made = page.pool.run(Queue::Run).unwrap().artefacts.clone();
    assert_eq!((made.len(), made[0].name.as_str()), (1, KIND));
    let line = made[0].to_string();
    near(&page.run(score, &[("line", &line), ("x", "100")]), 203.0);
    // A worker without the artefact receives it.
    let before: Vec<WorkerId> = page.workers.keys().copied().collect();
    for worker in before {
        page.pool.replace_worker(worker, "killed", page.now);
    }
    near(&page.run(score, &[("line", &line), ("x", "-1")]), 1.0);
}

#[test]
fn a_numeric_target_is_handled_like_classes() {
    let mut store = Store::default();
    store.load(TABLE).unwrap();
    let named = DataRef::file("t.csv", TABLE).to_string();
    let problem = |pairs: &[(&str, &str)]| {
        let raw = raw(&[&[("data", named.as_str())], pairs].concat());
        let problems = TOY[0].start(&TOY[0].check(&raw).unwrap(), 0..1, &store, &[]).err().unwrap();
        (problems[0].field.clone(), problems[0].nearest.clone())
    };
    assert_eq!(problem(&[("label", "part")]), ("label".into(), Some("y".into())), "words are no numbers");
    assert_eq!(problem(&[("label", "z")]).0, "label");
    assert_eq!(problem(&[("ignore", "x")]).0, "data", "c never changes");
    assert_eq!(problem(&[("predict", "gone.csv")]).0, "predict");
    // The ridge acts in standard units: half the slope where the variance of x is 1.
    let mut page = Page::new();
    page.pool.load("t.csv", TABLE.to_vec(), 0.0);
    let report = page.run(TOY[0], &[("data", &named), ("ridge", "1")]);
    let expected = 19.0 / 3.0 + (10.0 - 5.0 / 3.0);
    assert!((report["unlabelled"][0].as_f64().unwrap() - expected).abs() < 1e-12, "{report}");
}
