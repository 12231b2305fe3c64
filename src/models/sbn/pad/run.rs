//! The pad as the lab runs it. All of it is done in one slice, network by network.

use super::report;
use super::{Estimated, Pad, PadSnapshot, Pass, Row, Seen, figures};
use crate::data::{Facts, Store};
use crate::figure::Figure;
use crate::lab::{Budget, Checked, InputError, Meta, Outcome, Pixels, Plan, Prepared, Run, Status, Work};
use crate::math::random::{Purpose, Stream};
use crate::models::sbn::digits::prepare::{Bits, GREY, PIXELS};
use crate::models::sbn::digits::strokes;
use crate::models::sbn::ensemble::{Classifier, pattern};
use crate::models::sbn::learn::{Canvas, LEVELS, LearnSpec, samples};
use crate::models::sbn::network::importance::Importance;
use crate::models::sbn::network::inference::{Options, Solved, State};
use crate::models::sbn::network::packed::Packed;
use crate::models::sbn::pretrained;

/// Draws of the estimate of ln P.
const DRAWS: usize = 150;
/// Passes that are shown one by one.
const SHOWN_PASSES: usize = 10;
/// Images sampled from the network shown.
const DRAWN: usize = 12;
/// What is on the pad at first: a drawn digit, and its place among those.
const FIRST: (u8, u64) = (2, 3);

/// The image that the networks see, and its missing pixels.
pub fn image(spec: &LearnSpec) -> (Bits, Bits) {
    match (spec.canvas, &spec.drawing, &spec.ink) {
        (Canvas::Grid, Some(drawing), _) => {
            let which = |wanted: Option<u8>| {
                let pixels = drawing.values().iter().enumerate();
                pixels.filter(|(_, value)| **value == wanted).map(|(i, _)| 1 << i).sum()
            };
            (which(Some(1)), which(None))
        }
        (Canvas::Pen, _, Some(ink)) => {
            let grey: Vec<f64> = ink.shades().into_iter().map(f64::from).collect();
            (spec.preprocess.bits(&grey), 0)
        }
        (Canvas::Grid, None, _) => (spec.preprocess.bits(&example()), 0),
        (Canvas::Pen, _, None) => (spec.preprocess.bits(&inked(&example())), 0),
    }
}

/// The digit that is on the pad at first, 28×28 intensities.
pub fn example() -> Vec<f64> {
    strokes::draw(FIRST.0, &mut Stream::for_purpose(FIRST.1, Purpose::SbnPadExample, 0))
}

/// As the pen would have drawn it, in its grey levels.
fn inked(grey: &[f64]) -> Vec<f64> {
    let shades = grey.iter().map(|ink| *ink as f32);
    let pixels = Pixels::of_shades(GREY, LEVELS, shades);
    pixels.shades().into_iter().map(f64::from).collect()
}

impl Run for Pad {
    const META: Meta = Meta::companion("sbn.pad", "Classification of a drawing");
    type Spec = LearnSpec;
    type Snapshot = PadSnapshot;

    fn plan(_spec: &Checked<LearnSpec>, _facts: Option<&Facts>) -> Plan {
        Plan::of(1)
    }

    fn merge(parts: Vec<PadSnapshot>) -> PadSnapshot {
        PadSnapshot { seen: parts.into_iter().find_map(|part| part.seen) }
    }

    fn status(spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> Status {
        match &snapshot.seen {
            Some(seen) if !seen.rows[seen.best].converged => Status {
                outcome: Outcome::MaxIterations,
                reason: Some(format!(
                    "the mean field equations did not converge within {} passes",
                    spec.max_passes
                )),
            },
            _ => Status::CONVERGED,
        }
    }

    fn figures(spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> Vec<Figure> {
        figures::all(spec, snapshot.seen.as_ref())
    }

    fn report(_spec: &Checked<LearnSpec>, snapshot: &PadSnapshot) -> serde_json::Value {
        report::report(snapshot)
    }

    fn prepare(
        spec: &Checked<LearnSpec>,
        data: &Store,
        _before: Option<PadSnapshot>,
    ) -> Result<Prepared<PadSnapshot>, Vec<InputError>> {
        let (trained_on, networks) = spec.networks(data)?.unwrap_or_else(pretrained::classifier);
        let (image, missing) = image(spec);
        let spec = (**spec).clone();
        Ok(Box::new(PadWork { spec, networks, trained_on, image, missing, solved: Vec::new(), seen: None }))
    }
}

struct PadWork {
    spec: LearnSpec,
    networks: Classifier,
    trained_on: String,
    image: Bits,
    missing: Bits,
    /// One for each network so far.
    solved: Vec<Solved>,
    seen: Option<Seen>,
}

impl PadWork {
    /// All that is shown, once the bounds are there.
    fn look(&mut self, budget: &mut Budget) -> Seen {
        let (image, missing, options) = (self.image, self.missing, self.spec.options());
        let better = |best: usize, which: usize| {
            if self.solved[which].bound > self.solved[best].bound { which } else { best }
        };
        let best = (0..self.solved.len()).reduce(better).unwrap_or_default();
        let wanted = self.spec.look as u8;
        let looked = self.networks.digits.iter().position(|digit| *digit == wanted).unwrap_or(best);
        let seed = self.spec.seed;
        let drawn = |networks: &Classifier, which: usize, count: usize, held: &[f64]| {
            let all = samples(&networks.networks[which], seed, networks.digits[which], count, held);
            all.into_iter().map(|sample| sample.probabilities).collect::<Vec<_>>()
        };
        let rows = self.solved.iter().enumerate().map(|(which, solved)| Row {
            digit: self.networks.digits[which],
            bound: solved.bound,
            passes: solved.passes,
            converged: solved.converged,
            dream: drawn(&self.networks, which, 1, &[]).swap_remove(0),
        });
        let rows: Vec<Row> = rows.collect();
        let (packed, layers) =
            (self.networks.packed[best].clone(), self.networks.networks[best].layers.len());
        let (_, state) = self.networks.solve(best, image, missing, options);
        let mut mu: Vec<Vec<f64>> = (0..layers - 1).map(|l| state.means(&packed, l)).collect();
        let filled = state.filled(&packed).into_iter().map(|p| p as f32).collect();
        let pattern = pattern(image, missing);
        mu.push(pattern.visible.clone());
        let stream = Stream::for_purpose(seed, Purpose::SbnPadLikelihood, 0);
        let mut sampling = Importance::new(&self.networks.networks[best], &pattern, &mu, DRAWS, stream);
        sampling.step(&mut Budget::new(u64::MAX));
        let estimate =
            sampling.estimate().map_or(Estimated { ln_p: f64::NAN, se: f64::NAN, ess: 0.0, draws: 0 }, |e| {
                Estimated { ln_p: e.ln_p, se: e.se, ess: e.ess, draws: e.draws }
            });
        let shape = self.networks.packed[looked].clone();
        let hidden = self.networks.networks[looked].layers.len() - 1;
        let pass = |passes: usize| {
            let options = Options { tolerance: 0.0, passes };
            let (solved, state) = self.networks.solve(looked, image, missing, options);
            let all = |of: fn(&State, &Packed, usize) -> Vec<f64>| {
                (0..hidden).flat_map(|l| of(state, &shape, l)).map(|x| x as f32).collect()
            };
            Pass { mu: all(State::means), xi: all(State::xi), bound: solved.bound }
        };
        let passes = (1..=SHOWN_PASSES).map(pass).collect();
        let network = &self.networks.networks[looked];
        let parents = network.layers[hidden - 1];
        let weights = &network.weights[hidden - 1];
        let field = |k: usize| (0..PIXELS).map(|i| weights[i * parents + k] as f32).collect();
        let fields = (0..parents).map(field).collect();
        let all_passes =
            self.solved.iter().map(|one| one.passes).sum::<usize>() + SHOWN_PASSES * SHOWN_PASSES;
        budget.spend(self.networks.work(all_passes) + (DRAWS * 8000) as u64);
        Seen {
            image,
            missing,
            trained_on: self.trained_on.clone(),
            rows,
            best,
            looked,
            filled,
            estimate,
            passes,
            drawn: drawn(&self.networks, looked, DRAWN, &self.spec.clamp),
            fields,
        }
    }
}

impl Work for PadWork {
    type Snapshot = PadSnapshot;

    fn begin(&mut self, _unit: usize) {}

    fn step(&mut self, budget: &mut Budget) -> bool {
        let which = self.solved.len();
        if which < self.networks.packed.len() {
            let (solved, _) = self.networks.solve(which, self.image, self.missing, self.spec.options());
            budget.spend(self.networks.work(solved.passes));
            self.solved.push(solved);
            return false;
        }
        let seen = self.look(budget);
        self.seen = Some(seen);
        true
    }

    fn fraction(&self) -> f64 {
        self.solved.len() as f64 / (self.networks.packed.len() + 1) as f64
    }

    fn note(&self) -> String {
        "solving the mean field equations".to_owned()
    }

    fn shown(&self) -> bool {
        self.seen.is_some()
    }

    fn snapshot(&self) -> PadSnapshot {
        PadSnapshot { seen: self.seen.clone() }
    }
}
