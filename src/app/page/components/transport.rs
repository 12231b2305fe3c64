//! Replay of the run that is shown: play, position and speed.

use leptos::prelude::*;

use crate::app::page::state::AppState;

/// Factors of the speed.
const SPEEDS: [(f64, &str); 4] = [(0.25, "¼×"), (0.5, "½×"), (1.0, "1×"), (2.0, "2×")];

/// Shows the bar that replays a finished run; it is empty while there is nothing to replay, and keeps its height.
#[component]
pub fn Transport(app: AppState) -> impl IntoView {
    let replay = app.replay;
    let frames = Memo::new(move |_| replay.timeline.with(|timeline| timeline.positions()));
    let last = move || frames.get().saturating_sub(1);
    let position = Memo::new(move |_| replay.position.get().unwrap_or_else(last));
    let playing = replay.playing;
    let words = move || format!("Frame {}/{}", position.get() + 1, frames.get());
    let spoken = move || format!("{}. {}", words(), replay.note.get());
    let seek = move |text: String| {
        if let Ok(position) = text.parse() {
            app.seek(position);
        }
    };
    let speed = move |text: String| {
        if let Some((factor, _)) = text.parse().ok().and_then(|index: usize| SPEEDS.get(index)) {
            replay.speed.set(*factor);
        }
    };
    let speeds = SPEEDS.iter().enumerate().map(|(index, (factor, words))| {
        view! { <option value=index.to_string() selected=*factor == 1.0>{*words}</option> }
    });
    view! {
        <div class="transport" role="group" aria-label="Replay">
            <Show when=move || 1 < frames.get()>
                <button type="button" class="play" class:playing=playing title="Replay the iterations of this run (P)"
                    on:click=move |_| app.play_or_pause()>
                    {move || if playing.get() { "Pause replay" } else { "Replay" }}
                </button>
                <input type="range" min="0" max=last step="1" prop:value=move || position.get().to_string()
                    aria-label="Frame" aria-valuetext=spoken
                    on:input:target=move |ev| seek(ev.target().value()) />
                <span class="frame" aria-hidden="true">{words}</span>
                <select aria-label="Replay speed" title="Replay speed" on:change:target=move |ev| speed(ev.target().value())>
                    {speeds.clone().collect_view()}
                </select>
            </Show>
        </div>
    }
}
