//! The k nearest training images by the number of pixels that differ.

use crate::math::lanes::{SimdKernel, dispatch_simd};
use crate::sbn::digits::prepare::{Bits, PIXELS};

/// The numbers of neighbours that the paper lists.
pub const PAPER: [usize; 5] = [1, 3, 5, 7, 9];
/// The most of them.
const MOST: usize = 9;

/// Images with their classes.
#[derive(Clone, Debug)]
pub struct Neighbours {
    images: Vec<Bits>,
    labels: Vec<u8>,
    classes: usize,
}

impl Neighbours {
    /// Of these training images; of equally near ones, the earlier is nearer.
    pub fn new(images: Vec<Bits>, labels: Vec<u8>) -> Self {
        let classes = labels.iter().max().map_or(0, |most| usize::from(*most) + 1);
        Self { images, labels, classes }
    }

    /// How many training images there are.
    pub fn count(&self) -> usize {
        self.images.len()
    }

    /// The class of an image by the votes of its k nearest, for each k of [`PAPER`]; of classes with as many votes, that with the
    /// smallest sum of distances, and then the smaller class. Pixels in `missing` are not compared.
    pub fn classify(&self, image: Bits, missing: Bits) -> [u8; 5] {
        let nearest = dispatch_simd(Nearest { images: &self.images, image, known: !missing });
        PAPER.map(|k| {
            let mut votes = vec![(0_usize, 0_usize); self.classes];
            for (distance, at) in nearest.iter().take(k).filter(|(distance, _)| *distance <= PIXELS) {
                let vote = &mut votes[usize::from(self.labels[*at])];
                *vote = (vote.0 + 1, vote.1 + distance);
            }
            let better = |a: (usize, usize), b: (usize, usize)| a.0 > b.0 || a.0 == b.0 && a.1 < b.1;
            (1..self.classes).fold(0, |best, c| if better(votes[c], votes[best]) { c } else { best }) as u8
        })
    }
}

struct Nearest<'a> {
    images: &'a [Bits],
    image: Bits,
    known: Bits,
}

impl SimdKernel for Nearest<'_> {
    /// Distances and places of the nearest, in their order.
    type Output = [(usize, usize); MOST];
    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut nearest = [(usize::MAX, 0); MOST];
        for (at, other) in self.images.iter().enumerate() {
            let distance = ((self.image ^ other) & self.known).count_ones() as usize;
            if distance < nearest[MOST - 1].0 {
                let place = nearest.iter().position(|(d, _)| distance < *d).unwrap_or(MOST - 1);
                nearest.copy_within(place..MOST - 1, place + 1);
                nearest[place] = (distance, at);
            }
        }
        nearest
    }
}
