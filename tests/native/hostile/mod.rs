//! Hostile input: permalinks, files, messages and saved runs with arbitrary bytes. Each is read, corrected or refused with a reason,
//! without a panic and without more memory than its bytes can fill.
//!
//! Failures that were found are tests of their own beside the corrected code; a new failure leaves its seed in
//! `tests/proptest-regressions`.

mod files;
mod links;
mod messages;
mod saved;
mod tables;

use proptest::prelude::*;
use proptest::sample::Index;

/// A change of some bytes: where, how, and with which byte.
pub type Change = (Index, u8, u8);

pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    prop::collection::vec(any::<Change>(), 1..6)
}

/// The same bytes but for these changes: one replaced, put in, taken out or flipped in a bit, or the rest cut off.
pub fn changed(bytes: &[u8], changes: &[Change]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (place, how, byte) in changes {
        let at = place.index(bytes.len() + 1);
        match how % 8 {
            0 => bytes.truncate(at),
            1 | 2 => bytes.insert(at, *byte),
            3 if at < bytes.len() => drop(bytes.remove(at)),
            4 if at < bytes.len() => bytes[at] ^= 1 << (byte % 8),
            _ if at < bytes.len() => bytes[at] = *byte,
            _ => {}
        }
    }
    bytes
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn links_are_read_back_and_corrected_or_refused() {
    links::read_back_and_are_mended_or_refused(400);
}

#[test]
fn images_and_labels_are_read_or_refused() {
    files::images_and_labels_are_read_or_refused(300);
}

#[test]
fn networks_are_computed_or_refused() {
    files::networks_are_computed_or_refused(100);
}

#[test]
fn tables_are_read_without_loss_or_refused() {
    tables::check_reading(3_000);
}

#[test]
fn messages_arrive_as_they_were_sent_or_are_refused() {
    messages::arrive_as_they_were_sent_or_are_refused(200);
}

#[test]
fn saved_runs_are_shown_or_refused() {
    saved::changed_files_are_refused(200);
    saved::changed_contents_are_shown_or_refused(200);
}

#[test]
#[ignore = "takes minutes; scripts/test --full runs it"]
fn a_hundred_times_as_many_hostile_inputs() {
    links::read_back_and_are_mended_or_refused(40_000);
    files::images_and_labels_are_read_or_refused(30_000);
    files::networks_are_computed_or_refused(10_000);
    tables::check_reading(100_000);
    messages::arrive_as_they_were_sent_or_are_refused(20_000);
    saved::changed_files_are_refused(20_000);
    saved::changed_contents_are_shown_or_refused(20_000);
}

/// A header, length or number that declares more than the file contains must not make the reader allocate that much.
#[test]
#[cfg(target_os = "linux")]
fn hostile_input_gets_no_more_memory_than_it_can_fill() {
    // In kilobytes; most of it is the program's own.
    const LIMIT: &str = "600000";
    let tests = std::env::current_exe().expect("this program");
    let ran = std::process::Command::new("sh")
        .args(["-c", "ulimit -v $1; shift; exec \"$@\"", "sh", LIMIT])
        .arg(tests)
        .args(["hostile::", "--skip", "no_more_memory", "--test-threads=1"])
        .output()
        .expect("a shell");
    let output = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success() && output.contains("8 passed"), "{output}");
}
