//! Averages over Gaussian weights against numbers that were computed independently (`tests/data/mlp.json`), and derivatives
//! against finite differences.

use meanfield::models::mlp::solver::correlation::{SingleAverages, pair_averages};
use meanfield::models::mlp::solver::examples::ExampleBlocks;
use meanfield::models::mlp::solver::expectation::{expected_error, predictions};
use meanfield::models::mlp::solver::gaussian::{WeightCovariance, WeightGaussian};
use meanfield::models::mlp::solver::network::{NetworkShape, error, hessian, outputs};
use serde_json::Value;

use crate::common::assert::{TIGHT, all_near, near};
use crate::common::oracle::{self, number, numbers, rows};

#[test]
fn the_one_integral() {
    let reference = &oracle::mlp()["G00"];
    let of = |key: &str| numbers(&reference[key]);
    let (h, k, r, expected) = (of("h"), of("k"), of("r"), of("E"));
    for i in 0..h.len() {
        // Activations with p = 4 and q = 9.
        let (a, b) =
            (SingleAverages::new([2.0 * h[i]; 8], [3.0; 8]), SingleAverages::new([3.0 * k[i]; 8], [8.0; 8]));
        let g = pair_averages(&a, &b, [6.0 * r[i]; 8]);
        assert!((g[0][0][5] - expected[i]).abs() < 1e-13, "{i}: {} {}", g[0][0][5], expected[i]);
    }
}

#[test]
fn all_averages() {
    for check in oracle::mlp()["G"].as_array().unwrap() {
        let of = |key: &str| [number(&check[key]); 8];
        let g = pair_averages(
            &SingleAverages::new(of("mu"), of("S")),
            &SingleAverages::new(of("nu"), of("T")),
            of("rho"),
        );
        for (name, value) in check["G"].as_object().unwrap() {
            let digit = |i: usize| usize::from(name.as_bytes()[i] - b'0');
            near(g[digit(0)][digit(1)][2], number(value), TIGHT, &format!("G{name} of {check}"));
        }
    }
}

/// Returns a network of the oracle: shape, examples, Gaussian.
pub fn network(net: &Value) -> (NetworkShape, ExampleBlocks, WeightGaussian) {
    let size = |key: &str| net[key].as_u64().unwrap() as usize;
    let shape = NetworkShape { hidden: size("H"), inputs: size("d") };
    let k = shape.weights();
    let examples = ExampleBlocks::new(&numbers(&net["X"]), shape.inputs, &numbers(&net["t"]));
    let variances = || numbers(&net["dvec"]).iter().map(|sd| sd * sd).collect();
    let covariance = match net["kind"].as_str().unwrap() {
        "diag" => WeightCovariance::Diagonal(variances()),
        "factor" => WeightCovariance::Factor { variances: variances(), factors: numbers(&net["S"]) },
        _ => {
            let l = rows(&net["chol"]);
            let at = |i: usize, j: usize| (0..k).map(|n| l[i][n] * l[j][n]).sum::<f64>();
            WeightCovariance::Full((0..k * k).map(|e| at(e / k, e % k)).collect())
        }
    };
    (shape, examples, WeightGaussian { mean: numbers(&net["m"]), covariance })
}

#[test]
fn networks() {
    for net in oracle::mlp()["nets"].as_array().unwrap() {
        let name = net["name"].as_str().unwrap();
        let (shape, examples, q) = network(net);
        let k = shape.weights();
        let full = WeightGaussian { mean: q.mean.clone(), covariance: WeightCovariance::Full(q.matrix()) };
        let from_full = expected_error(shape, &full, &examples);
        for (form, ours) in [("its form", expected_error(shape, &q, &examples)), ("full", from_full.clone())]
        {
            let what = |key: &str| format!("{name} as {form}: {key}");
            near(ours.value, number(&net["mean_ED"]), TIGHT, &what("mean_ED"));
            all_near(&ours.by_mean, &numbers(&net["dED_dm"]), TIGHT, &what("dED_dm"));
        }
        let diagonal: Vec<f64> = (0..k).map(|i| from_full.by_covariance[i * k + i]).collect();
        all_near(&diagonal, &numbers(&net["dED_dC_diag"]), TIGHT, &format!("{name}: dED_dC_diag"));
        let size = from_full.by_covariance.iter().map(|x| x * x).sum::<f64>().sqrt();
        near(size, number(&net["dED_dC_fro"]), TIGHT, &format!("{name}: dED_dC_fro"));
        near(0.5 * q.mean_square(), number(&net["half_mean_w2"]), TIGHT, name);
        let checks = [
            (examples, "f", "f2"),
            (ExampleBlocks::unlabelled(&numbers(&net["Xstar"]), shape.inputs), "f_star", "f2_star"),
        ];
        for (at, f, f2) in checks {
            for q in [&q, &full] {
                let ours = predictions(shape, q, &at);
                let means: Vec<f64> = ours.iter().map(|(mean, _)| *mean).collect();
                let squares: Vec<f64> = ours.iter().map(|(mean, var)| var + mean * mean).collect();
                all_near(&means, &numbers(&net[f]), TIGHT, &format!("{name}: {f}"));
                all_near(&squares, &numbers(&net[f2]), TIGHT, &format!("{name}: {f2}"));
            }
        }
    }
}

#[test]
fn the_error_and_its_curvature() {
    for net in oracle::mlp()["nets"].as_array().unwrap() {
        let (name, theirs) = (net["name"].as_str().unwrap(), &net["laplace_at_m"]);
        let (shape, examples, WeightGaussian { mean, .. }) = network(net);
        let (alpha, beta, k) = (number(&net["alpha"]), number(&net["beta"]), shape.weights());
        let (value, slope) = error(shape, &mean, &examples);
        let square: f64 = mean.iter().map(|w| w * w).sum();
        near(beta * value + 0.5 * alpha * square, number(&theirs["M"]), TIGHT, &format!("{name}: M"));
        let slope: Vec<f64> = slope.iter().zip(&mean).map(|(g, w)| beta * g + alpha * w).collect();
        all_near(&slope, &numbers(&theirs["grad"]), TIGHT, &format!("{name}: grad"));
        let norm = |gauss_newton: bool| {
            let mut h = hessian(shape, &mean, &examples, gauss_newton);
            for h in &mut h {
                *h *= beta;
            }
            for i in 0..k {
                h[i * k + i] += alpha;
            }
            (h.iter().map(|x| x * x).sum::<f64>().sqrt(), (0..k).map(|i| h[i * k + i]).collect::<Vec<_>>())
        };
        near(norm(true).0, number(&theirs["gn_fro"]), TIGHT, &format!("{name}: gn_fro"));
        near(norm(false).0, number(&theirs["hess_fro"]), TIGHT, &format!("{name}: hess_fro"));
        all_near(&norm(false).1, &numbers(&theirs["hess_diag"]), TIGHT, &format!("{name}: hess_diag"));
        let plain: f64 = outputs(shape, &mean, &examples)
            .iter()
            .zip(numbers(&net["t"]))
            .map(|(f, t)| 0.5 * (f - t) * (f - t))
            .sum();
        near(plain, value, TIGHT, name);
    }
}

/// With zero covariance, averages are those of the network itself.
#[test]
fn without_variance_an_average_equals_the_value() {
    let reference = oracle::mlp();
    let (shape, examples, q) = network(&reference["nets"][2]);
    let (value, slope) = error(shape, &q.mean, &examples);
    for covariance in [WeightCovariance::Diagonal(vec![0.0; 60]), WeightCovariance::Full(vec![0.0; 3600])] {
        let ours = expected_error(shape, &WeightGaussian { mean: q.mean.clone(), covariance }, &examples);
        near(ours.value, value, TIGHT, "value");
        all_near(&ours.by_mean, &slope, TIGHT, "slope");
    }
}
