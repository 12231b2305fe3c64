//! Answers the page, which itself knows no model: what there is, whether a specification makes sense, and what is to be seen
//! of snapshots.

use crate::lab::{InputError, Shown};
use crate::models::{Drawing, Tasks, catalog_of, find};
use crate::protocol::{Question, Show, encode};

/// Runs whose snapshots stay decoded: the one of each queue.
const KEPT: usize = 2;

/// Answers the questions of a page, and keeps the runs that it shows decoded.
pub struct Queries {
    tasks: Tasks,
    /// By the number of the run, the latest last.
    drawings: Vec<(u64, Box<dyn Drawing>)>,
}

impl Queries {
    /// Answers about these tasks.
    pub fn new(tasks: Tasks) -> Self {
        Self { tasks, drawings: Vec::new() }
    }

    /// The answer to one question: a `Result<T, String>` as bytes, with the `T` that the question names. The error is for what only
    /// another version of the page can have asked.
    pub fn answer(&mut self, question: &Question) -> Vec<u8> {
        let tasks = self.tasks;
        let known = |id: &str| find(tasks, id).ok_or_else(|| format!("there is no task {id}"));
        match question {
            Question::Catalog => encode(&Ok::<_, String>(catalog_of(tasks).listing())),
            Question::Check { task, spec } => encode(&known(task).map(|task| task.check(spec))),
            Question::Plan { task, values, facts } => {
                encode(&known(task).and_then(|task| task.plan(values, facts.as_ref())))
            }
            Question::Show(show) => encode(&self.show(show)),
            Question::Records { run } => encode(&self.drawing(*run).map(|drawing| drawing.records())),
        }
    }

    fn show(&mut self, show: &Show) -> Result<Shown, String> {
        if !self.drawings.iter().any(|(run, _)| *run == show.run) {
            let task =
                find(self.tasks, &show.task).ok_or_else(|| format!("there is no task {}", show.task))?;
            let values = task.check(&show.spec).map_err(InputError::joined)?;
            // Of a task only its latest run is shown.
            self.drawings.retain(|(_, drawing)| drawing.task() != show.task);
            if self.drawings.len() == KEPT {
                self.drawings.remove(0);
            }
            self.drawings.push((show.run, task.drawing(&values)?));
        }
        let drawing = self.drawing(show.run)?;
        drawing.follow(&show.spec)?;
        drawing.update(&show.parts)?;
        Ok(drawing.shown())
    }

    /// The run of that number, which is shown.
    fn drawing(&mut self, run: u64) -> Result<&mut Box<dyn Drawing>, String> {
        let drawing = self.drawings.iter_mut().find(|(number, _)| *number == run);
        drawing.map(|(_, drawing)| drawing).ok_or_else(|| format!("there is no run {run}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::ShownPart;
    use crate::lab::{Listing, Plan, Raw, Values};
    use crate::models::{MODELS, feedforward, gp};
    use crate::protocol::decode;
    use serde_bytes::ByteBuf;

    #[test]
    fn the_listing_arrives_as_it_was_sent() {
        let bytes: &'static [u8] = Queries::new(gp::MODEL.tasks).answer(&Question::Catalog).leak();
        let listing = decode::<Result<Listing, String>>(bytes).unwrap().unwrap();
        assert_eq!(listing, catalog_of(gp::MODEL.tasks).listing());
        assert_eq!((listing.tasks.len(), listing.models.len()), (gp::MODEL.tasks.len(), MODELS.len()));
        assert!(listing.tasks.iter().all(|task| !task.fields.is_empty()));
    }

    #[test]
    fn a_specification_is_checked_as_the_task_would() {
        let ask = |task: &str, pairs: &[(&str, &str)]| {
            let spec: Raw = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
            let question = Question::Check { task: task.into(), spec };
            let bytes = Queries::new(feedforward::MODEL.tasks).answer(&question);
            decode::<Result<Result<Values, Vec<InputError>>, String>>(&bytes).unwrap()
        };
        let values = ask("feedforward", &[("beta", "inf")]).unwrap().unwrap();
        assert_eq!(values.to_raw()["beta"], "inf");
        assert_eq!(ask("feedforward", &[("beta", "x")]).unwrap().unwrap_err()[0].field, "beta");
        assert!(ask("nothing", &[]).unwrap_err().contains("nothing"));
        assert!(ask("gp", &[]).unwrap_err().contains("gp"), "another program's");
        let plan = find(feedforward::MODEL.tasks, "feedforward").unwrap().plan(&values, None);
        let question = Question::Plan { task: "feedforward".into(), values, facts: None };
        let bytes = Queries::new(feedforward::MODEL.tasks).answer(&question);
        assert_eq!(decode::<Result<Plan, String>>(&bytes), Ok(plan));
    }

    /// What the page shows while parts come in one by one, one is replaced and one is lost with its worker, is what all of them
    /// sent at once show.
    #[test]
    fn a_part_is_sent_once_and_stays_until_it_is_replaced() {
        let task = find(feedforward::MODEL.tasks, "feedforward").unwrap();
        let spec = Raw::from(
            [("inputs", "20"), ("runs", "6"), ("alphas", "1,2")].map(|(k, v)| (k.to_owned(), v.to_owned())),
        );
        let plan = task.plan(&task.check(&spec).unwrap(), None).unwrap();
        let run = |units: std::ops::Range<usize>| {
            let mut run = task.start(&spec, units, &crate::data::Store::default(), &[]).unwrap();
            while run.advance() != crate::lab::Progress::Done {}
            ByteBuf::from(run.snapshot())
        };
        let (a, b, c) = (run(0..4), run(4..plan.units()), run(4..5));
        let show = |run: u64, parts: &[(usize, u64, Option<&ByteBuf>)]| {
            let part = |(first, stamp, bytes): &(usize, u64, Option<&ByteBuf>)| ShownPart {
                first: *first,
                stamp: *stamp,
                bytes: bytes.cloned(),
            };
            let parts = parts.iter().map(part).collect();
            Question::Show(Show { run, task: "feedforward".into(), spec: spec.clone(), parts })
        };
        let read = |bytes: Vec<u8>| decode::<Result<Shown, String>>(&bytes).unwrap();
        let mut queries = Queries::new(feedforward::MODEL.tasks);
        let at_once = |parts: &[(usize, u64, Option<&ByteBuf>)]| {
            read(Queries::new(feedforward::MODEL.tasks).answer(&show(9, parts))).unwrap()
        };
        let mut step = |parts: &[(usize, u64, Option<&ByteBuf>)]| read(queries.answer(&show(1, parts)));
        assert_eq!(step(&[(4, 1, Some(&c))]).unwrap(), at_once(&[(4, 1, Some(&c))]));
        let both = at_once(&[(0, 1, Some(&a)), (4, 2, Some(&b))]);
        assert_eq!(step(&[(0, 2, Some(&a)), (4, 3, Some(&b))]).unwrap(), both);
        assert_eq!(step(&[(0, 2, None), (4, 3, None)]).unwrap(), both);
        assert_eq!(step(&[(0, 2, None)]).unwrap(), at_once(&[(0, 1, Some(&a))]), "its worker died");
        assert!(step(&[(0, 2, None), (4, 3, None)]).is_err(), "what was dropped is not made up");
    }

    /// What only figures follow changes the figures of a run whose parts are not sent again.
    #[test]
    fn the_figures_follow_a_setting_for_display() {
        let table = "a,y\n1,0\n2,0\n3,1\n4,0\n5,1\n6,1\n";
        let mut store = crate::data::Store::default();
        store.load(table.as_bytes()).unwrap();
        let data = crate::data::DataRef::file("t.csv", table.as_bytes()).to_string();
        let spec = |threshold: &str| {
            Raw::from(
                [("data", data.as_str()), ("threshold", threshold)]
                    .map(|(k, v)| (k.to_owned(), v.to_owned())),
            )
        };
        let task = find(gp::MODEL.tasks, "gp.data").unwrap();
        let mut run = task.start(&spec("0.5"), 0..1, &store, &[]).unwrap();
        while run.advance() != crate::lab::Progress::Done {}
        let bytes = ByteBuf::from(run.snapshot());
        let mut queries = Queries::new(gp::MODEL.tasks);
        let mut confusion = |threshold: &str, bytes: Option<ByteBuf>| {
            let parts = vec![ShownPart { first: 0, stamp: 1, bytes }];
            let show = Show { run: 1, task: "gp.data".into(), spec: spec(threshold), parts };
            let shown =
                decode::<Result<Shown, String>>(&queries.answer(&Question::Show(show))).unwrap().unwrap();
            shown.figures.into_iter().find(|figure| figure.id == "confusion").unwrap().finding.clone()
        };
        let (half, none) = (confusion("0.5", Some(bytes)), confusion("1", None));
        assert_eq!(none, "Leave-one-out: 3 of 6 classified correctly.", "nothing is predicted positive");
        assert_ne!(half, none);
        assert_eq!(confusion("0.5", None), half);
    }
}
