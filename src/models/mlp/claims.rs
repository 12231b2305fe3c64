//! What BB98 says that a run can check.

use crate::lab::claim::Quantity::{At, Minus};
use crate::lab::claim::{Agreement, Check, Claim, Quantity};

/// The four points, and no chains.
const FIGURE_1: &str = "#/mlp?hmc=0";

/// A value printed beside Figure 1.
const fn figure1(
    subject: &'static str,
    printed: &'static str,
    value: Quantity,
    agreement: Agreement,
) -> Claim {
    Claim {
        place: "Figure 1",
        subject,
        printed,
        check: Check::Run { link: FIGURE_1, quick: "", value, spread: None, agreement },
        remark: "F, without ln Z. The paper prints neither its data nor α and β: four points were chosen so that these values come \
                 out. With ln Z the divergences are 38.6, 2.2 and 1.5 nats.",
    }
}

/// Figure 1 first.
pub const CLAIMS: &[Claim] = &[
    figure1(
        "KL of Laplace's fit",
        "41",
        At("/fits/0/free_energy"),
        Agreement::Rounded { printed: 41.0, decimals: 0 },
    ),
    figure1(
        "KL of the diagonal fit",
        "4.6",
        At("/fits/1/free_energy"),
        Agreement::Rounded { printed: 4.6, decimals: 1 },
    ),
    figure1(
        "KL of the full fit",
        "3.9",
        At("/fits/2/free_energy"),
        Agreement::Rounded { printed: 3.9, decimals: 1 },
    ),
    Claim {
        place: "Figure 1",
        subject: "a full covariance against a diagonal one, other data",
        printed: "KL 3.9 against 4.6",
        check: Check::Run {
            link: "#/mlp?set=held2&alpha=1.2&hmc=0",
            quick: "",
            value: Minus(&At("/fits/1/kl"), &At("/fits/2/kl")),
            spread: None,
            agreement: Agreement::AtLeast(0.0),
        },
        remark: "KL of the diagonal fit less that of the full one for a set of points that was not chosen to any value.",
    },
];
