//! Mixtures of products of independent binary pixels, fitted by EM; one mixture per class, as in section 3 of SJ98.

use serde::{Deserialize, Serialize};

use crate::math::lanes::{LANES, Lanes, SimdKernel, dispatch_simd, exp_lanes, map};
use crate::math::random::Stream;
use crate::sbn::digits::preprocessing::{Bits, PIXELS, is_on};

/// Pseudo-count of each pixel value in the M step.
const PSEUDO_COUNT: f64 = 0.1;

/// A mixture of products of Bernoulli distributions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mixture {
    /// Probability of each component.
    pub share: Vec<f64>,
    /// Probability of each pixel to be 1 in each component, `ones[c·PIXELS + i]` for pixel i of component c.
    pub ones: Vec<f64>,
}

impl Mixture {
    /// Creates an initial mixture with a random training image per component: probability .75 for pixels that are on, .25 for
    /// others.
    pub fn initial(images: &[Bits], components: usize, stream: &mut Stream) -> Self {
        let mut ones = Vec::with_capacity(components * PIXELS);
        for _ in 0..components {
            let image = images[(stream.uniform() * images.len() as f64) as usize];
            ones.extend((0..PIXELS).map(|i| if is_on(image, i) { 0.75 } else { 0.25 }));
        }
        Self { share: vec![1.0 / components as f64; components], ones }
    }

    /// Returns the lookup tables for the log probability of images.
    pub fn scorer(&self) -> Scorer {
        Scorer::new(self)
    }
}

/// An EM step in progress, image by image.
#[derive(Clone, Debug)]
pub struct EmStep {
    scorer: Scorer,
    /// Expected number of images of each component.
    count: Vec<Lanes>,
    /// Expected number of images with pixel i on, `on[i·blocks + b]` for the components of block b.
    on: Vec<Lanes>,
    /// Number of images so far.
    images: usize,
    /// Sum of ln P of the images so far.
    ln_p: f64,
}

impl EmStep {
    /// Begins a step at `mixture`.
    pub fn new(mixture: &Mixture) -> Self {
        let scorer = mixture.scorer();
        let blocks = scorer.blocks;
        let empty = |n: usize| vec![[0.0; LANES]; n];
        Self { count: empty(blocks), on: empty(PIXELS * blocks), scorer, images: 0, ln_p: 0.0 }
    }

    /// Adds the responsibilities of an image.
    pub fn add(&mut self, image: Bits) {
        dispatch_simd(AddKernel { step: self, image });
    }

    /// Returns the updated mixture, and the mean of ln P of an image under the previous mixture.
    pub fn end(&self, components: usize) -> (Mixture, f64) {
        let total = self.images as f64;
        let count = |c: usize| self.count[c / LANES][c % LANES];
        let blocks = self.scorer.blocks;
        let on = |c: usize, i: usize| self.on[i * blocks + c / LANES][c % LANES];
        let pixel = |c: usize, i: usize| (on(c, i) + PSEUDO_COUNT) / (count(c) + 2.0 * PSEUDO_COUNT);
        let mixture = Mixture {
            share: (0..components).map(|c| count(c) / total).collect(),
            ones: (0..components).flat_map(|c| (0..PIXELS).map(move |i| pixel(c, i))).collect(),
        };
        (mixture, self.ln_p / total)
    }
}

/// Lookup tables for the log probability of images, one component per lane.
#[derive(Clone, Debug)]
pub struct Scorer {
    blocks: usize,
    /// ln share + Σ_i ln(1 − p_i) of each component.
    base: Vec<Lanes>,
    /// ln p/(1 − p) of pixel i, at i·blocks + b.
    odds: Vec<Lanes>,
    /// ln(1 − p) of pixel i, at i·blocks + b.
    off: Vec<Lanes>,
    /// Posterior probability of each component for the last image.
    parts: Vec<Lanes>,
}

impl Scorer {
    /// Computes the tables of a mixture.
    fn new(mixture: &Mixture) -> Self {
        let components = mixture.share.len();
        let blocks = components.div_ceil(LANES);
        // Padding components have probability 0.
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

    /// Returns ln P of an image, summed over the pixels in `missing`.
    pub fn ln_p(&mut self, image: Bits, missing: Bits) -> f64 {
        dispatch_simd(ScoreKernel { scorer: self, image, missing })
    }
}

/// Computes ln P of an image and the posterior of its component.
struct ScoreKernel<'a> {
    scorer: &'a mut Scorer,
    image: Bits,
    missing: Bits,
}

impl SimdKernel for ScoreKernel<'_> {
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
        let largest =
            scorer.parts.iter().flatten().fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        let mut sum = [0.0; LANES];
        for part in &mut scorer.parts {
            *part = exp_lanes(map(*part, |x| x - largest));
            for lane in 0..LANES {
                sum[lane] += part[lane];
            }
        }
        let sum = crate::math::lanes::sum(sum);
        for part in &mut scorer.parts {
            *part = map(*part, |p| p / sum);
        }
        largest + libm::log(sum)
    }
}

/// Adds the responsibilities of an image to an EM step.
struct AddKernel<'a> {
    step: &'a mut EmStep,
    image: Bits,
}

impl SimdKernel for AddKernel<'_> {
    type Output = ();
    #[inline(always)]
    fn run(self) {
        let Self { step, image } = self;
        step.ln_p += ScoreKernel { scorer: &mut step.scorer, image, missing: 0 }.run();
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
