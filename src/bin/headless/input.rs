//! Input of a run: a permalink, a JSON file or a saved run, and the data that it names.

use meanfield::data::{DataRef, Store, folder};
use meanfield::lab::{Field, InputError, Kind, Link, Raw, Role, SavedRun, Task, Values, model_of};
use meanfield::models::{TASKS, catalog, task};
use serde_json::Value;

use super::saved;

/// A task with checked settings and the data that they name.
pub struct Input {
    pub task: &'static dyn Task,
    pub raw: Raw,
    pub values: Values,
    pub data: Store,
    /// Names of the data as given.
    pub sources: Vec<String>,
    /// The saved run that was given, if any.
    pub saved: Option<SavedRun>,
}

impl Input {
    /// Reads a permalink or a file. `predict` names a table whose rows are predicted.
    ///
    /// # Errors
    /// All input errors.
    pub fn read(spec: &str, predict: Option<&str>) -> Result<Self, Vec<InputError>> {
        let saved = saved::read(spec).map_err(|error| vec![InputError::new("spec", spec).because(error)])?;
        let (task, mut raw) = match &saved {
            Some(saved) => find_task(saved.link())?,
            None => find_task(read_link(spec)?)?,
        };
        let (mut data, mut sources) = (Store::default(), Vec::new());
        for file in saved.iter().flat_map(SavedRun::given) {
            // A file that is part of a saved run has been loaded before.
            let _ = data.load(file);
        }
        if let Some(table) = predict {
            let Some(field) = Field::with_role(task.fields(), Role::SecondData) else {
                return Err(vec![not_predicting(task)]);
            };
            raw.insert(field.key.to_owned(), table.to_owned());
        }
        load(task, &mut raw, &mut data, &mut sources)?;
        let mut values = task.check(&raw)?;
        if let Some(saved) = saved.as_ref().filter(|_| predict.is_some())
            && !saved::answers(saved, task, &values, &data)
        {
            // A run with the settings that the saved run has found needs no search.
            raw.extend(saved.found.clone());
            values = task.check(&raw)?;
        }
        // Starting without units checks that the settings fit the data.
        if values.takes_data() {
            task.start(&values, 0..0, &data, &[])?;
        }
        Ok(Self { task, raw, values, data, sources, saved })
    }
}

/// Returns the error for `--predict` with a task that predicts no rows.
fn not_predicting(task: &dyn Task) -> InputError {
    let predicting = TASKS.iter().filter(|task| Field::with_role(task.fields(), Role::SecondData).is_some());
    let predicting: Vec<&str> = predicting.map(|task| task.meta().id).collect();
    let expected = format!("with --predict, one of {}", predicting.join(", "));
    InputError::new("model", task.meta().id).expected(expected)
}

/// Reads a permalink, or a JSON file with the same keys.
fn read_link(spec: &str) -> Result<Link, Vec<InputError>> {
    if spec.trim_start().starts_with('#') || spec.starts_with('/') && spec.contains('?') {
        return Ok(Link::parse(spec.trim()));
    }
    read_file(spec).map_err(|error| {
        let reason = format!("enter a permalink that starts with #/, or a JSON file; {error}");
        vec![InputError::new("spec", spec).because(reason)]
    })
}

/// Finds the task of a link. Prints a notice if results have changed since the link was made.
fn find_task(mut link: Link) -> Result<(&'static dyn Task, Raw), Vec<InputError>> {
    if let Some(revision) = link.take_revision()
        && let Some(changes) =
            catalog().model(model_of(&link.task)).and_then(|model| model.changes_since(revision))
    {
        eprintln!("{changes}");
    }
    if let Some(task) = task(&catalog().route(&link)) {
        return Ok((task, link.raw));
    }
    let known: Vec<&str> = TASKS.iter().map(|task| task.meta().id).collect();
    let expected = format!("one of {}", known.join(", "));
    Err(vec![InputError::new("model", link.task).expected(expected).nearest(known[0])])
}

/// Reads a JSON object of settings with the name of the task under `model`.
fn read_file(path: &str) -> Result<Link, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let json = serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))?;
    let Value::Object(mut object) = json else {
        return Err(format!("{path} contains no JSON object"));
    };
    let Some(Value::String(task)) = object.remove("model") else {
        return Err(format!("{path} has no \"model\""));
    };
    Ok(Link { task, raw: object.into_iter().map(|(key, value)| (key, as_text(value))).collect() })
}

/// Converts a JSON value to the text of a field.
fn as_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Array(items) => items.into_iter().map(as_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Loads the files that the settings name and the store lacks; replaces their paths by names and hashes, as in a permalink.
fn load(
    task: &dyn Task,
    raw: &mut Raw,
    store: &mut Store,
    sources: &mut Vec<String>,
) -> Result<(), Vec<InputError>> {
    let mut problems = Vec::new();
    let is_chosen = |field: &&Field| raw.get(field.key).is_some_and(|text| text != field.default);
    let has_choices = task.fields().iter().filter(|field| field.role == Role::Reading).any(|f| is_chosen(&f));
    for field in task.fields().iter().filter(|field| field.kind == Kind::Data) {
        let Some(text) = raw.get_mut(field.key) else { continue };
        if DataRef::parse(text).and_then(|named| named.content()).is_some_and(|hash| store.has(hash)) {
            continue;
        }
        match folder::load(store, text, has_choices && field.role == Role::Data) {
            Ok(named) => {
                sources.push(text.clone());
                *text = named.map_or(String::new(), |named| named.to_string());
            }
            Err(mut error) => {
                if field.is_artefact() {
                    error.accepted += "; choose a file written by --save or by the page";
                }
                problems.push(InputError { field: field.key.into(), label: field.name(), ..error.into() });
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
