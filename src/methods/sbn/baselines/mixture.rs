//! Mixtures of products of independent binary pixels, trained by EM: one mixture a class, as in section 3 of the paper.

use serde::{Deserialize, Serialize};

use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, exp_lanes, map};
use crate::math::random::Stream;
use crate::sbn::digits::prepare::{Bits, PIXELS, is_on};

/// Pseudo-counts of each kind of pixel in the M step.
const PRIOR: f64 = 0.1;

/// A mixture of `components` products.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    /// Probability of each component.
    pub share: Vec<f64>,
    /// Probability of each pixel to be 1 in each component, `ones[c·PIXELS + i]`.
    pub ones: Vec<f64>,
}

impl Mixture {
    /// Components that begin at .25 + half of a training image each, drawn at random.
    pub fn initial(images: &[Bits], components: usize, stream: &mut Stream) -> Self {
        let mut ones = Vec::with_capacity(components * PIXELS);
        for _ in 0..components {
            let image = images[(stream.uniform() * images.len() as f64) as usize];
            ones.extend((0..PIXELS).map(|i| if is_on(image, i) { 0.75 } else { 0.25 }));
        }
        Self { share: vec![1.0 / components as f64; components], ones }
    }

    /// Tables for the probability of images.
    pub fn scorer(&self) -> Scorer {
        Scorer::new(self)
    }
}

/// One step of EM, image by image.
#[derive(Clone, Debug)]
pub struct Step {
    scorer: Scorer,
    /// Expected images of each component, and among these with pixel i on, `on[i·blocks + b]`.
    count: Vec<Lanes>,
    on: Vec<Lanes>,
    images: usize,
    ln_p: f64,
}

impl Step {
    /// Begins at `mixture`.
    pub fn new(mixture: &Mixture) -> Self {
        let scorer = mixture.scorer();
        let blocks = scorer.blocks;
        let empty = |n: usize| vec![[0.0; LANES]; n];
        Self { count: empty(blocks), on: empty(PIXELS * blocks), scorer, images: 0, ln_p: 0.0 }
    }

    /// Takes an image into account.
    pub fn add(&mut self, image: Bits) {
        dispatch_simd(Add { step: self, image });
    }

    /// The mixture that makes the expected counts likeliest, and the mean of ln P of an image under the one before.
    pub fn end(&self, components: usize) -> (Mixture, f64) {
        let total = self.images as f64;
        let count = |c: usize| self.count[c / LANES][c % LANES];
        let blocks = self.scorer.blocks;
        let on = |c: usize, i: usize| self.on[i * blocks + c / LANES][c % LANES];
        let pixel = |c: usize, i: usize| (on(c, i) + PRIOR) / (count(c) + 2.0 * PRIOR);
        let mixture = Mixture {
            share: (0..components).map(|c| count(c) / total).collect(),
            ones: (0..components).flat_map(|c| (0..PIXELS).map(move |i| pixel(c, i))).collect(),
        };
        (mixture, self.ln_p / total)
    }
}

/// Log probabilities of a mixture, components side by side.
#[derive(Clone, Debug)]
pub struct Scorer {
    blocks: usize,
    /// ln share + Σ ln(1 − p) of each component.
    base: Vec<Lanes>,
    /// ln p/(1 − p) of pixel i at i·blocks + b.
    odds: Vec<Lanes>,
    /// ln(1 − p), likewise.
    off: Vec<Lanes>,
    /// ln of each component's part of the last image's probability.
    parts: Vec<Lanes>,
}

impl Scorer {
    fn new(mixture: &Mixture) -> Self {
        let components = mixture.share.len();
        let blocks = components.div_ceil(LANES);
        // Components that fill up the last block are impossible.
        let mut base = vec![[f64::NEG_INFINITY; LANES]; blocks];
        let mut odds = vec![[0.0; LANES]; PIXELS * blocks];
        let mut off = odds.clone();
        for c in 0..components {
            let mut sum = libm::log(mixture.share[c]);
            for i in 0..PIXELS {
                let p = mixture.ones[c * PIXELS + i];
                odds[i * blocks + c / LANES][c % LANES] = libm::log(p / (1.0 - p));
                off[i * blocks + c / LANES][c % LANES] = libm::log1p(-p);
                sum += libm::log1p(-p);
            }
            base[c / LANES][c % LANES] = sum;
        }
        Self { blocks, parts: base.clone(), base, odds, off }
    }

    /// ln P of an image whose pixels in `missing` are not known.
    pub fn ln_p(&mut self, image: Bits, missing: Bits) -> f64 {
        dispatch_simd(Score { scorer: self, image, missing })
    }
}

struct Score<'a> {
    scorer: &'a mut Scorer,
    image: Bits,
    missing: Bits,
}

impl SimdKernel for Score<'_> {
    type Output = f64;
    #[inline(always)]
    fn run(self) -> f64 {
        let Self { scorer, image, missing } = self;
        scorer.parts.copy_from_slice(&scorer.base);
        let add = |parts: &mut [Lanes], table: &[Lanes], mut which: Bits, sign: f64| {
            while which != 0 {
                let i = which.trailing_zeros() as usize;
                which &= which - 1;
                let row = &table[i * parts.len()..];
                for (part, row) in parts.iter_mut().zip(row) {
                    for lane in 0..LANES {
                        part[lane] += sign * row[lane];
                    }
                }
            }
        };
        add(&mut scorer.parts, &scorer.odds, image & !missing, 1.0);
        if missing != 0 {
            add(&mut scorer.parts, &scorer.off, missing, -1.0);
        }
        let most = scorer.parts.iter().flatten().fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        let mut sum = [0.0; LANES];
        for part in &mut scorer.parts {
            *part = exp_lanes(map(*part, |x| x - most));
            for lane in 0..LANES {
                sum[lane] += part[lane];
            }
        }
        let sum = crate::math::lanes::sum(sum);
        for part in &mut scorer.parts {
            *part = map(*part, |p| p / sum);
        }
        most + libm::log(sum)
    }
}

struct Add<'a> {
    step: &'a mut Step,
    image: Bits,
}

impl SimdKernel for Add<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { step, image } = self;
        step.ln_p += Score { scorer: &mut step.scorer, image, missing: 0 }.run();
        step.images += 1;
        let add = |to: &mut [Lanes], parts: &[Lanes]| {
            for (sum, part) in to.iter_mut().zip(parts) {
                for lane in 0..LANES {
                    sum[lane] += part[lane];
                }
            }
        };
        add(&mut step.count, &step.scorer.parts);
        let mut on = image;
        while on != 0 {
            let i = on.trailing_zeros() as usize;
            on &= on - 1;
            let blocks = step.scorer.blocks;
            add(&mut step.on[i * blocks..(i + 1) * blocks], &step.scorer.parts);
        }
    }
}
