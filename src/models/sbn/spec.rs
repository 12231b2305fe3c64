//! Fields and presets of the task `sbn` and of its live companion `sbn.pad`.

use crate::data::{DataRef, Store};
use crate::lab::fields::SEED;
use crate::lab::{
    Group, InputError, Pixels, Preset, Role, Spec, artefact, choice, data, integer, pixels, real, reals,
};
use crate::math::stats::sorted;
use crate::models::sbn::digits::preprocessing::{GREY, PIXELS, Preprocessing, SIDE, is_on};
use crate::models::sbn::digits::source::{MNIST, STROKES};
use crate::models::sbn::ensemble::{DigitClassifier, DigitEnsemble, KIND, MAX_LAYERS, MAX_UNITS, Sample};
use crate::models::sbn::network::inference::StoppingRule;

/// Number of grey levels of the pen.
pub const LEVELS: u8 = 15;
/// Maximum number of epochs of a part of the schedule.
const MAX_EPOCHS: f64 = 200.0;

crate::choice! {
    /// Canvas of the pad.
    pub enum Canvas {
        Grid = "grid" "10×10 pixels",
        Pen = "pen" "28×28, with a pen",
    }
}

crate::choice! {
    /// Baseline classifiers.
    pub enum BaselineChoice {
        Nothing = "none" "nothing",
        Mixture = "mixture" "mixtures",
        Neighbours = "knn" "nearest neighbours",
        Both = "knn,mixture" "mixtures and nearest neighbours",
    }
}

crate::choice! {
    /// Network that is shown in detail.
    pub enum DetailedNetwork {
        Read = "read" "predicted digit",
        Zero = "0" "digit 0",
        One = "1" "digit 1",
        Two = "2" "digit 2",
        Three = "3" "digit 3",
        Four = "4" "digit 4",
        Five = "5" "digit 5",
        Six = "6" "digit 6",
        Seven = "7" "digit 7",
        Eight = "8" "digit 8",
        Nine = "9" "digit 9",
    }
}

crate::choice! {
    /// Content of the pictures of samples.
    pub enum SampleView {
        Probabilities = "probabilities" "probability of ink",
        Pixels = "pixels" "sampled pixels",
    }
}

impl DetailedNetwork {
    /// Returns the chosen digit; `None` for the digit that was read.
    pub fn digit(self) -> Option<u8> {
        self.word().parse().ok()
    }
}

impl SampleView {
    /// Returns the shade of each pixel of a sample, from 0 (paper) to 1 (ink).
    pub fn shades(self, sample: &Sample) -> Vec<f32> {
        match self {
            Self::Probabilities => sample.probabilities.clone(),
            Self::Pixels => (0..PIXELS).map(|i| f32::from(u8::from(is_on(sample.bits, i)))).collect(),
        }
    }

    /// Explains the shades in a sentence.
    pub fn caption(self) -> &'static str {
        match self {
            Self::Probabilities => "Grey level: probability of ink given the hidden units above.",
            Self::Pixels => "Pixels as sampled.",
        }
    }
}

impl BaselineChoice {
    /// Returns true if mixtures are a baseline.
    pub fn mixture(self) -> bool {
        matches!(self, Self::Mixture | Self::Both)
    }

    /// Returns true if nearest neighbours are a baseline.
    pub fn neighbours(self) -> bool {
        matches!(self, Self::Neighbours | Self::Both)
    }
}

crate::spec! {
    /// Specification of the experiment and of the pad.
    pub struct LearnSpec {
        /// Canvas of the pad.
        canvas: Canvas = choice()
            .label("Canvas")
            .help("The 10×10 grid is the input of the networks. A 28×28 drawing is deslanted and reduced to 10×10 pixels first.")
            .role(Role::Companion).knob(),
        /// Drawing of 10×10 pixels; pixels may be missing.
        drawing: Option<Pixels> = pixels(SIDE, SIDE, 2)
            .may_miss()
            .label("Drawing")
            .help("10×10 pixels, each ink, paper or missing. Missing pixels are summed over.")
            .role(Role::Companion).more()
            => canvas is [Canvas::Grid.word()],
        /// Grey drawing of 28×28 pixels.
        ink: Option<Pixels> = pixels(GREY, GREY, LEVELS)
            .label("Pen drawing")
            .help("28×28 grey pixels.")
            .role(Role::Companion).more()
            => canvas is [Canvas::Pen.word()],
        /// Network that is shown in detail.
        look: DetailedNetwork = choice()
            .label("Network shown")
            .help("Digit whose network is shown in the figures of samples, weights and passes.")
            .role(Role::Companion)
            .more(),
        /// Content of the pictures of samples.
        shown: SampleView = choice()
            .label("Samples shown as")
            .help("Samples of the networks: the probability of ink in each pixel, given the hidden units above, or the sampled pixels.")
            .role(Role::Display).more(),
        /// States of the top units in the samples: 1, 0, or −1 for units that are drawn.
        clamp: Vec<f64> = reals((-1.0, 1.0), 20)
            .label("Clamped top units")
            .help("States of the top-layer units in the samples: 1, 0, or −1 for a unit that is sampled. Default: all are sampled.")
            .role(Role::Companion).more(),
        /// The images.
        data: Option<DataRef> = data(Role::Data)
            .label("Images")
            .help(
                "strokes: digits drawn by this program. mnist: scans, read from the folder data beside the page or from your files. Or \
                 your own: a CSV file with a column of digits and 784 or 100 columns of pixels, or an IDX file of 28×28 or 10×10 \
                 pixels, plain or compressed. One image in five of each digit is then a test image.",
            )
            .default(STROKES),
        /// Labels of the images, if these are in an IDX file.
        labels: Option<DataRef> = data(Role::Rows)
            .label("Labels of the images")
            .help("IDX file with one digit for each image, if the images are in an IDX file of your own.")
            => data not [STROKES, MNIST],
        /// Networks of the pad: those of a file, else of the latest training run, else the pretrained ones.
        networks: Option<DataRef> = artefact(KIND)
            .label("Networks for the drawing")
            .help(
                "A file of networks that was saved after training. “Save as a file” writes those of the latest training run. Without a \
                 file those are used, or else the pretrained networks of the page.",
            ),
        /// Method of pre-processing.
        preprocess: Preprocessing = choice()
            .label("Pre-processing")
            .help("All images are deslanted, reduced to 10×10 pixels and thresholded.")
            .default(Preprocessing::Paper.word()).more(),
        /// Number of training images per digit; 0 for all.
        per_digit: usize = integer(0, 20_000)
            .slider(50, 6000)
            .label("Training images per digit")
            .help("Number of training images of each digit; 0 uses all.")
            .default("300"),
        /// Number of test images; 0 for all.
        test: usize = integer(0, 20_000)
            .slider(100, 10_000)
            .label("Test images")
            .help("Number of images to classify after training; 0 uses all.")
            .default("500"),
        /// Digits whose networks are trained.
        digits: Vec<f64> = reals((0.0, 9.0), 10)
            .label("Digits to train")
            .help("Digits whose networks are trained and compared. Default: all ten.")
            .default("0,1,2,3,4,5,6,7,8,9").more(),
        /// Number of units in each layer, the top layer first; the last layer is the pixels.
        layers: Vec<f64> = reals((1.0, MAX_UNITS as f64), MAX_LAYERS)
            .label("Layers")
            .help("Number of units in each layer, from the top. The last layer is the 100 pixels.")
            .group(Group::Method)
            .default("4,12,36,100").more(),
        /// Number of epochs of each part of the schedule.
        epochs: Vec<f64> = reals((1.0, MAX_EPOCHS), 8)
            .label("Epochs")
            .help("Passes through the training images, one number per learning rate.")
            .group(Group::Method)
            .default("4,4"),
        /// Learning rate of each part of the schedule.
        rates: Vec<f64> = reals((1e-5, 0.5), 8)
            .label("Learning rates")
            .symbol("η")
            .help("Step sizes of the learning rules (10) and (11), one per number of epochs.")
            .group(Group::Method)
            .default("0.02,0.005").more(),
        /// Standard deviation of the initial weights.
        weight_sd: f64 = real((0.0, 3.0), (0.0, 1.0, 0.01))
            .label("Initial weight standard deviation")
            .help("Standard deviation of the random initial weights. The paper does not give it.")
            .group(Group::Method)
            .default("0.3").more(),
        /// Tolerance of a solve.
        tolerance: f64 = real((1e-5, 0.5), (0.001, 0.1, 0.001))
            .label("Tolerance")
            .help("A solve of the mean field equations stops when no mean μ changes by more than this in a pass.")
            .group(Group::Method)
            .default("0.03").more(),
        /// Maximum number of passes of a solve.
        max_passes: usize = integer(1, 1000)
            .slider(1, 40)
            .label("Maximum passes")
            .help("Maximum number of passes in a solve. A pass updates every hidden layer once, upwards or downwards.")
            .group(Group::Method)
            .default("10").more(),
        /// Fractions of missing pixels.
        missing: Vec<f64> = reals((0.0, 0.95), 12)
            .label("Fractions of missing pixels")
            .symbol("f")
            .help("Fractions of the pixels erased at random in each test image, as in Figure 4 of the paper.")
            .group(Group::Run)
            .default("0.5"),
        /// Baseline classifiers.
        baselines: BaselineChoice = choice()
            .label("Baseline classifiers")
            .help("Mixtures of 40 components, fitted by ten EM steps, and k nearest neighbours among the training images.")
            .group(Group::Run),
        /// Seed of all random numbers.
        seed: u64 = SEED,
    }
}

/// One-click specifications.
pub const PRESETS: &[Preset] = &[
    Preset::new(
        "Draw a digit",
        "Ten networks that were trained on drawn strokes.",
        "",
    ),
    Preset::new(
        "Paper, Figure 2: training on the digit 2",
        "The bound increases over eight epochs. Here on 1,000 drawn strokes, with initial weights of standard deviation 0.1.",
        "digits=2&per_digit=1000&test=20&weight_sd=0.1",
    )
    .about("learning"),
    Preset::new(
        "Paper, Figure 3: samples",
        "Ten networks are trained; each generates eight images. As in the paper, single pixels of many are wrong.",
        "per_digit=1000&test=100&shown=pixels",
    )
    .about("samples"),
    Preset::new(
        "Paper, Figure 4: missing pixels",
        "Error rates of networks and mixtures against the fraction of missing pixels. Here on drawn strokes, with one mixture.",
        "per_digit=600&test=600&missing=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8&baselines=mixture",
    )
    .about("erased"),
    Preset::new(
        "Error rates of all classifiers",
        "Networks, mixtures and nearest neighbours on the same drawn digits.",
        "per_digit=600&test=1000&baselines=knn,mixture",
    )
    .about("errors"),
    Preset::new(
        "Full experiment (19 CPU hours in the paper)",
        "All 60,000 training and 10,000 test images of MNIST, with mixtures and nearest neighbours.",
        "data=mnist&per_digit=0&test=0&missing=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8&baselines=knn,mixture",
    ),
];

impl Spec for LearnSpec {
    fn problems(&self) -> Vec<InputError> {
        let (mut errors, fields) = (Vec::new(), Self::FIELDS);
        let text = |list: &[f64]| list.iter().map(f64::to_string).collect::<Vec<_>>().join(",");
        let whole = |list: &[f64]| list.iter().all(|x| x.fract() == 0.0);
        let rounded = |list: &[f64]| list.iter().map(|x| x.trunc()).collect::<Vec<_>>();
        let mut list = |field: InputError, expected: &str, nearest: Vec<f64>| {
            errors.push(field.expected(expected).nearest(text(&nearest)));
        };
        let mut increasing = sorted(&rounded(&self.digits));
        increasing.dedup();
        if increasing != self.digits {
            list(fields.digits.error(text(&self.digits)), "different digits in increasing order", increasing);
        }
        let mut layers = rounded(&self.layers);
        if layers.last() != Some(&(PIXELS as f64)) {
            layers.truncate(5);
            layers.push(PIXELS as f64);
        } else if layers.len() == 1 {
            layers.insert(0, 10.0);
        }
        if layers != self.layers {
            let expected = "two or more whole numbers; the last must be 100, the number of pixels";
            list(fields.layers.error(text(&self.layers)), expected, layers);
        }
        if !whole(&self.epochs) {
            list(fields.epochs.error(text(&self.epochs)), "whole numbers", rounded(&self.epochs));
        }
        if self.rates.len() != self.epochs.len() {
            let mut rates = self.rates.clone();
            rates.resize(self.epochs.len(), rates.last().copied().unwrap_or(0.005));
            let expected = "one learning rate for each number of epochs";
            list(fields.rates.error(text(&self.rates)), expected, rates);
        }
        let states = |x: &f64| {
            if *x > 0.5 {
                1.0
            } else if *x < -0.5 {
                -1.0
            } else {
                0.0
            }
        };
        let clamp: Vec<f64> = self.clamp.iter().map(states).collect();
        if clamp != self.clamp {
            list(fields.clamp.error(text(&self.clamp)), "1, 0 or −1 for each unit", clamp);
        }
        errors
    }
}

impl LearnSpec {
    /// Returns the networks of the file with a description of their training set; `None` if no file is named.
    ///
    /// # Errors
    /// If the file does not hold valid networks.
    pub fn networks(&self, data: &Store) -> Result<Option<(String, DigitClassifier)>, Vec<InputError>> {
        let Some(named) = &self.networks else { return Ok(None) };
        let ready = DigitEnsemble::find(data, named)
            .and_then(|ensemble| Some((ensemble.classifier()?, ensemble.trained_on)));
        if let Some((networks, trained_on)) = ready {
            return Ok(Some((trained_on, networks)));
        }
        let expected = "a file of networks saved by this version after training, or leave it empty";
        Err(vec![Self::FIELDS.networks.error(named).expected(expected).nearest("")])
    }

    /// Returns the digits whose networks are trained.
    pub fn trained_digits(&self) -> Vec<u8> {
        self.digits.iter().map(|digit| *digit as u8).collect()
    }

    /// Returns the number of units in each layer.
    pub fn sizes(&self) -> Vec<usize> {
        self.layers.iter().map(|n| *n as usize).collect()
    }

    /// Returns the learning rate of each epoch.
    pub fn schedule(&self) -> Vec<f32> {
        let parts = self.epochs.iter().zip(&self.rates);
        parts.flat_map(|(epochs, rate)| std::iter::repeat_n(*rate as f32, *epochs as usize)).collect()
    }

    /// Returns the stopping rule of a solve.
    pub fn stopping_rule(&self) -> StoppingRule {
        StoppingRule { tolerance: self.tolerance as f32, passes: self.max_passes }
    }

    /// Returns true if the images are simulated strokes.
    pub fn drawn(&self) -> bool {
        self.data.as_ref().is_none_or(DataRef::needs_no_file)
    }

    /// Returns true if the images are MNIST.
    pub fn is_mnist(&self) -> bool {
        !self.drawn() && self.data.as_ref().is_some_and(|data| data.known().is_some())
    }

    /// Returns true for the experiment of the paper: all images, and networks of all digits.
    pub fn is_of_the_paper(&self) -> bool {
        self.is_mnist() && (self.per_digit, self.test, self.digits.len()) == (0, 0, 10)
    }

    /// Returns a description of the training set.
    pub fn trained_on(&self) -> String {
        let set = match &self.data {
            Some(data) if !self.drawn() && !self.is_mnist() => format!("images of {}", data.name),
            _ if self.drawn() => "drawn strokes".to_owned(),
            _ => "scans of MNIST".to_owned(),
        };
        match self.per_digit {
            0 => format!("all {set}"),
            count => format!("{count} {set} per digit"),
        }
    }
}
