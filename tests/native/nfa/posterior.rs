//! The exact posterior density of sources and weights, and Markov chains that sample it.

use meanfield::lab::Link;
use meanfield::math::Budget;
use meanfield::math::hmc::Density;
use meanfield::math::random::Stream;
use meanfield::models::nfa::fit::FactorFit;
use meanfield::models::nfa::simulated::helix;
use meanfield::models::nfa::solver::learning::{Options, UpdateRule};
use meanfield::models::nfa::solver::moments::Moments;
use meanfield::models::nfa::solver::posterior::JointPosterior;

use meanfield::models::task;

use crate::common::assert::near;
use crate::common::whole;

fn fit(samples: usize, holes: bool) -> FactorFit {
    let mut rows = helix(samples, 3).rows;
    if holes {
        rows.iter_mut().step_by(4).for_each(|row| row[1] = f64::NAN);
    }
    let options = Options {
        sources: 1,
        hidden: 6,
        components: 1,
        sweeps: 150,
        mixture_sweeps: 0,
        moments: Moments::Taylor,
        updates: UpdateRule::Block,
        weight_sd: 3.0,
    };
    let mut fit = FactorFit::new(&rows, options, Stream::of(1, 0));
    while !fit.advance(&mut Budget::slice()) {}
    fit
}

#[test]
fn its_gradient_agrees_with_finite_differences() {
    for holes in [false, true] {
        let fit = fit(21, holes);
        let (state, observations) = (fit.learning().state(), fit.learning().observations());
        let posterior = JointPosterior::new(state, observations);
        let mut x = JointPosterior::means(state);
        assert_eq!(x.len(), JointPosterior::dimension(21, 1, 6, 3));
        let mut stream = Stream::of(2, 0);
        for x in &mut x {
            *x += 0.1 * stream.normal();
        }
        let at = |x: &[f64]| posterior.ln_density(x, &mut vec![0.0; x.len()]);
        let mut gradient = vec![0.0; x.len()];
        posterior.ln_density(&x, &mut gradient);
        for i in 0..x.len() {
            let moved = |h: f64| {
                let mut moved = x.clone();
                moved[i] += h;
                at(&moved)
            };
            let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
            near(gradient[i], slope, 1e-5, &format!("number {i}, holes {holes}"));
        }
    }
}

/// The factorial posterior assumes independent sources and weights: its error bars are too short.
#[test]
fn chains_accept_their_moves_and_find_wider_error_bars() {
    let task = task("nfa").unwrap();
    let raw = Link::parse("#/nfa?samples=60&hidden=6&sweeps=300&hmc=400&restarts=1").raw;
    let report = whole(task, &raw).report();
    let of = |key: &str| report["hmc"][key].as_f64().unwrap();
    let ratio = of("sd_ratio");
    assert!(of("accepted") > 0.6 && of("divergent") < 20.0, "{}", report["hmc"]);
    assert!((0.2..1.0).contains(&ratio), "{}", report["hmc"]);
}
