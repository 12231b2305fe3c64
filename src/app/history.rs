//! Undo history: the settings of a page before each change by hand.

use crate::lab::Raw;

/// Largest number of stored changes.
const MAX_ENTRIES: usize = 200;

/// Settings before each change.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// Page and settings, the newest last.
    past: Vec<(String, Raw)>,
    /// Field changed last; its next change belongs to the same step.
    field: Option<&'static str>,
}

impl History {
    /// Stores the settings before a change; successive changes of one `field` are one step.
    pub fn remember(&mut self, page: &str, raw: &Raw, field: Option<&'static str>) {
        let again = field.is_some() && self.field == field;
        let same = self.past.last().is_some_and(|last| last.0 == page && last.1 == *raw);
        self.field = field;
        if again || same {
            return;
        }
        self.past.push((page.to_owned(), raw.clone()));
        if self.past.len() > MAX_ENTRIES {
            self.past.remove(0);
        }
    }

    /// Returns the index of the newest entry of a page.
    fn newest(&self, page: &str) -> Option<usize> {
        self.past.iter().rposition(|(of, _)| of == page)
    }

    /// Returns true if a change of that page can be undone.
    pub fn has(&self, page: &str) -> bool {
        self.newest(page).is_some()
    }

    /// Removes the newest entry of that page and returns its settings.
    pub fn take(&mut self, page: &str) -> Option<Raw> {
        self.field = None;
        self.newest(page).map(|place| self.past.remove(place).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw(text: &str) -> Raw {
        Raw::from([("n".to_owned(), text.to_owned())])
    }

    #[test]
    fn a_step_is_undone_as_a_whole_and_on_its_page() {
        let mut history = History::default();
        history.remember("a", &raw("1"), Some("n"));
        history.remember("a", &raw("2"), Some("n"));
        history.remember("b", &raw("7"), None);
        history.remember("a", &raw("3"), None);
        history.remember("a", &raw("3"), None);
        let mut take = |page| history.take(page).map(|raw| raw["n"].clone());
        assert_eq!(take("a").as_deref(), Some("3"));
        assert_eq!(take("a").as_deref(), Some("1"), "a slider dragged is one step");
        assert_eq!((take("a"), take("b").as_deref()), (None, Some("7")));
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut history = History::default();
        (0..MAX_ENTRIES + 5).for_each(|n| history.remember("a", &raw(&n.to_string()), None));
        assert_eq!((history.past.len(), history.past[0].1["n"].as_str()), (MAX_ENTRIES, "5"));
    }
}
