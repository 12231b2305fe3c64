//! Nonlinear factor analysis, LH00.

mod learning;
mod long_runs;
mod oracle;
mod posterior;

/// Headings, exercises and notes once said causes, numbers and sources for the same thing.
#[test]
fn pages_call_the_hidden_sources_by_one_name() {
    use meanfield::lab::Task;
    use meanfield::models::catalog;

    for page in catalog().pages("nfa").map(Task::meta) {
        let notes = std::fs::read_to_string(format!("src/models/nfa/page/{}.html", page.id)).expect("notes");
        let exercises = page.exercises.iter().map(|exercise| exercise.text);
        let challenge = page.challenge.map(|challenge| challenge.text);
        let texts = [page.question, page.subtitle, &notes].into_iter().chain(exercises).chain(challenge);
        for text in texts {
            assert!(!text.contains("hidden number") && !text.contains("hidden cause"), "{}: {text}", page.id);
        }
    }
}
