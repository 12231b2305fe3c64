//! k-nearest-neighbour classification by the number of different pixels.

use crate::math::lanes::{SimdKernel, dispatch_simd};
use crate::sbn::digits::preprocessing::{Bits, PIXELS};

/// Numbers of neighbours k in the paper.
pub const NEIGHBOUR_COUNTS: [usize; 5] = [1, 3, 5, 7, 9];
/// Largest number of neighbours.
const MAX_NEIGHBOURS: usize = 9;

/// Training images with their classes.
#[derive(Clone, Debug)]
pub struct Neighbours {
    images: Vec<Bits>,
    labels: Vec<u8>,
    classes: usize,
}

impl Neighbours {
    /// Creates a classifier. Of training images at the same distance, the earlier one counts as nearer.
    pub fn new(images: Vec<Bits>, labels: Vec<u8>) -> Self {
        let classes = labels.iter().max().map_or(0, |largest| usize::from(*largest) + 1);
        Self { images, labels, classes }
    }

    /// Returns the number of training images.
    pub fn count(&self) -> usize {
        self.images.len()
    }

    /// Returns the class with most votes among the k nearest training images, for each k of [`NEIGHBOUR_COUNTS`].
    ///
    /// Ties are broken by the smaller sum of distances, then by the smaller class. Pixels in `missing` are not compared.
    pub fn classify(&self, image: Bits, missing: Bits) -> [u8; 5] {
        let nearest = dispatch_simd(NearestKernel { images: &self.images, image, known: !missing });
        NEIGHBOUR_COUNTS.map(|k| {
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

/// Finds the nearest training images.
struct NearestKernel<'a> {
    images: &'a [Bits],
    image: Bits,
    known: Bits,
}

impl SimdKernel for NearestKernel<'_> {
    /// Distances and indices of the nearest images, in order of distance.
    type Output = [(usize, usize); MAX_NEIGHBOURS];
    #[inline(always)]
    fn run(self) -> Self::Output {
        let mut nearest = [(usize::MAX, 0); MAX_NEIGHBOURS];
        for (at, other) in self.images.iter().enumerate() {
            let distance = ((self.image ^ other) & self.known).count_ones() as usize;
            if distance < nearest[MAX_NEIGHBOURS - 1].0 {
                let rank = nearest.iter().position(|(d, _)| distance < *d).unwrap_or(MAX_NEIGHBOURS - 1);
                nearest.copy_within(rank..MAX_NEIGHBOURS - 1, rank + 1);
                nearest[rank] = (distance, at);
            }
        }
        nearest
    }
}
