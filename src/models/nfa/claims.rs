//! Claims of the web page (VL00) and of the chapter it belongs to (LH00) that a run can check. The data of the chapter are not
//! available; ours are of the same kind. The criterion is ours where the chapter prints no number.

use crate::lab::claim::Quantity::{Abs, At, Minus, OneMinus};
use crate::lab::claim::{Check, Claim, Criterion, Erratum};

const SMALL_VARIANCE: &str = "#/nfa.moments?shape=wide&variance=0.02&weight_var=0.001&draws=400000";
const LARGE_VARIANCE: &str = "#/nfa.moments?shape=neuron&mean=0&variance=4&draws=400000";
const HELIX: &str = "#/nfa?sweeps=500";
const EIGHT: &str =
    "#/nfa?data=paper_mixtures&sources=8&hidden=50&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1";
const FOUR: &str =
    "#/nfa?data=mixtures&sources=4&hidden=20&components=3&sweeps=600&mixture_sweeps=500&weight_sd=1";
const NUMBER: &str = "#/nfa?data=mixtures&sources=4&hidden=20&compare=sources&weight_sd=1";
const QUICK: &str = "samples=40&sweeps=105&hidden=5";
const QUICK_MIXTURES: &str = "samples=40&sweeps=105&mixture_sweeps=2&hidden=5";

/// Claims, in the order of VL00 and then of LH00.
pub const CLAIMS: &[Claim] = &[
    Claim {
        place: "VL00, eqs. (28), (29)",
        subject: "interference of paths in the variance of an output",
        printed: "“This interference needs to be taken into account”",
        check: Check::Run {
            link: SMALL_VARIANCE,
            quick: "draws=2000",
            value: Minus(
                &Abs(&OneMinus(&At("/grid/4/taylor_ratio_without"))),
                &Abs(&OneMinus(&At("/grid/4/taylor_ratio"))),
            ),
            spread: None,
            criterion: Criterion::AtLeast(0.0),
        },
        remark: "By how much the error of the variance, relative to Monte Carlo, is larger without (29); a 3–10–4 network.",
    },
    Claim {
        place: "VL00, eqs. (24)–(26)",
        subject: "second order is enough where variances are small",
        printed: "“increased the computational complexity with little extra benefit”",
        check: Check::Run {
            link: SMALL_VARIANCE,
            quick: "draws=2000",
            value: Abs(&OneMinus(&At("/grid/4/taylor_ratio"))),
            spread: None,
            criterion: Criterion::AtMost(0.05),
        },
        remark: "Relative error of the variance of an output, the criterion is ours.",
    },
    Claim {
        place: "VL00, eqs. (24)–(26)",
        subject: "second order where variances are large",
        printed: "not said",
        check: Check::Run {
            link: LARGE_VARIANCE,
            quick: "draws=2000",
            value: Abs(&OneMinus(&At("/grid/4/taylor_ratio"))),
            spread: None,
            criterion: Criterion::AtMost(0.05),
        },
        remark: "The same criterion at ỹ = 4: the series does not hold there, and the page does not say so.",
    },
    Claim {
        place: "LH00",
        subject: "the helix: noise relative to the true one, three channels",
        printed: "not printed; .05 is true",
        check: Check::Run {
            link: HELIX,
            quick: QUICK,
            value: At("/mean_noise_sd"),
            spread: None,
            criterion: Criterion::Between(0.0475, 0.0525),
        },
        remark: "Ours: within 5 % of the true noise.",
    },
    Claim {
        place: "LH00",
        subject: "8 sources in 20 channels, signal-to-noise ratio after mixtures",
        printed: "13.2 dB",
        check: Check::Run {
            link: EIGHT,
            quick: QUICK_MIXTURES,
            value: At("/snr_db/mixtures"),
            spread: None,
            criterion: Criterion::AtLeast(13.2),
        },
        remark: "On data of our own of that size. The chapter has 0.7 dB for linear components, where ours have more.",
    },
    Claim {
        place: "LH00",
        subject: "nonlinear beside linear component analysis, 4 sources in 10 channels",
        printed: "nonlinear is better",
        check: Check::Run {
            link: FOUR,
            quick: QUICK_MIXTURES,
            value: At("/gain_db"),
            spread: None,
            criterion: Criterion::AtLeast(5.0),
        },
        remark: "Gain in dB over PCA and FastICA; the criterion is ours.",
    },
    Claim {
        place: "LH00",
        subject: "the cost chooses the number of sources",
        printed: "the lowest cost is best",
        check: Check::Run {
            link: NUMBER,
            quick: QUICK,
            value: At("/best_sources"),
            spread: None,
            criterion: Criterion::Between(4.0, 4.0),
        },
        remark: "Four are true; 1 to 8 are tried, from one start each.",
    },
];

/// Errata of VL00, in the order of the page.
pub const ERRATA: &[Erratum] = &[
    Erratum {
        place: "VL00, references to equations",
        printed: "(30), (31), (37), (39)",
        correct: "(21), (22), (28), (30)",
        reason: "The numbers in the text are 9 too high.",
        link: "",
    },
    Erratum {
        place: "VL00, eq. (22)",
        printed: "Σ_i over the first term",
        correct: "Σ_i over both terms",
        reason: "Each source adds both to the variance.",
        link: "",
    },
    Erratum {
        place: "VL00, eq. (24)",
        printed: "g′_i, g″_i",
        correct: "g′_j, g″_j",
        reason: "The derivatives are those of the hidden unit j.",
        link: "",
    },
    Erratum {
        place: "VL00, eq. (28)",
        printed: "f̄_k on the left side; B̃_jk; Σ_j over the first of its terms",
        correct: "f̃_k, the variance; B̃_kj; Σ_j over both terms",
        reason: "Eq. (27) is the mean already, and the text announces the variance. With these it agrees with Monte Carlo.",
        link: SMALL_VARIANCE,
    },
];
