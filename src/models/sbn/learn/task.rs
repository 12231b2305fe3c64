//! The task: networks and mixtures are trained, then test images are classified.

use super::mixture_fit::EM_STEPS;
use super::testing::{BLOCK, Classifiers};
use super::work::LearnWork;
use super::{Learn, LearnSnapshot, figures, report};
use crate::data::{DataRef, Facts, Store};
use crate::figure::Figure;
use crate::lab::{
    Checked, Exercise, Goal, InputError, Meta, Outcome, Plan, Prepared, Queue, Status, TypedTask,
};
use crate::models::sbn::digits::source::{DigitSource, ImagesError, STROKES, expected};
use crate::models::sbn::spec::{LearnSpec, PRESETS};

/// Cost of an image in an EM step, in solves of a network.
const MIXTURE_COST: f64 = 0.1;
/// Cost of loading an image, in solves of a network.
const IMAGE_COST: f64 = 0.5;
/// Largest fraction of unconverged solves for which a run counts as converged.
const MAX_UNCONVERGED: f64 = 0.25;

impl TypedTask for Learn {
    const META: Meta = Meta {
        id: "sbn",
        title: "Classification and completion of digits",
        question: "Can a network read a digit that is half erased?",
        subtitle: "Ten belief networks, one per digit, score the drawing by a bound on its probability.",
        pair: true,
        tab: Some("Digits"),
        queue: Queue::Run,
        live: Some("sbn.pad"),
        exercises: &[
            Exercise { text: "Draw a digit", goal: Goal::Changed(&["drawing", "ink"]) },
            Exercise { text: "Draw with a pen", goal: Goal::Is("canvas", "pen") },
            Exercise { text: "Train your own networks", goal: Goal::Preset("Paper, Figure 3: samples") },
        ],
        challenge: None,
        presets: PRESETS,
    };
    type Spec = LearnSpec;
    type Snapshot = LearnSnapshot;

    /// Returns one unit per network and per mixture, then one per block of test images.
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
        figures::figures(spec, snapshot)
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
        let source = source(spec, data)?;
        let classifiers = before.as_ref().and_then(|before| Classifiers::new(spec, &source, before));
        Ok(Box::new(LearnWork::new(spec, source, before, classifiers)))
    }
}

/// Returns the training and test images.
///
/// # Errors
/// If the files hold no images with labels, there is no test image, or a digit has no training image.
fn source(spec: &LearnSpec, store: &Store) -> Result<DigitSource, Vec<InputError>> {
    let (named, labels, fields) = (spec.data.as_ref(), spec.labels.as_ref(), LearnSpec::FIELDS);
    let text = |file: Option<&DataRef>| file.map_or(String::new(), ToString::to_string);
    let counts = (spec.per_digit, spec.test);
    let source = DigitSource::new((named, labels), store, spec.preprocess, counts, spec.seed);
    let source = source.map_err(|ImagesError { of_labels, problem }| {
        vec![if of_labels {
            let error = fields.labels.error(text(labels)).because(problem);
            // A table has a column of labels.
            if named.is_some_and(|named| store.table(named).is_some()) { error.nearest("") } else { error }
        } else {
            fields.data.error(text(named)).because(problem).nearest(STROKES)
        }]
    })?;
    if source.test() == 0 {
        let error = fields.data.error(text(named));
        let expected = "two images of a digit at least, of which one is for testing";
        return Err(vec![error.expected(expected).nearest(STROKES)]);
    }
    let available: Vec<u8> =
        spec.trained_digits().into_iter().filter(|digit| source.training(*digit) > 0).collect();
    if available != spec.trained_digits() {
        let list = |digits: &[u8]| digits.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        let error = fields.digits.error(list(&spec.trained_digits()));
        let expected = "digits of which there are training images";
        return Err(vec![error.expected(expected).nearest(list(&available))]);
    }
    Ok(source)
}

/// Returns the status of a run.
fn status(spec: &LearnSpec, snapshot: &LearnSnapshot) -> Status {
    if let Some(row) = snapshot.trained.iter().find(|row| row.diverged) {
        let reason = format!("training on digit {} diverged; try smaller learning rates", row.digit);
        return Status { outcome: Outcome::NoResult, reason: Some(reason) };
    }
    let trained = snapshot.trained.iter().map(|row| (row.solves, row.unconverged));
    let tested = snapshot.tested.iter().map(|block| (block.solves, block.unconverged));
    let (solves, unconverged) = trained.chain(tested).fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    let fraction = unconverged as f64 / solves.max(1) as f64;
    if fraction <= MAX_UNCONVERGED {
        // For comparison with the time shown beside it.
        let reason = spec
            .is_of_the_paper()
            .then(|| "the paper reports 19 hours of CPU time for its networks".to_owned());
        return Status { reason, ..Status::CONVERGED };
    }
    let reason =
        format!("{:.0} % of the solves did not converge within {} passes", 100.0 * fraction, spec.max_passes);
    Status { outcome: Outcome::Partial, reason: Some(reason) }
}
