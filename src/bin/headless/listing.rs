//! Tasks and their settings: as text, as JSON, and as candidates for shell completion.

use std::fmt::Write as _;

use meanfield::lab::{Field, Group, InputError, Kind, Link, Task};
use meanfield::models::{MODELS, catalog, task};
use serde_json::{Value, json};

/// Width of the text in characters.
const WIDTH: usize = 100;

/// Returns the task with this identifier or permalink.
///
/// # Errors
/// If there is no such task.
pub fn find(name: &str) -> Result<&'static dyn Task, InputError> {
    let link = Link::parse(&format!("#/{}", name.trim_start_matches(['#', '/'])));
    let known: Vec<&str> = catalog().tasks().map(|task| task.meta().id).collect();
    task(&link.task).ok_or_else(|| {
        let similar = known.iter().find(|id| id.starts_with(&link.task) || link.task.starts_with(**id));
        let nearest = similar.unwrap_or(&known[0]);
        InputError::new("task", link.task).expected(format!("one of {}", known.join(", "))).nearest(nearest)
    })
}

/// Returns a task and its settings as JSON.
pub fn as_json(task: &dyn Task) -> Value {
    let field = |f: &Field| {
        let of_field = json!({ "help": f.help, "expected": f.expected(), "default": f.default });
        (f.key.to_owned(), of_field)
    };
    let fields: serde_json::Map<String, Value> = task.fields().iter().map(field).collect();
    json!({ "task": task.meta().id, "title": task.meta().title, "fields": fields })
}

/// Returns the list of all tasks, grouped by model.
pub fn tasks() -> String {
    let width = catalog().tasks().map(|task| task.meta().id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for model in MODELS {
        let _ = writeln!(text, "{} ({})", model.name, model.paper.short);
        for meta in model.tasks.iter().map(|task| task.meta()) {
            let line = if meta.question.is_empty() { meta.title } else { meta.question };
            let _ = writeln!(text, "  {:width$}  {line}", meta.id);
        }
        text.push('\n');
    }
    text + "headless --help TASK lists the settings of a task; --json prints JSON."
}

/// Returns the settings of a task in groups, and its presets.
pub fn settings(task: &dyn Task) -> String {
    let meta = task.meta();
    let heading = if meta.question.is_empty() { meta.title } else { meta.question };
    let mut text = format!("{}: {heading}\n", meta.id);
    if !meta.subtitle.is_empty() {
        text += &wrapped(meta.subtitle, 0);
    }
    let _ = writeln!(text, "\nUsage: headless '#/{}?KEY=VALUE&…'", meta.id);
    for (group, name) in
        [(Group::Problem, "Problem"), (Group::Method, "Method"), (Group::Run, "Runs and seed")]
    {
        let fields: Vec<&Field> = task.fields().iter().filter(|field| field.group == group).collect();
        if !fields.is_empty() {
            let _ = writeln!(text, "\n{name}");
            for field in fields {
                text += &setting(field);
            }
        }
    }
    if !meta.presets.is_empty() {
        text += "\nPresets\n";
    }
    for preset in meta.presets {
        let _ = writeln!(text, "  '#/{}?{}'", meta.id, preset.query);
        text += &wrapped(&format!("{}. {}", preset.label.trim_end_matches('.'), preset.help), 6);
    }
    text.trim_end().to_owned()
}

/// Returns key, default, label, help, accepted values and conditions of a setting.
fn setting(field: &Field) -> String {
    let default = if field.default.is_empty() { "(empty)" } else { field.default };
    let mut text = format!("  {:<18}default: {default}\n", field.key);
    text += &wrapped(&format!("{}. {}", field.name(), field.help), 6);
    text += &wrapped(&format!("Values: {}.", field.expected()), 6);
    if !field.shown_if.is_empty() {
        let condition = |c: &meanfield::lab::Condition| {
            let values = c.values.iter().map(|value| if value.is_empty() { "(empty)" } else { value });
            let values = values.collect::<Vec<_>>().join(" or ");
            format!("{} {} {values}", c.key, if c.is { "=" } else { "is not" })
        };
        let all: Vec<String> = field.shown_if.iter().map(condition).collect();
        text += &wrapped(&format!("Applies only if {}.", all.join(" and ")), 6);
    }
    text
}

/// Wraps text to lines of at most [`WIDTH`] characters, indented by `indent` spaces; longer words are not broken.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used > 0 && used + 1 + length > WIDTH {
            lines.push('\n');
            used = 0;
        }
        if used == 0 {
            lines += &" ".repeat(indent);
            used = indent + length;
        } else {
            lines.push(' ');
            used += 1 + length;
        }
        lines += word;
    }
    lines + "\n"
}

/// Returns the completions of a permalink that begins with `word`: tasks, then setting keys, then values of a choice or flag.
pub fn complete_link(word: &str) -> Vec<String> {
    let Some((id, query)) = word.split_once('?') else {
        let links = catalog().tasks().map(|task| format!("#/{}", task.meta().id));
        let mut found: Vec<String> = links.filter(|link| link.starts_with(word)).collect();
        if let [only] = &mut found[..] {
            only.push('?');
        }
        return found;
    };
    let Some(task) = task(id.trim_start_matches(['#', '/'])) else { return Vec::new() };
    let (before, last) = query.rsplit_once('&').unwrap_or(("", query));
    let start = if before.is_empty() { format!("{id}?") } else { format!("{id}?{before}&") };
    let candidates: Vec<String> = match last.split_once('=') {
        None => task.fields().iter().map(|field| format!("{}=", field.key)).collect(),
        Some((key, _)) => {
            let field = task.fields().iter().find(|field| field.key == key);
            let values: Vec<&str> = match field.map(|field| field.kind) {
                Some(Kind::Choice(words)) => words.iter().map(|(word, _)| *word).collect(),
                Some(Kind::Flag) => vec!["true", "false"],
                _ => Vec::new(),
            };
            values.into_iter().map(|value| format!("{key}={value}")).collect()
        }
    };
    candidates
        .into_iter()
        .filter(|found| found.starts_with(last))
        .map(|found| start.clone() + &found)
        .collect()
}
