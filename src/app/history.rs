//! Undo history: the settings of a page before each change by hand, and those that were undone.

use crate::lab::Raw;

/// Largest number of stored changes.
const MAX_ENTRIES: usize = 200;

/// Pages and settings, the newest last.
type Entries = Vec<(String, Raw)>;

/// Settings before each change.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Entries,
    /// Settings that were undone.
    undone: Entries,
    /// Field that is being changed; its next change belongs to the same step.
    field: Option<&'static str>,
}

impl History {
    /// Stores the settings before a change. Successive changes of one `field` are one step, until [`Self::end_step`].
    pub fn remember(&mut self, page: &str, raw: &Raw, field: Option<&'static str>) {
        let again = field.is_some() && self.field == field;
        let same = self.past.last().is_some_and(|last| last.0 == page && last.1 == *raw);
        self.field = field;
        if again || same {
            return;
        }
        self.undone.retain(|(of, _)| of != page);
        self.past.push((page.to_owned(), raw.clone()));
        if self.past.len() > MAX_ENTRIES {
            self.past.remove(0);
        }
    }

    /// Ends the step of a field: its next change is another one.
    pub fn end_step(&mut self) {
        self.field = None;
    }

    /// Returns true if a change of that page can be undone.
    pub fn has(&self, page: &str) -> bool {
        self.past.iter().any(|(of, _)| of == page)
    }

    /// Returns true if an undone change of that page can be redone.
    pub fn has_undone(&self, page: &str) -> bool {
        self.undone.iter().any(|(of, _)| of == page)
    }

    /// Returns the settings of that page before its last change; `now` are the current ones, for [`Self::redo`].
    pub fn undo(&mut self, page: &str, now: Raw) -> Option<Raw> {
        self.field = None;
        exchange(&mut self.past, &mut self.undone, page, now)
    }

    /// Returns the settings of that page before the last [`Self::undo`], unless it has changed since then.
    pub fn redo(&mut self, page: &str, now: Raw) -> Option<Raw> {
        self.field = None;
        exchange(&mut self.undone, &mut self.past, page, now)
    }
}

/// Takes the newest entry of a page, and puts the current settings into the other list.
fn exchange(from: &mut Entries, to: &mut Entries, page: &str, now: Raw) -> Option<Raw> {
    let newest = from.iter().rposition(|(of, _)| of == page)?;
    to.push((page.to_owned(), now));
    Some(from.remove(newest).1)
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
        let mut undo = |page, now| history.undo(page, raw(now)).map(|raw| raw["n"].clone());
        assert_eq!(undo("a", "4").as_deref(), Some("3"));
        assert_eq!(undo("a", "3").as_deref(), Some("1"), "a slider dragged is one step");
        assert_eq!((undo("a", "1"), undo("b", "8").as_deref()), (None, Some("7")));
    }

    #[test]
    fn two_entries_into_a_field_are_two_steps_and_can_be_redone() {
        let mut history = History::default();
        for text in ["1", "2"] {
            history.remember("a", &raw(text), Some("n"));
            history.end_step();
        }
        assert_eq!(history.redo("a", raw("3")), None);
        assert_eq!(history.undo("a", raw("3")), Some(raw("2")));
        assert_eq!(history.undo("a", raw("2")), Some(raw("1")));
        assert_eq!(history.redo("a", raw("1")), Some(raw("2")));
        assert_eq!((history.redo("b", raw("0")), history.redo("a", raw("2"))), (None, Some(raw("3"))));
        assert_eq!(history.undo("a", raw("3")), Some(raw("2")));
        history.remember("a", &raw("2"), None);
        assert_eq!(history.redo("a", raw("9")), None, "changed since then");
    }

    #[test]
    fn the_oldest_are_forgotten() {
        let mut history = History::default();
        (0..MAX_ENTRIES + 5).for_each(|n| history.remember("a", &raw(&n.to_string()), None));
        assert_eq!((history.past.len(), history.past[0].1["n"].as_str()), (MAX_ENTRIES, "5"));
    }
}
