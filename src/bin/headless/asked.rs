//! What is asked for: a permalink, a file of settings or a saved run, and the data that it names.

use meanfield::data::{DataRef, Store, folder};
use meanfield::lab::{Field, InputError, Kind, Link, Raw, Role, SavedRun, Task, Values, model_of};
use meanfield::models::{MODELS, TASKS, catalog, task};
use serde_json::Value;

use super::saved;

/// What is to be run, and the data that it names.
pub struct Prepared {
    pub task: &'static dyn Task,
    pub raw: Raw,
    pub values: Values,
    pub data: Store,
    /// What it names, as it was given.
    pub sources: Vec<String>,
    /// The run that was saved, where that is what is asked for.
    pub saved: Option<SavedRun>,
}

/// Reads a permalink or a file; with another table to `predict`, if there is one.
///
/// # Errors
/// Every problem found.
pub fn prepare(spec: &str, predict: Option<&str>) -> Result<Prepared, Vec<InputError>> {
    let saved = saved::read(spec).map_err(|why| vec![InputError::new("spec", spec).because(why)])?;
    let (task, mut raw) = match &saved {
        Some(saved) => known(saved.link())?,
        None => find(spec)?,
    };
    let (mut data, mut sources) = (Store::default(), Vec::new());
    if let Some(saved) = &saved {
        for file in saved.given() {
            // What was read once is read again.
            let _ = data.load(file);
        }
    }
    if let Some(table) = predict {
        let Some(field) = Field::with_role(task.fields(), Role::SecondData) else {
            let takes =
                TASKS.iter().filter(|task| Field::with_role(task.fields(), Role::SecondData).is_some());
            let takes: Vec<&str> = takes.map(|task| task.meta().id).collect();
            let problem = InputError::new("model", task.meta().id);
            return Err(vec![problem.expected(format!("with --predict, one of {}", takes.join(", ")))]);
        };
        raw.extend(saved.iter().flat_map(|saved| saved.found.clone()));
        raw.insert(field.key.to_owned(), table.to_owned());
    }
    load(task, &mut raw, &mut data, &mut sources)?;
    let values = task.check(&raw)?;
    // What does not fit the data is found out by starting on nothing.
    if values.takes_data() {
        task.start(&values, 0..0, &data, &[])?;
    }
    Ok(Prepared { task, raw, values, data, sources, saved })
}

/// The task and its texts, from a permalink or a file.
fn find(spec: &str) -> Result<(&'static dyn Task, Raw), Vec<InputError>> {
    let link = if spec.trim_start().starts_with('#') || spec.starts_with('/') && spec.contains('?') {
        Link::parse(spec.trim())
    } else {
        read_file(spec).map_err(|why| {
            let why = format!("a permalink that starts with #/, or a JSON file, is needed; {why}");
            vec![InputError::new("spec", spec).because(why)]
        })?
    };
    known(link)
}

/// The task of a link, and its texts.
fn known(mut link: Link) -> Result<(&'static dyn Task, Raw), Vec<InputError>> {
    if let Some(made) = link.take_revision()
        && let Some(since) = catalog().model(model_of(&link.task)).and_then(|model| model.changes_since(made))
    {
        eprintln!("{since}");
    }
    if let Some(task) = task(&catalog().route(&link)) {
        Ok((task, link.raw))
    } else {
        let known: Vec<&str> = TASKS.iter().map(|t| t.meta().id).collect();
        let coming = MODELS.iter().any(|m| m.id == link.task);
        let not_yet = if coming { "; this model is not built yet" } else { "" };
        let expected = format!("one of {}{not_yet}", known.join(", "));
        Err(vec![InputError::new("model", link.task).expected(expected).nearest(known[0])])
    }
}

fn read_file(path: &str) -> Result<Link, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    let Value::Object(mut object) = serde_json::from_str(&text).map_err(|e| format!("{path}: {e}"))? else {
        return Err(format!("{path} holds no JSON object"));
    };
    let Some(Value::String(task)) = object.remove("model") else {
        return Err(format!("{path} does not say \"model\""));
    };
    Ok(Link { task, raw: object.into_iter().map(|(key, value)| (key, as_text(value))).collect() })
}

fn as_text(value: Value) -> String {
    match value {
        Value::String(text) => text,
        Value::Array(items) => items.into_iter().map(as_text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Reads the files that the specification names and that are not in the store, if any; their paths give way to names and hashes,
/// as in a permalink.
fn load(
    task: &dyn Task,
    raw: &mut Raw,
    store: &mut Store,
    sources: &mut Vec<String>,
) -> Result<(), Vec<InputError>> {
    let mut problems = Vec::new();
    for field in task.fields().iter().filter(|f| f.kind == Kind::Data) {
        let Some(text) = raw.get_mut(field.key) else { continue };
        if DataRef::parse(text).and_then(|named| named.content()).is_some_and(|hash| store.has(hash)) {
            continue;
        }
        match folder::load(store, text) {
            Ok(named) => {
                sources.push(text.clone());
                *text = named.map_or(String::new(), |named| named.to_string());
            }
            Err(mut misfit) => {
                if field.is_artefact() {
                    misfit.accepted += "; a file that --save or the page has written is needed";
                }
                problems.push(InputError { field: field.key.into(), label: field.name(), ..misfit.into() });
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}
