//! The experiment as the lab runs it.

use super::report;
use super::spec::PRESETS;
use super::training::{BLOCK, EM_STEPS, Mixing, Testing, Tools, Training, shared};
use super::{Learn, LearnSnapshot, LearnSpec, figures};
use crate::data::{Artefact, DataRef, Facts, Store};
use crate::figure::Figure;
use crate::lab::{Budget, Checked, InputError, Meta, Outcome, Plan, Prepared, Queue, Run, Status, Work};
use crate::models::sbn::digits::source::{STROKES, Source, Unusable, expected};

/// Cost of an image of a mixture, of its pre-processing, and of a comparison with a thousand images, in solves of a network.
const MIXTURE_COST: f64 = 0.1;
const IMAGE_COST: f64 = 0.5;
/// Solves that stop at the largest number of passes beyond which a run has not converged.
const MOST_UNCONVERGED: f64 = 0.25;

impl Run for Learn {
    const META: Meta = Meta {
        id: "sbn",
        title: "Classification and completion of digits",
        subtitle: "Draw a digit, or mark half of it as missing. Ten networks classify it by bounds on its probability, \
                   fill in missing pixels and generate samples.",
        pair: true,
        tab: Some("Digits"),
        queue: Queue::Run,
        live: Some("sbn.pad"),
        presets: PRESETS,
    };
    type Spec = LearnSpec;
    type Snapshot = LearnSnapshot;

    /// A network for each digit, a mixture for each digit, and then blocks of test images.
    fn plan(spec: &Checked<LearnSpec>, facts: Option<&Facts>) -> Plan {
        let (images, test) = expected((spec.per_digit, spec.test), spec.data.as_ref(), facts);
        let epochs: f64 = spec.epochs.iter().sum();
        let (digits, images) = (spec.digits.len(), images as f64);
        let mixtures = if spec.baselines.mixture() { digits } else { 0 };
        let solves = (digits * (1 + spec.missing.len())) as f64;
        Plan::default()
            .and(digits, images * (epochs + IMAGE_COST))
            .and(mixtures, images * (MIXTURE_COST * EM_STEPS as f64 + IMAGE_COST))
            .then(test.div_ceil(BLOCK), BLOCK as f64 * (solves + IMAGE_COST))
    }

    fn merge(parts: Vec<LearnSnapshot>) -> LearnSnapshot {
        let mut all = LearnSnapshot::default();
        for part in parts {
            all.trained.extend(part.trained);
            all.mixtures.extend(part.mixtures);
            all.tested.extend(part.tested);
        }
        all
    }

    fn status(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Status {
        status(spec, snapshot)
    }

    fn figures(spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot)
    }

    fn report(_spec: &Checked<LearnSpec>, snapshot: &LearnSnapshot) -> serde_json::Value {
        report::report(snapshot)
    }

    fn prepare(
        spec: &Checked<LearnSpec>,
        data: &Store,
        before: Option<LearnSnapshot>,
    ) -> Result<Prepared<LearnSnapshot>, Vec<InputError>> {
        spec.networks(data)?;
        let wanted = (spec.per_digit, spec.test);
        let (named, labels) = (spec.data.as_ref(), spec.labels.as_ref());
        let source = Source::new((named, labels), data, spec.preprocess, wanted, spec.seed);
        let source = source.map_err(|Unusable { of_labels, problem }| {
            let given = |file: Option<&DataRef>| file.map_or(String::new(), ToString::to_string);
            let fields = LearnSpec::FIELDS;
            vec![if of_labels {
                let error = fields.labels.error(given(labels)).because(problem);
                // A table has its own.
                if named.is_some_and(|named| data.table(named).is_some()) { error.nearest("") } else { error }
            } else {
                fields.data.error(given(named)).because(problem).nearest(STROKES)
            }]
        })?;
        let there: Vec<u8> = spec.learnt().into_iter().filter(|digit| source.training(*digit) > 0).collect();
        if source.test() == 0 {
            let named = named.map_or(String::new(), ToString::to_string);
            let error = LearnSpec::FIELDS.data.error(named);
            return Err(vec![
                error
                    .expected("two images of a digit at least, of which one is for testing")
                    .nearest(STROKES),
            ]);
        }
        if there != spec.learnt() {
            let text = |digits: &[u8]| digits.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
            let error = LearnSpec::FIELDS.digits.error(text(&spec.learnt()));
            let nearest = if there.is_empty() { String::new() } else { text(&there) };
            return Err(vec![error.expected("digits of which there are training images").nearest(nearest)]);
        }
        let tools = before.as_ref().and_then(|before| Tools::new(spec, &source, before));
        let spec = (**spec).clone();
        let (unit, rows, made) = (Unit::None, LearnSnapshot::default(), Vec::new());
        Ok(Box::new(LearnWork { spec, source, before, tools, unit, rows, made }))
    }
}

struct LearnWork {
    spec: LearnSpec,
    source: Source,
    before: Option<LearnSnapshot>,
    /// Of the second stage, where all networks are sound.
    tools: Option<Tools>,
    unit: Unit,
    /// Of units that are done.
    rows: LearnSnapshot,
    made: Vec<Artefact>,
}

/// The unit under way.
enum Unit {
    None,
    Training(Training),
    Mixing(Mixing),
    Testing(Testing),
}

impl Unit {
    /// Adds its row to those of other units.
    fn put(&self, rows: &mut LearnSnapshot) {
        match self {
            Self::None => {}
            Self::Training(training) => rows.trained.push(shared(training.row())),
            Self::Mixing(mixing) => rows.mixtures.push(shared(mixing.row())),
            Self::Testing(testing) => rows.tested.push(testing.row().clone()),
        }
    }
}

impl Work for LearnWork {
    type Snapshot = LearnSnapshot;

    fn begin(&mut self, unit: usize) {
        let digits = self.spec.learnt();
        let mixtures = if self.spec.baselines.mixture() { digits.len() } else { 0 };
        let (spec, source) = (&self.spec, &self.source);
        self.unit = if let Some(digit) = digits.get(unit) {
            Unit::Training(Training::new(spec, source, *digit))
        } else if unit < digits.len() + mixtures {
            Unit::Mixing(Mixing::new(spec, source, digits[unit - digits.len()]))
        } else {
            let block = unit - digits.len() - mixtures;
            if block == 0 {
                let trained = self.before.as_ref().and_then(|before| before.ensemble(spec));
                self.made.extend(trained.map(|all| all.artefact()));
            }
            Unit::Testing(Testing::new(spec, source, block))
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let (spec, source) = (&self.spec, &self.source);
        let done = match (&mut self.unit, &mut self.tools) {
            (Unit::Training(training), _) => training.step(spec, source, budget),
            (Unit::Mixing(mixing), _) => mixing.step(source, budget),
            (Unit::Testing(testing), Some(tools)) => testing.step(spec, source, tools, budget),
            // Where learning has diverged nothing is classified.
            (Unit::Testing(_), None) | (Unit::None, _) => true,
        };
        if done {
            std::mem::replace(&mut self.unit, Unit::None).put(&mut self.rows);
        }
        done
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            Unit::None => 0.0,
            Unit::Training(training) => training.fraction(),
            Unit::Mixing(mixing) => mixing.fraction(),
            Unit::Testing(testing) => testing.fraction(),
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            Unit::None => "preparing".to_owned(),
            Unit::Training(training) => {
                let row = training.row();
                format!("digit {}, epoch {}", row.digit, row.bounds.len() + 1)
            }
            Unit::Mixing(mixing) => format!("mixture of digit {}", mixing.row().digit),
            Unit::Testing(_) => "classifying test images".to_owned(),
        }
    }

    fn snapshot(&self) -> LearnSnapshot {
        let mut rows = self.rows.clone();
        self.unit.put(&mut rows);
        rows
    }

    fn artefacts(&mut self) -> Vec<Artefact> {
        std::mem::take(&mut self.made)
    }
}

fn status(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Status {
    let diverged = |row: &&std::rc::Rc<super::Trained>| row.diverged;
    if let Some(row) = snapshot.trained.iter().find(diverged) {
        let reason = format!("training on digit {} diverged; try smaller learning rates", row.digit);
        return Status { outcome: Outcome::Diverged, reason: Some(reason) };
    }
    let trained = snapshot.trained.iter().map(|row| (row.solves, row.unconverged));
    let tested = snapshot.tested.iter().map(|block| (block.solves, block.unconverged));
    let (solves, unconverged) = trained.chain(tested).fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    let share = unconverged as f64 / solves.max(1) as f64;
    if share <= MOST_UNCONVERGED {
        // What the clock beside it is to be compared with.
        let reason = spec
            .is_of_the_paper()
            .then(|| "the paper reports 19 hours of CPU time for it in 1996".to_owned());
        return Status { reason, ..Status::CONVERGED };
    }
    let reason =
        format!("{:.0} % of the solves did not converge within {} passes", 100.0 * share, spec.max_passes);
    Status { outcome: Outcome::MaxIterations, reason: Some(reason) }
}
