//! The contract that the fields of every task keep.

use std::collections::BTreeSet;

use meanfield::lab::{Condition, Field, Kind, Queue, Raw, Role, Task, mend};
use meanfield::models::TASKS;

use crate::common::small;

fn every_field() -> impl Iterator<Item = (&'static dyn Task, &'static Field)> {
    TASKS.iter().flat_map(|task| task.fields().iter().map(|field| (*task, field)))
}

fn find(task: &dyn Task, key: &str) -> &'static Field {
    task.fields().iter().find(|field| field.key == key).unwrap_or_else(|| panic!("no field {key}"))
}

/// Returns some canonical texts of a field, all different.
fn texts(field: &Field) -> Vec<String> {
    match field.kind {
        Kind::Integer { min, max, .. } => [min, max].map(|n| n.to_string()).to_vec(),
        Kind::Real { min, max, .. } => vec![min.to_string(), max.to_string(), field.default.to_owned()],
        Kind::Reals { min, max, .. } => {
            // As many as by default, and others.
            let turned: Vec<&str> = field.default.split(',').rev().collect();
            vec![min.to_string(), max.to_string(), turned.join(",")]
        }
        Kind::Flag => ["false", "true"].map(str::to_owned).to_vec(),
        Kind::Choice(words) => words.iter().map(|(word, _)| (*word).to_owned()).collect(),
        // A field of points or pixels is tested by the toy tasks and where it is declared.
        Kind::Points { .. } | Kind::Pixels { .. } => vec![field.default.to_owned()],
        Kind::Text { .. } => vec![String::new(), "a".to_owned()],
        Kind::Data => vec![String::new(), "a".to_owned(), field.default.to_owned()],
    }
}

/// Returns a small specification of a task in which all conditions of a field hold, or the first one does not.
fn with_conditions(task: &dyn Task, field: &Field, hold: bool) -> Raw {
    let mut raw = small(task.meta().id);
    // Points of one's own are valid only where there are some.
    if task.fields().iter().any(|field| field.key == "points") {
        raw.insert("points".to_owned(), "0,0,1,1,1,-1".to_owned());
    }
    let first = if hold { field.shown_if } else { &field.shown_if[..1] };
    for condition in first {
        let holds = |text: &String| condition.holds(text) == hold;
        let text = texts(find(task, condition.key)).into_iter().find(holds);
        raw.insert(condition.key.to_owned(), text.unwrap());
    }
    raw
}

#[test]
fn every_option_of_a_choice_is_a_distinct_specification() {
    let mut choices = 0;
    for (task, field) in every_field() {
        let Kind::Choice(words) = field.kind else { continue };
        let base = with_conditions(task, field, true);
        let all: BTreeSet<Raw> = words
            .iter()
            .map(|(word, _)| {
                let mut raw = base.clone();
                raw.insert(field.key.to_owned(), (*word).to_owned());
                // Other fields may have to be changed for it.
                let (mended, _) = mend(&raw, |raw| task.check(raw).map(|_| ()));
                let values = task.check(&mended).unwrap().to_raw();
                assert_eq!(values[field.key], *word, "{}.{}", task.meta().id, field.key);
                values
            })
            .collect();
        assert_eq!(all.len(), words.len(), "{}.{}", task.meta().id, field.key);
        choices += 1;
    }
    assert!(choices > 5, "{choices}");
}

#[test]
fn a_field_depends_only_on_unconditional_fields() {
    for (task, field) in every_field() {
        for Condition { key, values, .. } in field.shown_if {
            let other = find(task, key);
            assert!(other.shown_if.is_empty(), "{}.{} depends on {key}", task.meta().id, field.key);
            for value in *values {
                let read = other.read(value).map(|value| value.to_string());
                assert_eq!(read.as_deref(), Ok(*value), "{}.{key} is never that", task.meta().id);
            }
        }
    }
}

#[test]
fn a_field_without_effect_changes_no_specification() {
    let mut conditional = 0;
    for (task, field) in every_field().filter(|(_, field)| !field.shown_if.is_empty()) {
        let without = with_conditions(task, field, false);
        let values = task.check(&without).unwrap();
        for text in texts(field) {
            let mut raw = without.clone();
            raw.insert(field.key.to_owned(), text);
            let same = task.check(&raw).ok();
            assert_eq!(same.as_ref(), Some(&values), "{}.{}", task.meta().id, field.key);
        }
        assert_eq!(values.to_raw()[field.key], field.default);
        // Where it has an effect, it is kept.
        let mut with = with_conditions(task, field, true);
        let texts = texts(field).into_iter().filter(|text| text != field.default);
        let kept = texts.into_iter().any(|text| {
            with.insert(field.key.to_owned(), text.clone());
            task.check(&with).is_ok_and(|values| values.to_raw()[field.key] == text)
        });
        let drawn = matches!(field.kind, Kind::Points { .. } | Kind::Pixels { .. });
        assert!(kept || drawn, "{}.{}", task.meta().id, field.key);
        conditional += 1;
    }
    assert!(conditional > 5, "{conditional}");
}

#[test]
fn each_role_has_one_field_of_a_suitable_kind() {
    for task in TASKS.iter() {
        let (id, fields) = (task.meta().id, task.fields());
        let keys: BTreeSet<&str> = fields.iter().map(|field| field.key).collect();
        assert_eq!(keys.len(), fields.len(), "{id}: two fields of one key");
        let many = [Role::Setting, Role::Rows, Role::Reading, Role::Companion, Role::Display];
        for field in fields.iter().filter(|field| !many.contains(&field.role)) {
            let alike = fields.iter().filter(|other| other.role == field.role).count();
            assert_eq!(alike, 1, "{id}: {:?}", field.role);
            let able = match field.role {
                Role::Seed => matches!(field.kind, Kind::Integer { slider: None, .. }),
                // A task and its live companion may have one specification.
                Role::Artefact(_) => {
                    field.kind == Kind::Data
                        && (task.meta().queue == Queue::Live || task.meta().live.is_some())
                }
                Role::Data | Role::SecondData => field.kind == Kind::Data,
                Role::Label | Role::Positive | Role::Split | Role::Id | Role::Group | Role::Ignored => {
                    matches!(field.kind, Kind::Text { .. })
                }
                Role::PerColumn => matches!(field.kind, Kind::Reals { .. }),
                Role::Report => matches!(field.kind, Kind::Flag | Kind::Reals { .. }),
                Role::Setting | Role::Rows | Role::Reading | Role::Companion | Role::Display => true,
            };
            assert!(able, "{id}.{} as {:?}", field.key, field.role);
        }
        // The preview of a page is about the first file of its form: the main table, where a
        // task has one. A task that has none may take a file of settings (a network).
        let by_hand = |field: &&Field| !matches!(field.role, Role::Artefact(_));
        let mut files = fields.iter().filter(by_hand).filter(|field| field.kind == Kind::Data);
        let first = files.next();
        let table_later = files.any(|field| field.role == Role::Data);
        assert!(!table_later, "{id}: the main table comes first ({first:?})");
    }
}
