//! Answers the page, which itself knows no model: what there is, whether a specification makes sense, and what is to be seen
//! of snapshots.

use crate::lab::Shown;
use crate::models::{Runnable, Tasks, catalog_of, find};
use crate::protocol::{Question, Show, encode};

/// The answer of who knows some tasks to a question: a `Result<_, String>` as bytes, of the type that the question says. The error is for what
/// only another version of the page can have asked.
pub fn answer(tasks: Tasks, question: &Question) -> Vec<u8> {
    let known = |id: &str| find(tasks, id).ok_or_else(|| format!("there is no task {id}"));
    match question {
        Question::Catalog => encode(&Ok::<_, String>(catalog_of(tasks).listing())),
        Question::Check { task, spec } => encode(&known(task).map(|task| task.check(spec))),
        Question::Plan { task, values, facts } => {
            encode(&known(task).and_then(|task| task.plan(values, facts.as_ref())))
        }
        Question::Show(question) => encode(&known(&question.task).and_then(|task| show(task, question))),
    }
}

fn show(task: &dyn Runnable, question: &Show) -> Result<Shown, String> {
    let values = task.check(&question.spec).map_err(|problems| format!("{problems:?}"))?;
    let parts: Vec<&[u8]> = question.parts.iter().map(|part| part.as_slice()).collect();
    Ok(task.result(&values, &parts)?.shown())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{InputError, Listing, Plan, Raw, Values};
    use crate::models::{MODELS, feedforward, gp};
    use crate::protocol::decode;

    #[test]
    fn the_listing_arrives_as_it_was_sent() {
        let bytes: &'static [u8] = answer(gp::MODEL.tasks, &Question::Catalog).leak();
        let listing = decode::<Result<Listing, String>>(bytes).unwrap().unwrap();
        assert_eq!(listing, catalog_of(gp::MODEL.tasks).listing());
        assert_eq!((listing.tasks.len(), listing.models.len()), (gp::MODEL.tasks.len(), MODELS.len()));
        assert!(listing.tasks.iter().all(|task| !task.fields.is_empty()));
    }

    #[test]
    fn a_specification_is_checked_as_the_task_would() {
        let ask = |task: &str, pairs: &[(&str, &str)]| {
            let spec: Raw = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let bytes = answer(feedforward::MODEL.tasks, &Question::Check { task: task.into(), spec });
            decode::<Result<Result<Values, Vec<InputError>>, String>>(&bytes).unwrap()
        };
        let values = ask("feedforward", &[("beta", "inf")]).unwrap().unwrap();
        assert_eq!(values.to_raw()["beta"], "inf");
        assert_eq!(ask("feedforward", &[("beta", "x")]).unwrap().unwrap_err()[0].field, "beta");
        assert!(ask("nothing", &[]).unwrap_err().contains("nothing"));
        assert!(ask("gp", &[]).unwrap_err().contains("gp"), "another program's");
        let plan = find(feedforward::MODEL.tasks, "feedforward").unwrap().plan(&values, None);
        let bytes = answer(
            feedforward::MODEL.tasks,
            &Question::Plan { task: "feedforward".into(), values, facts: None },
        );
        assert_eq!(decode::<Result<Plan, String>>(&bytes), Ok(plan));
    }
}
