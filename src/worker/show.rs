//! Snapshots in, figures out: what the page asks of the solvers' program, so that it need not know any model itself.

use crate::lab::Shown;
use crate::models::task;
use crate::protocol::Show;

/// What is to be seen of the snapshots.
///
/// # Errors
/// If the task is unknown, or the bytes are none of its snapshots: they come from another version.
pub fn show(question: &Show) -> Result<Shown, String> {
    let task = task(&question.task).ok_or_else(|| format!("there is no task {}", question.task))?;
    let values = task.check(&question.spec).map_err(|problems| format!("{problems:?}"))?;
    let parts: Vec<&[u8]> = question.parts.iter().map(|part| part.as_slice()).collect();
    Ok(task.result(&values, &parts)?.shown())
}
