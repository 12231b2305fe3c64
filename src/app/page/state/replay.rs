//! Replay of the run that is shown: play, pause, step, and a position that can be dragged.

use leptos::prelude::*;

use super::AppState;
use crate::app::page::browser;
use crate::app::page::workers::now;
use crate::app::replay::Timeline;
use crate::figure::Mark;
use crate::render::Drawing;

/// Duration of a replay at normal speed, in milliseconds.
const DURATION_MS: f64 = 3_000.0;
/// Shortest and longest time for which a frame is shown at normal speed, in milliseconds.
const FRAME_MS: [f64; 2] = [40.0, 160.0];
/// Maximum time spent skipping frames with identical pictures before a redraw, in milliseconds.
const SKIP_MS: f64 = 10.0;
/// Minimum number of frames for automatic playback on the first view.
const MIN_AUTOPLAY_FRAMES: usize = 6;

/// The replay of the run that is shown, as signals.
#[derive(Clone, Copy)]
pub struct ReplaySignals {
    /// Frames of the run; none while it can still change.
    pub timeline: RwSignal<Timeline>,
    /// Position in the timeline; `None` shows the end of the run.
    pub position: RwSignal<Option<usize>>,
    /// Description of the work at this position.
    pub note: RwSignal<String>,
    /// True while it plays.
    pub playing: RwSignal<bool>,
    /// Playback speed relative to normal.
    pub speed: RwSignal<f64>,
    /// True until the first run of a page has been played.
    pub(super) unseen: StoredValue<bool>,
    /// Time at which the next frame is due, in milliseconds.
    due: StoredValue<f64>,
}

impl ReplaySignals {
    pub(super) fn new() -> Self {
        Self {
            timeline: RwSignal::default(),
            position: RwSignal::new(None),
            note: RwSignal::default(),
            playing: RwSignal::new(false),
            speed: RwSignal::new(1.0),
            unseen: StoredValue::new(false),
            due: StoredValue::new(0.0),
        }
    }
}

impl AppState {
    /// Pauses the replay if it is playing; otherwise plays it from its position, or from the start.
    pub fn play_or_pause(self) {
        self.replay.unseen.set_value(false);
        if self.replay.playing.get_untracked() {
            self.replay.playing.set(false);
            self.refresh();
        } else if self.replay.timeline.get_untracked().positions() > 0 {
            self.play();
            self.refresh();
        }
    }

    /// Plays from the position, or from the start. The first frame is scheduled for the next animation frame.
    fn play(self) {
        self.replay.playing.set(true);
        self.replay.due.set_value(now());
        self.schedule_frame();
    }

    /// Shows a position of the timeline; the last one is the end of the run.
    pub fn seek(self, position: usize) {
        self.replay.unseen.set_value(false);
        self.replay.playing.set(false);
        self.show_frame(position);
    }

    /// Shows the next position with another picture in the first figure or pair of figures, or the first one if all are alike.
    pub fn step_replay(self) {
        self.replay.unseen.set_value(false);
        self.replay.playing.set(false);
        let before = self.replay.position.get_untracked();
        self.advance_replay(f64::INFINITY);
        if before.is_none() && self.replay.position.get_untracked().is_none() {
            self.show_frame(0);
        }
    }

    /// Ends the replay; the end of the run is shown.
    pub(super) fn end_replay(self) {
        self.replay.playing.set(false);
        self.replay.position.set(None);
    }

    /// Plays the replay of the first run of a page once, if the user has not turned motion off.
    pub(super) fn play_unseen(self) {
        let frames = self.replay.timeline.with_untracked(|timeline| timeline.positions());
        if frames > 0 && self.replay.unseen.get_value() {
            self.replay.unseen.set_value(false);
            if frames >= MIN_AUTOPLAY_FRAMES && !browser::prefers_reduced_motion() {
                self.play();
            }
        }
    }

    /// Returns the number of figures at the top of the page: two that are read together stand side by side.
    pub fn first_count(self) -> usize {
        if self.task().is_some_and(|task| task.meta().pair) { 2 } else { 1 }
    }

    /// Returns the ids of the figures at the top of the page.
    pub(super) fn first_figures(self) -> Vec<String> {
        let id = |drawing: &Drawing| drawing.figure.id.clone();
        self.run.figures.with_untracked(|all| all.iter().take(self.first_count()).map(id).collect())
    }

    fn show_frame(self, position: usize) {
        let last = self.replay.timeline.with_untracked(|timeline| timeline.positions()).saturating_sub(1);
        self.replay.position.set((position < last).then_some(position));
        self.refresh();
    }

    /// Advances to the next position with a different picture, or to the first after the last. Skips identical pictures for at most
    /// about `ms` milliseconds.
    fn advance_replay(self, ms: f64) {
        let first = move || -> Vec<Vec<Mark>> {
            let marks = |drawing: &Drawing| drawing.figure.marks.clone();
            self.run.figures.with_untracked(|all| all.iter().take(self.first_count()).map(marks).collect())
        };
        let (before, start) = (first(), now());
        let mut next = self.replay.position.get_untracked().map_or(0, |position| position + 1);
        loop {
            self.show_frame(next);
            next += 1;
            let ended = self.replay.position.get_untracked().is_none();
            if ended || first() != before || now() - start > ms {
                break;
            }
        }
    }

    /// Shows the next frame when it is due, until the end. Each is derived and drawn in a task of its own, not before the browser paints,
    /// so that a slow phone can answer in between.
    fn schedule_frame(self) {
        browser::next_frame(move || {
            if now() >= self.replay.due.get_value() {
                browser::timeout(0, move || self.play_frame());
            } else if self.replay.playing.get_untracked() {
                self.schedule_frame();
            }
        });
    }

    fn play_frame(self) {
        if !self.replay.playing.get_untracked() {
            return;
        }
        let frames = self.replay.timeline.with_untracked(|timeline| timeline.positions()).max(1);
        let each = (DURATION_MS / frames as f64).clamp(FRAME_MS[0], FRAME_MS[1]);
        self.replay.due.set_value(now() + each / self.replay.speed.get_untracked());
        self.advance_replay(SKIP_MS);
        if self.replay.position.get_untracked().is_some() {
            self.schedule_frame();
        } else {
            self.replay.playing.set(false);
            self.refresh();
        }
    }
}
