//! Times every kernel, after a check of its answer: `scripts/bench`, or for some of them
//! `cargo bench -p meanfield-benches --features criterion gp/`.
#![allow(missing_docs, reason = "criterion's macros")]

use criterion::{Criterion, criterion_group, criterion_main};
use meanfield_benches::{Case, cases};

fn kernels(criterion: &mut Criterion) {
    for Case { name, samples, prepare, .. } in cases() {
        // Criterion calls the closure below several times, and not at all for a kernel that is filtered out.
        let (mut prepare, mut kernel) = (Some(prepare), None);
        let mut group = criterion.benchmark_group("kernels");
        group.sample_size(samples).bench_function(name, |bencher| {
            if let Some(prepare) = prepare.take() {
                kernel = Some(prepare());
            }
            if let Some(kernel) = &mut kernel {
                bencher.iter_custom(kernel);
            }
        });
    }
}

criterion_group!(benches, kernels);
criterion_main!(benches);
