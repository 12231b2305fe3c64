//! Replay of a run: which frames there are, and the figures of one of them.

use super::pool::{Phase, TrackedRun};
use crate::figure::{Figure, FigureKind, Panel};

/// Frames of a page: those of the live companion, then those of the run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Number of frames of the live companion.
    pub live: usize,
    /// Number of frames of the run.
    pub run: usize,
}

/// The frames of both queues at a position of the timeline; `None` for the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Frame of the live companion.
    pub live: Option<usize>,
    /// Frame of the run.
    pub run: Option<usize>,
}

impl Timeline {
    /// Returns the timeline of a finished run and its live companion; an empty one before both are finished.
    pub fn of(run: Option<&TrackedRun>, live: Option<&TrackedRun>) -> Self {
        let frames = |run: Option<&TrackedRun>| run.map_or(0, |run| run.frames().len());
        let unfinished = |run: &TrackedRun| run.phase != Phase::Finished;
        if run.is_none_or(unfinished) || live.is_some_and(unfinished) {
            return Self::default();
        }
        Self { live: frames(live), run: frames(run) }
    }

    /// Returns the number of positions.
    pub fn positions(self) -> usize {
        self.live + self.run
    }

    /// Returns the frames at a position: while the live companion is replayed, the run shows its first frame.
    pub fn at(self, position: usize) -> Position {
        match position.checked_sub(self.live) {
            None => Position { live: Some(position), run: (self.run > 0).then_some(0) },
            Some(frame) => Position { live: None, run: Some(frame) },
        }
    }
}

/// Returns the figures at the end of a run, those whose ids are `replayed` with the marks of a frame and its titles of panels, which have
/// its numbers. Axes, headlines and captions are those of the end, so that nothing moves but the marks; figures without a picture in the
/// frame are those of the end.
pub fn at_frame(end: Vec<Figure>, frame: Vec<Figure>, replayed: impl Fn(&str) -> bool) -> Vec<Figure> {
    let mut frame = frame;
    let replayed = |end: Figure| {
        let same = |other: &Figure| other.id == end.id && !other.marks.is_empty() && replayed(&end.id);
        let same = frame.iter().position(same);
        let Some(index) = same else { return end };
        let Figure { marks, notes, kind, .. } = frame.swap_remove(index);
        Figure { marks, notes, kind: with_titles(end.kind, kind), ..end }
    };
    end.into_iter().map(replayed).collect()
}

/// Returns the panels of the end with the titles of a frame; those of the end where the frame has other panels or no titles.
fn with_titles(end: FigureKind, frame: FigureKind) -> FigureKind {
    match (end, frame) {
        (FigureKind::Panels { mut panels, columns }, FigureKind::Panels { panels: now, .. }) => {
            for Panel { key, title, .. } in now.into_iter().filter(|panel| !panel.title.is_empty()) {
                if let Some(same) = panels.iter_mut().find(|panel| panel.key == key) {
                    same.title = title;
                }
            }
            FigureKind::Panels { panels, columns }
        }
        (end, _) => end,
    }
}

#[cfg(test)]
mod tests {
    use super::super::pool::tests::PoolHarness;
    use super::super::results::Results;
    use super::*;
    use crate::figure::{Axis, Curve, Hue, Point};
    use crate::lab::Queue;

    #[test]
    fn the_live_companion_is_replayed_first() {
        let timeline = Timeline { live: 2, run: 3 };
        assert_eq!(timeline.positions(), 5);
        let positions: Vec<_> = (0..5).map(|i| timeline.at(i)).map(|at| (at.live, at.run)).collect();
        assert_eq!(
            positions,
            [(Some(0), Some(0)), (Some(1), Some(0)), (None, Some(0)), (None, Some(1)), (None, Some(2))]
        );
        assert_eq!(Timeline { live: 1, run: 0 }.at(0), Position { live: Some(0), run: None });
    }

    #[test]
    fn a_frame_keeps_the_axes_and_texts_of_the_final_figure() {
        let curve = |y| Curve::new("c", "curve", Hue::Ink).points([Point::new(0.0, y)]);
        let figure = |id: &str, y| {
            Figure::new(id, "title").x(Axis::linear("x", (0.0, y))).finding_and_summary(format!("{y}"))
        };
        let end = vec![figure("a", 2.0).mark(curve(2.0)), figure("b", 2.0).mark(curve(2.0))];
        let frame = vec![figure("a", 1.0).mark(curve(1.0)), figure("b", 1.0)];
        let shown = at_frame(end.clone(), frame.clone(), |_| true);
        assert_eq!(shown, [figure("a", 2.0).mark(curve(1.0)), end[1].clone()]);
        assert_eq!(at_frame(end.clone(), frame, |id| id != "a"), end, "the other figures are replayed");
    }

    /// Regression: an ellipse not yet fitted was titled with its final divergence.
    #[test]
    fn titles_of_panels_count_down_in_a_replay() {
        let axis = || Axis::linear("x", (0.0, 1.0));
        let panel = |title: &str| Panel::new("p", axis(), axis()).titled(title, Hue::Ink);
        let curve = || Curve::new("c", "curve", Hue::Ink).points([Point::new(0.0, 1.0)]);
        let figure = |title: &str| Figure::new("f", "").panels(1, [panel(title)]).mark(curve());
        let title = |now: &str| {
            let shown = at_frame(vec![figure("1.5 off")], vec![figure(now)], |_| true);
            shown[0].all_panels()[0].title.clone()
        };
        assert_eq!([title("9.7 off"), title("")], ["9.7 off", "1.5 off"]);
    }

    #[test]
    fn only_a_finished_run_is_replayed_and_eight_workers_give_the_same_frames() {
        let frames = |cores: usize| {
            let mut harness = PoolHarness::new(cores);
            harness.start("#/feedforward?inputs=20&alphas=1,3&runs=40");
            harness.turn();
            assert_eq!(Timeline::of(Some(harness.run()), None), Timeline::default());
            harness.finish();
            let run = harness.run();
            let timeline = Timeline::of(Some(run), None);
            let mut results = Results::default();
            (0..timeline.positions())
                .map(|i| results.of_frame(Queue::Run, run, &run.values, i).unwrap().unwrap())
                .collect::<Vec<_>>()
        };
        let one = frames(1);
        assert!(one.len() > 20, "{} frames", one.len());
        assert_eq!(one, frames(8));
    }
}
