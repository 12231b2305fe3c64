//! Specifications of every registered task: accepted values of fields, links, and advice on invalid settings.

use std::process::Command;

use meanfield::lab::{Field, InputError, Kind, Link, Pixels, Raw};
use meanfield::models::TASKS;
use proptest::prelude::*;

use crate::common::property::for_all;
use crate::common::{every_task, store};

/// Number of random values of a field or specification.
const CASES: u32 = 48;

#[test]
fn defaults_and_presets_are_valid() {
    for task in TASKS.iter() {
        let id = task.meta().id;
        let values = task.check(&Raw::new()).unwrap();
        for (field, (key, value)) in task.fields().iter().zip(values.iter()) {
            assert_eq!(
                (field.key, field.default),
                (key, value.to_string().as_str()),
                "{id}: defaults are canonical"
            );
            assert!(!field.label.is_empty() && field.help.ends_with('.'), "{id}.{key} is not explained");
        }
        for preset in task.meta().presets {
            let raw = Link::parse(&format!("#/{id}?{}", preset.query)).raw;
            assert!(task.check(&raw).is_ok(), "{id}: preset {}", preset.label);
        }
    }
}

#[test]
fn help_and_version_are_printed_on_standard_output() {
    for (option, start) in [("--help", "Usage: headless"), ("--version", "headless 0.")] {
        let ran = Command::new(env!("CARGO_BIN_EXE_headless")).arg(option).output().unwrap();
        assert!(ran.status.success() && ran.stderr.is_empty(), "{option}");
        assert!(ran.stdout.starts_with(start.as_bytes()), "{option}");
    }
}

#[test]
fn an_invalid_field_is_named_with_its_valid_values() {
    for (task, small) in every_task() {
        for field in task.fields() {
            let mut raw = small.clone();
            let nonsense = nonsense(field);
            raw.insert(field.key.into(), nonsense.into());
            let problems = task.check(&raw).unwrap_err();
            assert_eq!(problems.len(), 1);
            assert_eq!(problems[0].field, field.key);
            assert_eq!(problems[0].given, nonsense);
            assert!(!problems[0].expected.is_empty());
            // The nearest valid value is accepted.
            raw.insert(field.key.into(), problems[0].nearest.clone().unwrap());
            assert!(task.check(&raw).is_ok(), "{}.{}", task.meta().id, field.key);
        }
        let unknown = Raw::from([("no_such_key".to_owned(), "1".to_owned())]);
        assert_eq!(task.check(&unknown).unwrap_err()[0].field, "no_such_key");
    }
}

/// Returns a text that the field does not accept.
fn nonsense(field: &Field) -> &'static str {
    match field.kind {
        // Any single line may be the name of a file or a column.
        Kind::Data | Kind::Text { .. } => "utter\u{7}\nnonsense",
        _ => "utter nonsense",
    }
}

/// Returns texts that the field accepts.
fn accepted(field: &Field) -> BoxedStrategy<String> {
    match &field.kind {
        &Kind::Integer { min, max, .. } => (min..=max).prop_map(|n| n.to_string()).boxed(),
        &Kind::Real { min, max, infinity, .. } => {
            let finite = (min..=max).prop_map(|x| x.to_string());
            if infinity {
                prop_oneof![9 => finite, 1 => Just("inf".to_owned())].boxed()
            } else {
                finite.boxed()
            }
        }
        &Kind::Reals { min, max, most } => prop::collection::vec(min..=max, 1..=most)
            .prop_map(|list| list.iter().map(f64::to_string).collect::<Vec<_>>().join(","))
            .boxed(),
        &Kind::Points { x, y, labels, number } => {
            let label = match labels {
                [] => Just(None).boxed(),
                labels => prop::sample::select(labels).prop_map(|(label, _)| Some(label)).boxed(),
            };
            let point = (x.0..=x.1, y.0..=y.1, label).prop_map(|(x, y, label)| {
                let numbers = [Some(x), Some(y), label].into_iter().flatten().map(|n| n.to_string());
                numbers.collect::<Vec<_>>().join(",")
            });
            prop::collection::vec(point, number.0..=number.1).prop_map(|list| list.join(",")).boxed()
        }
        &Kind::Pixels { size: (columns, rows), levels, missing } => {
            let lowest = if missing { -0.5_f32 } else { 0.0 };
            let shade = (lowest..=1.0).prop_map(|shade| if shade < 0.0 { f32::NAN } else { shade });
            prop::collection::vec(shade, columns * rows)
                .prop_map(move |shades| Pixels::of_shades(columns, levels, shades).to_string())
                .boxed()
        }
        Kind::Flag => any::<bool>().prop_map(|b| b.to_string()).boxed(),
        Kind::Choice(words) => {
            prop::sample::select(words.to_vec()).prop_map(|(word, _)| word.to_owned()).boxed()
        }
        Kind::Data => prop_oneof![Just(String::new()), "[^\\pC]{1,20}@[0-9a-f]{16}"].boxed(),
        Kind::Text { most } => {
            let most = *most;
            "[^\\pC]{0,40}".prop_map(move |text| text.chars().take(most).collect()).boxed()
        }
    }
}

fn any_spec() -> impl Strategy<Value = (usize, Vec<(&'static str, String)>)> {
    (0..TASKS.len()).prop_flat_map(|i| {
        let fields: Vec<_> =
            TASKS[i].fields().iter().map(|f| accepted(f).prop_map(|text| (f.key, text))).collect();
        (Just(i), fields)
    })
}

proptest! {
    #[test]
    fn a_permalink_contains_the_whole_specification((i, spec) in any_spec()) {
        let task = TASKS[i];
        let raw: Raw = spec.into_iter().map(|(key, text)| (key.to_owned(), text)).collect();
        // Valid fields may still clash; then there is no specification to link to.
        if let Ok(values) = task.check(&raw) {
            let link = Link { task: task.meta().id.to_owned(), raw: values.to_raw() };
            let again = Link::parse(&link.to_string());
            prop_assert_eq!(&again, &link);
            prop_assert_eq!(task.check(&again.raw).unwrap(), values);
        }
    }

    #[test]
    fn any_text_survives_a_link(raw in prop::collection::btree_map(".+", ".*", 0..5), task in "[^?#]*") {
        let link = Link { task, raw };
        prop_assert_eq!(Link::parse(&link.to_string()), link);
    }
}

/// Any text in a field is accepted, or refused with the name of a field to change.
#[test]
fn any_text_in_any_field_is_accepted_or_refused() {
    for task in TASKS.iter() {
        for field in task.fields() {
            let number = "-?[0-9]{1,25}(\\.[0-9]{0,5})?(e-?[0-9]{1,3})?(,[0-9.]{1,9}){0,3}";
            for_all(CASES, prop_oneof![".*", number, accepted(field)], |text| {
                let raw = Raw::from([(field.key.to_owned(), text)]);
                if let Err(problems) = task.check(&raw) {
                    // It may clash with the default of another field, which is then named.
                    let named = |p: &InputError| task.fields().iter().any(|f| f.key == p.field);
                    assert!(!problems.is_empty() && problems.iter().all(named), "{problems:?} of {raw:?}");
                }
            });
        }
    }
}

/// Follows all advice until the settings are accepted.
fn advised<T>(raw: &Raw, attempt: impl Fn(&Raw) -> Result<T, Vec<InputError>>, what: &str) -> (Raw, T) {
    let mut given = raw.clone();
    for _ in 0..3 {
        match attempt(&given) {
            Ok(done) => return (given, done),
            Err(problems) => {
                for problem in problems {
                    match problem.nearest {
                        Some(nearest) => drop(given.insert(problem.field, nearest)),
                        // No value is valid: the field gets its default.
                        None => drop(given.remove(&problem.field)),
                    }
                }
            }
        }
    }
    let refused = attempt(&given).err();
    panic!("{what}: advice leads from {raw:?} to {given:?}, which is refused: {refused:?}");
}

/// The check's advice resolves clashes between fields.
#[test]
fn advice_on_clashing_fields_is_accepted_when_followed() {
    for task in TASKS.iter() {
        let id = task.meta().id;
        let spec = task.fields().iter().map(|f| accepted(f).prop_map(|text| (f.key.to_owned(), text)));
        for_all(CASES, spec.collect::<Vec<_>>(), |spec| {
            let raw: Raw = spec.into_iter().collect();
            advised(&raw, |raw| task.check(raw), id);
        });
    }
}

/// Missing columns, and settings that are too large for the table: the advice from starting a run leads to a run.
#[test]
fn advice_on_settings_that_do_not_fit_the_data_is_accepted_when_followed() {
    let mut refused = 0;
    for (task, small) in every_task() {
        for field in task.fields().iter().filter(|field| field.kind != Kind::Data) {
            for text in ["no such column", "size", "1", "3", "0.5"] {
                let mut raw = small.clone();
                raw.insert(field.key.into(), text.into());
                // Settings that are refused without a table are covered by another test.
                if task.check(&raw).is_err() {
                    continue;
                }
                let start = |raw: &Raw| task.start(&task.check(raw).unwrap(), 0..0, &store(), &[]).map(drop);
                refused += usize::from(start(&raw).is_err());
                advised(&raw, start, &format!("{}.{} = {text}", task.meta().id, field.key));
            }
        }
    }
    assert!(refused > 10, "only {refused} settings did not fit the small table");
}
