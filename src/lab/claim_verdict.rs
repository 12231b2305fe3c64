//! Verdicts on claims, in words.

/// Verdict on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A test could have failed, and our value agrees with the paper.
    Agrees,
    /// Our value differs from the paper.
    Differs,
    /// Our value agrees, but inputs were chosen to give it.
    Fitted,
    /// Our value agrees, but a free choice was tuned to it.
    Calibrated,
    /// Our value agrees, but follows from the definitions or from another claim.
    ByConstruction,
    /// Our value agrees, but so would that of a wrong method.
    Weak,
    /// The paper states nothing that decides it, or our value is too close to what is required.
    Undecided,
    /// Not tested by a run.
    Untested,
}

/// Bearing of a verdict on a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bearing {
    /// Evidence for it.
    Confirms,
    /// Evidence against it.
    Contradicts,
    /// Agreement that is not evidence.
    Matches,
    /// No conclusion.
    Open,
}

impl Bearing {
    /// All bearings, in the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::Confirms, Self::Contradicts, Self::Matches, Self::Open];

    /// Returns the verdicts of this bearing.
    pub fn verdicts(self) -> impl Iterator<Item = Verdict> {
        Verdict::ALL.into_iter().filter(move |verdict| verdict.bearing() == self)
    }

    /// Returns a number of claims with this bearing, as part of a sentence.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Confirms => ("agrees", "agree"),
            Self::Contradicts => ("differs", "differ"),
            Self::Matches => ("matches but is not evidence", "match but are not evidence"),
            Self::Open => ("is open", "are open"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }
}

impl Verdict {
    /// All verdicts, in the order in which they are counted: those of one bearing together.
    pub const ALL: [Self; 8] = [
        Self::Agrees,
        Self::Differs,
        Self::Fitted,
        Self::Calibrated,
        Self::ByConstruction,
        Self::Weak,
        Self::Undecided,
        Self::Untested,
    ];

    /// Returns its bearing on the paper.
    pub const fn bearing(self) -> Bearing {
        match self {
            Self::Agrees => Bearing::Confirms,
            Self::Differs => Bearing::Contradicts,
            Self::Fitted | Self::Calibrated | Self::ByConstruction | Self::Weak => Bearing::Matches,
            Self::Undecided | Self::Untested => Bearing::Open,
        }
    }

    /// Returns the verdict in words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Fitted => "fitted",
            Self::Calibrated => "calibrated",
            Self::ByConstruction => "by construction",
            Self::Undecided => "undecided",
            Self::Weak => "not decisive",
            Self::Untested => "not tested",
        }
    }

    /// Returns the meaning of the verdict as one sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Agrees => "Our value meets a criterion that a wrong method would fail.",
            Self::Differs => "Our value contradicts the paper.",
            Self::Fitted => "Our value matches, but we chose the inputs to make it match.",
            Self::Calibrated => "Our value matches, but we tuned a free setting until it did.",
            Self::ByConstruction => {
                "Our value matches, but this follows from the definitions or from another claim."
            }
            Self::Undecided => "The paper sets no limit, or our value is within one standard error of it.",
            Self::Weak => "Our value matches, but that of a wrong method would, too.",
            Self::Untested => {
                "There is no run: the paper gives too little detail, or its data are not available."
            }
        }
    }

    /// Returns a number of claims with this verdict, as part of a sentence: “2 agree”, “1 holds by construction”.
    pub fn counted(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Agrees => ("agrees", "agree"),
            Self::Differs => ("differs", "differ"),
            Self::Fitted => ("is fitted", "are fitted"),
            Self::Calibrated => ("is calibrated", "are calibrated"),
            Self::ByConstruction => ("holds by construction", "hold by construction"),
            Self::Undecided => ("is undecided", "are undecided"),
            Self::Weak => ("is not decisive", "are not decisive"),
            Self::Untested => ("is not tested", "are not tested"),
        };
        format!("{count} {}", if count == 1 { one } else { many })
    }

    /// Returns the name of the verdict in ids and classes.
    pub const fn id(self) -> &'static str {
        match self {
            Self::ByConstruction => "constructed",
            Self::Weak => "weak",
            Self::Untested => "untested",
            other => other.words(),
        }
    }
}
