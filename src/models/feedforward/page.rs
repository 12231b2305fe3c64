//! The margin notes of perceptron and committee.

use leptos::prelude::*;

use crate::app::components::{Note, Notes};

const BIBTEX: &str = "@article{opper1996mean,
  author  = {Opper, Manfred and Winther, Ole},
  title   = {A Mean Field Approach to {Bayes} Learning
             in Feed-Forward Neural Networks},
  journal = {Physical Review Letters},
  volume  = {76}, number = {11}, pages = {1964--1967},
  year    = {1996}
}";

/// What one sees, why, and where it fails.
pub fn explain() -> AnyView {
    view! {
        <Notes>
            <Note title="Try">
                <p>"Drag " <i>"β"</i> ": the dashed theory follows at once, and the simulation runs again when you let go. \
                    Then set " <i>"N"</i> " to 5: how far does a theory for infinitely many inputs carry? And " <i>"K"</i> " to 3: \
                    a committee needs examples before its members differ."</p>
            </Note>
            <Note title="What you see">
                <p>"A teacher with random weights labels random inputs; each label is flipped with probability \
                    1/(1+e" <sup>"β"</sup> "). A student sees " <i>"m"</i> " = α" <i>"N"</i> " of them and answers with the \
                    average over all weights that could have produced them. The blue discs are how often it contradicts \
                    the noiseless teacher; the red squares, how often a fresh noisy label."</p>
                <p>"With " <i>"K"</i> " > 1 teacher and student are committees: each branch sees its own inputs and the \
                    majority decides. The Bayes prediction averages over all committees; one committee with the mean \
                    weights ⟨w⟩ (orange) does a little worse."</p>
                <p>"Green is " <em>"moving control"</em> ": an estimate of the red curve from the training set alone, each \
                    example judged by what the student would say had it never seen it. It comes free with the solution; no \
                    retraining. The purple training error is far too hopeful."</p>
            </Note>
            <Note title="Why it works">
                <p>"The sum over many weights makes the field of a left-out example Gaussian. Its mean and variance close \
                    into the TAP equations, one for each weight and each example:"</p>
                {equations()}
                <p>"Dashed: averaging the same equations over all data leaves one number, the overlap " <i>"q"</i>
                    ", with error arccos(√" <i>"q"</i> ")/π. Nothing is fitted."</p>
            </Note>
            <Note title="Where it fails">
                <p>"At small " <i>"N"</i> " the fields are not Gaussian, and moving control is a little pessimistic. Without \
                    noise (β = ∞) the simulation lies up to 4 % below the theory at " <i>"N"</i> " = 50: a real effect of \
                    finite size, gone at 300. The paper's undamped iteration diverges there; this solver damps it and says \
                    how many solves failed."</p>
            </Note>
            <Note title="Paper">
                <p>"M. Opper and O. Winther, " <cite>"A mean field approach to Bayes learning in feed-forward neural \
                    networks"</cite> ", Phys. Rev. Lett. 76, 1964 (1996). The paper prints its figures without numbers."</p>
                <details><summary>"BibTeX"</summary><pre>{BIBTEX}</pre></details>
            </Note>
        </Notes>
    }
    .into_any()
}

/// Eqs. (4), (5), (8) and (6') for one branch.
fn equations() -> AnyView {
    const MATHML: &str = concat!(
        "<math display='block'><mi>w</mi><mo>=</mo><mfrac><mrow><msup><mi>S</mi><mo>⊤</mo></msup><mi>g</mi></mrow><msqrt><mi>N</mi></msqrt></mfrac></math>",
        "<math display='block'><mi>g</mi><mo>=</mo><mfrac><mn>1</mn><msqrt><mi>λ</mi></msqrt></mfrac><mfrac><mrow><mo>∂</mo><mi>ln</mi><mi>F</mi></mrow><mrow><mo>∂</mo><mi>z</mi></mrow></mfrac></math>",
        "<math display='block'><mi>F</mi><mo>=</mo><msup><mi>e</mi><mrow><mo>−</mo><mi>β</mi></mrow></msup><mo>+</mo><mo stretchy='false'>(</mo><mn>1</mn><mo>−</mo><msup><mi>e</mi><mrow><mo>−</mo><mi>β</mi></mrow></msup><mo stretchy='false'>)</mo><mi>Φ</mi><mo stretchy='false'>(</mo><mi>y</mi><mi>z</mi><mo stretchy='false'>)</mo></math>",
        "<math display='block'><mi>z</mi><mo>=</mo><mfrac><mrow><mi>S</mi><mi>w</mi><mo>/</mo><msqrt><mi>N</mi></msqrt><mo>−</mo><mi>λ</mi><mi>g</mi></mrow><msqrt><mi>λ</mi></msqrt></mfrac></math>",
        "<math display='block'><mi>λ</mi><mo>=</mo><mn>1</mn><mo>−</mo><mfrac><mrow><mo>|</mo><mi>w</mi><msup><mo>|</mo><mn>2</mn></msup></mrow><mi>N</mi></mfrac></math>",
    );
    view! { <div class="equations" inner_html=MATHML></div> }.into_any()
}
