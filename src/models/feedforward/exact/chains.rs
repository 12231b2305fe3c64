//! Independent Markov chains, each led from the prior to the posterior by a likelihood that grows (annealing).
//!
//! The posterior of a committee with little noise may fall into parts between which no chain moves. Chains that began
//! apart and agree have forgotten where they began, and count alike. Where they disagree each counts by the weight of its way
//! (annealed importance sampling, Neal 2001), which makes the average right for many chains, flattened where a few would be
//! all that counts. Either way the error bars are the scatter between chains.

use super::posterior::{Posterior, Tempered};
use super::prior_draws::{Fresh, vote};
use crate::math::chains;
use crate::math::hamiltonian::Chain;
use crate::math::random::Stream;

/// How many there are: the more draws, the more chains, so that more draws help whatever the posterior.
const FEWEST: usize = 16;
const MOST: usize = 512;
const DRAWS_EACH: usize = 64;
/// Moves while the likelihood grows, moves at most until every label is right where none may be wrong, and moves after that which
/// do not count.
const LEAD: usize = 40;
const WAIT: usize = 60;
const SETTLE: usize = 5;
/// The log odds of a right label that are as good as certainty on the way.
const CERTAIN: f64 = 12.0;
/// Chains whose means vary this many times more than their halves say do not agree: 1 is expected.
const DISAGREE: f64 = 3.0;

/// The chains, one after the other.
pub struct Chains {
    count: usize,
    draws: usize,
    /// Where to begin should hardly a chain arrive, and whether that is so.
    refuge: Option<Chain>,
    sheltered: bool,
    begun: usize,
    walk: Option<Walk>,
    arrived: Vec<Arrived>,
}

/// A chain under way.
struct Walk {
    chain: Chain,
    /// Moves done.
    moves: usize,
    ln_weight: f64,
    /// Moves at the end of the lead with some label still wrong.
    waited: usize,
    /// Draws wanted and counted.
    length: usize,
    counted: usize,
    /// Sums over the first and the second half.
    halves: [Vec<f64>; 2],
    squares: Vec<f64>,
    votes: Vec<f64>,
}

/// What a chain says.
struct Arrived {
    ln_weight: f64,
    mean: Vec<f64>,
    /// Half the difference between its halves.
    gap: Vec<f64>,
    /// ⟨w²⟩.
    square: Vec<f64>,
    /// Share of +1 at each fresh input.
    outputs: Vec<f64>,
}

/// Averages over all chains.
pub struct Averages {
    /// Posterior mean of each weight.
    pub mean: Vec<f64>,
    /// One standard error of each mean, from the scatter between chains.
    pub se: Vec<f64>,
    /// Mean output on each fresh example.
    pub outputs: Vec<f64>,
    /// Effective sample size.
    pub effective: f64,
    /// Whether the chains disagree.
    pub disagree: bool,
}

impl Chains {
    /// Chains of `draws` together; `refuge` is used if hardly any of them comes to weights that the labels allow.
    pub fn new(draws: usize, refuge: Option<Chain>) -> Self {
        let count = (draws / DRAWS_EACH).clamp(FEWEST, MOST);
        Self { count, draws, refuge, sheltered: false, begun: 0, walk: None, arrived: Vec::new() }
    }

    /// Draws counted so far.
    pub fn done(&self) -> usize {
        (0..self.begun).map(|c| self.length(c)).sum::<usize>()
            - self.walk.as_ref().map_or(0, |walk| walk.length - walk.counted)
    }

    /// Whether all chains have ended.
    pub fn ended(&self) -> bool {
        self.walk.is_none() && self.begun == self.count
    }

    /// Fraction of the moves done.
    pub fn fraction(&self) -> f64 {
        let walk =
            self.walk.as_ref().map_or(0.0, |w| w.moves as f64 / (LEAD + SETTLE + w.length) as f64 - 1.0);
        (self.begun as f64 + walk) / self.count as f64
    }

    fn length(&self, chain: usize) -> usize {
        self.draws * (chain + 1) / self.count - self.draws * chain / self.count
    }

    /// Goes on to the next vote that changes; how many multiply–adds that took.
    pub fn step(&mut self, posterior: &Posterior, fresh: &Fresh, stream: &mut Stream) -> usize {
        let mut walk = self.walk.take().unwrap_or_else(|| self.begin(posterior, fresh, stream));
        let mut cost = walk.chain.cost();
        if walk.chain.step(&walk.target(posterior), stream) {
            cost += walk.moved(posterior, fresh);
        }
        if walk.counted == walk.length {
            self.arrived.push(walk.arrived());
        } else if walk.ln_weight > f64::NEG_INFINITY {
            self.walk = Some(walk);
        }
        let few = self.ended() && 4 * self.arrived.len() < self.count;
        if few && self.refuge.is_some() && !self.sheltered {
            // Most have come where no weights can be: those that have not are a poor sample.
            (self.sheltered, self.begun) = (true, 0);
            self.arrived.clear();
        }
        cost
    }

    fn begin(&mut self, posterior: &Posterior, fresh: &Fresh, stream: &mut Stream) -> Walk {
        let length = self.length(self.begun);
        self.begun += 1;
        match self.refuge.as_ref().filter(|_| self.sheltered) {
            None => Walk::new(posterior, posterior.prior_chain(stream), length, fresh),
            Some(chain) => {
                Walk { moves: LEAD, ln_weight: 0.0, ..Walk::new(posterior, chain.clone(), length, fresh) }
            }
        }
    }

    /// The averages so far; `None` before two chains have arrived.
    pub fn averages(&self) -> Option<Averages> {
        let first = self.arrived.first().filter(|_| self.arrived.len() > 1)?;
        let count = self.arrived.len() as f64;
        let alike = vec![1.0 / count; self.arrived.len()];
        let even = self.weighted(first, &alike, false);
        let gaps: f64 = self.arrived.iter().flat_map(|chain| &chain.gap).map(|gap| gap * gap).sum();
        let spread = count * even.se.iter().map(|se| se * se).sum::<f64>();
        let disagree = count > 2.0 && spread > DISAGREE * gaps / count;
        if !disagree {
            return Some(even);
        }
        let ln_weights: Vec<f64> = self.arrived.iter().map(|chain| chain.ln_weight).collect();
        let power = chains::power(&ln_weights);
        let mut averages = self.weighted(first, &chains::flattened(&ln_weights, power), true);
        // What flattening the weights changes is not known either.
        let sharp = self.weighted(first, &chains::flattened(&ln_weights, 1.0), true);
        let certain: f64 = averages.se.iter().map(|se| se * se).sum();
        for (se, (flat, sharp)) in averages.se.iter_mut().zip(averages.mean.iter().zip(&sharp.mean)) {
            *se = libm::hypot(*se, flat - sharp);
        }
        averages.effective *= certain / averages.se.iter().map(|se| se * se).sum::<f64>();
        Some(averages)
    }

    /// Each chain counted by its weight; standard errors are those of a ratio of sums.
    fn weighted(&self, first: &Arrived, weights: &[f64], disagree: bool) -> Averages {
        let average = |pick: fn(&Arrived) -> &Vec<f64>, length: usize| -> Vec<f64> {
            let mut sum = vec![0.0; length];
            for (chain, weight) in self.arrived.iter().zip(weights) {
                sum.iter_mut().zip(pick(chain)).for_each(|(sum, x)| *sum += weight * x);
            }
            sum
        };
        let mean = average(|chain| &chain.mean, first.mean.len());
        let square = average(|chain| &chain.square, first.mean.len());
        let count = weights.len() as f64;
        let mut errors = vec![0.0; mean.len()];
        for (chain, weight) in self.arrived.iter().zip(weights) {
            for (error, (x, mean)) in errors.iter_mut().zip(chain.mean.iter().zip(&mean)) {
                *error += (weight * (x - mean)).powi(2) * count / (count - 1.0);
            }
        }
        let plain: f64 = square.iter().zip(&mean).map(|(square, mean)| (square - mean * mean).max(0.0)).sum();
        let correlated: f64 = errors.iter().sum();
        Averages {
            se: errors.iter().map(|error| error.sqrt()).collect(),
            outputs: average(|chain| &chain.outputs, first.outputs.len()),
            effective: if correlated > 0.0 { plain / correlated } else { f64::NAN },
            disagree,
            mean,
        }
    }
}

impl Walk {
    fn new(posterior: &Posterior, chain: Chain, length: usize, fresh: &Fresh) -> Self {
        let inputs = chain.weights().len();
        let mut walk = Self {
            chain,
            moves: 0,
            ln_weight: 0.0,
            waited: 0,
            length,
            counted: 0,
            halves: [vec![0.0; inputs], vec![0.0; inputs]],
            squares: vec![0.0; inputs],
            votes: vec![0.0; fresh.count()],
        };
        // From the prior to the first likelihood.
        walk.ln_weight = walk.chain.ln_likelihood(&walk.target(posterior));
        walk
    }

    /// What the present move samples.
    fn target<'a>(&self, posterior: &'a Posterior) -> Tempered<'a> {
        let way = (self.moves + 1) as f64 / LEAD as f64;
        let full = posterior.log_odds();
        posterior.tempered(if self.moves < LEAD { full.min(CERTAIN) * way * way } else { full })
    }

    /// A move has ended; how many multiply–adds it took to look at it.
    fn moved(&mut self, posterior: &Posterior, fresh: &Fresh) -> usize {
        let before = self.chain.ln_likelihood(&self.target(posterior));
        if self.moves + 1 == LEAD && self.waited < WAIT && !self.chain.possible(posterior) {
            self.waited += 1;
            return 0;
        }
        self.moves += 1;
        if self.moves <= LEAD {
            self.ln_weight += self.chain.ln_likelihood(&self.target(posterior)) - before;
        }
        if self.moves <= LEAD + SETTLE {
            return 0;
        }
        let mut w = self.chain.weights();
        posterior.colour_weights(&mut w);
        let half = usize::from(2 * self.counted >= self.length);
        self.counted += 1;
        for (j, w) in w.iter().enumerate() {
            self.halves[half][j] += w;
            self.squares[j] += w * w;
        }
        vote(fresh, &w, 1.0, &mut self.votes);
        fresh.cost()
    }

    fn arrived(self) -> Arrived {
        let length = self.length as f64;
        let sizes = [self.length.div_ceil(2) as f64, (self.length / 2).max(1) as f64];
        let [first, second] = &self.halves;
        let pairs = || first.iter().zip(second);
        Arrived {
            ln_weight: self.ln_weight,
            mean: pairs().map(|(a, b)| (a + b) / length).collect(),
            gap: pairs().map(|(a, b)| 0.5 * (a / sizes[0] - b / sizes[1])).collect(),
            square: self.squares.iter().map(|sum| sum / length).collect(),
            outputs: self.votes.iter().map(|sum| sum / length).collect(),
        }
    }
}
