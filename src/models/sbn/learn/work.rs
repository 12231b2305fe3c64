//! The work: one network, one mixture or one block of test images per unit.

use std::rc::Rc;

use super::LearnSnapshot;
use super::mixture_fit::MixtureFit;
use super::testing::{BlockTest, Classifiers};
use super::training::NetworkTraining;
use crate::data::Artefact;
use crate::lab::{Budget, Work};
use crate::models::sbn::digits::source::DigitSource;
use crate::models::sbn::spec::LearnSpec;

/// The work of one worker.
pub(super) struct LearnWork {
    spec: LearnSpec,
    source: DigitSource,
    /// Results of the first stage, in the second.
    before: Option<LearnSnapshot>,
    /// The classifiers, in the second stage, if no training has diverged.
    classifiers: Option<Classifiers>,
    unit: ActiveUnit,
    /// Results of the finished units.
    done: LearnSnapshot,
    artefacts: Vec<Artefact>,
}

impl LearnWork {
    /// Creates the work; `before` and `classifiers` belong to the second stage.
    pub(super) fn new(
        spec: &LearnSpec,
        source: DigitSource,
        before: Option<LearnSnapshot>,
        classifiers: Option<Classifiers>,
    ) -> Self {
        let (unit, done, artefacts) = (ActiveUnit::None, LearnSnapshot::default(), Vec::new());
        Self { spec: spec.clone(), source, before, classifiers, unit, done, artefacts }
    }
}

/// The current unit.
enum ActiveUnit {
    None,
    Training(NetworkTraining),
    Mixture(MixtureFit),
    Test(BlockTest),
}

impl ActiveUnit {
    /// Adds the results of the unit to a snapshot.
    fn add_to(&self, snapshot: &mut LearnSnapshot) {
        match self {
            Self::None => {}
            Self::Training(training) => snapshot.trained.push(Rc::new(training.row().clone())),
            Self::Mixture(fit) => snapshot.mixtures.push(Rc::new(fit.row().clone())),
            Self::Test(test) => snapshot.tested.push(test.row().clone()),
        }
    }
}

impl Work for LearnWork {
    type Snapshot = LearnSnapshot;

    fn begin(&mut self, unit: usize) {
        let digits = self.spec.trained_digits();
        let mixtures = if self.spec.baselines.mixture() { digits.len() } else { 0 };
        let (spec, source) = (&self.spec, &self.source);
        self.unit = if let Some(digit) = digits.get(unit) {
            ActiveUnit::Training(NetworkTraining::new(spec, source, *digit))
        } else if unit < digits.len() + mixtures {
            ActiveUnit::Mixture(MixtureFit::new(spec, source, digits[unit - digits.len()]))
        } else {
            let block = unit - digits.len() - mixtures;
            if block == 0 {
                let trained = self.before.as_ref().and_then(|before| before.ensemble(spec));
                self.artefacts.extend(trained.map(|ensemble| ensemble.artefact()));
            }
            ActiveUnit::Test(BlockTest::new(spec, source, block))
        };
    }

    fn step(&mut self, budget: &mut Budget) -> bool {
        let (spec, source) = (&self.spec, &self.source);
        let done = match (&mut self.unit, &mut self.classifiers) {
            (ActiveUnit::Training(training), _) => training.step(spec, source, budget),
            (ActiveUnit::Mixture(fit), _) => fit.step(source, budget),
            (ActiveUnit::Test(test), Some(classifiers)) => test.step(spec, source, classifiers, budget),
            // Nothing is classified if a training has diverged.
            (ActiveUnit::Test(_), None) | (ActiveUnit::None, _) => true,
        };
        if done {
            std::mem::replace(&mut self.unit, ActiveUnit::None).add_to(&mut self.done);
        }
        done
    }

    fn fraction(&self) -> f64 {
        match &self.unit {
            ActiveUnit::None => 0.0,
            ActiveUnit::Training(training) => training.fraction(),
            ActiveUnit::Mixture(fit) => fit.fraction(),
            ActiveUnit::Test(test) => test.fraction(),
        }
    }

    fn note(&self) -> String {
        match &self.unit {
            ActiveUnit::None => "preparing".to_owned(),
            ActiveUnit::Training(training) => {
                let row = training.row();
                format!("digit {}, epoch {}", row.digit, row.bounds.len() + 1)
            }
            ActiveUnit::Mixture(fit) => format!("mixture of digit {}", fit.row().digit),
            ActiveUnit::Test(_) => "classifying test images".to_owned(),
        }
    }

    fn snapshot(&self) -> LearnSnapshot {
        let mut snapshot = self.done.clone();
        self.unit.add_to(&mut snapshot);
        snapshot
    }

    fn take_artefacts(&mut self) -> Vec<Artefact> {
        std::mem::take(&mut self.artefacts)
    }
}
