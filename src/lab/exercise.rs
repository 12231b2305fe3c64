//! Exercises of a page: three things to try, each ticked once it has been done.

use super::values::Raw;

/// Something to try in the picture of a page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exercise {
    /// A request of a few words (`Drag a point across the boundary`).
    pub text: &'static str,
    /// The change of the settings that completes it.
    pub goal: Goal,
}

/// The change of the settings that completes an exercise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Goal {
    /// One of the fields with these keys is changed by hand, in the picture.
    Changed(&'static [&'static str]),
    /// The number in the field is at most this.
    AtMost(&'static str, f64),
    /// The number in the field is at least this.
    AtLeast(&'static str, f64),
    /// The field has this text.
    Is(&'static str, &'static str),
    /// The preset with this label is chosen.
    Preset(&'static str),
}

impl Exercise {
    /// Returns the key of the field and its text that complete the exercise; `None` if a preset or a change in the picture does.
    pub fn edit(&self) -> Option<(&'static str, String)> {
        match self.goal {
            Goal::AtMost(key, value) | Goal::AtLeast(key, value) => Some((key, value.to_string())),
            Goal::Is(key, text) => Some((key, text.to_owned())),
            Goal::Changed(_) | Goal::Preset(_) => None,
        }
    }

    /// Returns true if the settings complete the exercise: `before` are the texts of the form when the page was opened, `now` the
    /// current ones, and `preset` is the label of the chosen preset, if any. A preset is not a change by hand.
    pub fn is_done(&self, before: &Raw, now: &Raw, preset: Option<&str>) -> bool {
        let number = |key: &str| now.get(key).and_then(|text| text.parse::<f64>().ok());
        match self.goal {
            Goal::Changed(keys) => {
                preset.is_none() && keys.iter().any(|key| now.get(*key) != before.get(*key))
            }
            Goal::Is(key, text) => preset.is_none() && now.get(key).is_some_and(|now| now == text),
            Goal::AtMost(key, most) => preset.is_none() && number(key).is_some_and(|value| value <= most),
            Goal::AtLeast(key, least) => preset.is_none() && number(key).is_some_and(|value| least <= value),
            Goal::Preset(label) => preset == Some(label),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_are_reached_by_hand_or_by_a_preset() {
        let raw = |text: &str| -> Raw {
            text.split(' ')
                .filter_map(|pair| pair.split_once('='))
                .map(|(k, v)| (k.into(), v.into()))
                .collect()
        };
        let before = raw("points= sigma2=0.3");
        let done = |goal, now: &str, preset| Exercise { text: "", goal }.is_done(&before, &raw(now), preset);
        assert!(!done(Goal::Changed(&["points"]), "points= sigma2=0.1", None));
        assert!(done(Goal::Changed(&["points"]), "points=1,2,+ sigma2=0.3", None));
        assert!(!done(Goal::Changed(&["points"]), "points=1,2,+", Some("Rings")));
        assert!(done(Goal::AtMost("sigma2", 0.1), "sigma2=0.05", None));
        assert!(!done(Goal::AtMost("sigma2", 0.1), "sigma2=0.3", None));
        assert!(!done(Goal::AtMost("sigma2", 0.1), "sigma2=0.", Some("Rings")));
        assert!(done(Goal::AtLeast("sigma2", 0.3), "sigma2=0.3", None));
        assert!(!done(Goal::AtLeast("sigma2", 0.4), "sigma2=inf.", None));
        assert!(done(Goal::Is("sigma2", "0.3"), "sigma2=0.3", None));
        assert!(!done(Goal::Is("sigma2", "0.3"), "sigma2=0.31", None));
        assert!(done(Goal::Preset("Rings"), "", Some("Rings")) && !done(Goal::Preset("Rings"), "", None));
    }
}
