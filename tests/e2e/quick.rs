//! Tests that `scripts/test` runs in every engine, with a few of the others.

use std::collections::HashSet;

use meanfield::figure::tidy_csv;
use meanfield::lab::{Kind, Link};
use meanfield::models::TASKS;

use crate::common::{every_task, plan, result};
use crate::support::page::{INK, PATIENCE, SHOWN, numbers};
use crate::support::{Browser, Options};

/// Every page without a file computes, draws, and has the numbers of the native build with all digits.
#[test]
fn every_page_has_the_numbers_of_the_native_build() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let pages = every_task().filter(|(task, _)| {
        task.meta().tab.is_some() && task.fields().iter().all(|field| !matches!(field.kind, Kind::Data))
    });
    let mut seen = 0;
    for (task, raw) in pages {
        let native = result(task, &raw, plan(task, &raw).stages());
        let native: String = native.figures().iter().map(tidy_csv).collect();
        let native: HashSet<&str> = native.lines().collect();
        let link = Link { task: task.meta().id.to_owned(), raw }.to_string();
        browser.goto(&link);
        browser.wait_done(PATIENCE).unwrap();
        browser.wait_until(SHOWN, PATIENCE).unwrap();
        let copied = numbers(&browser);
        let (same, other): (Vec<&str>, Vec<&str>) =
            copied.iter().map(String::as_str).partition(|line| native.contains(line));
        // A live companion adds marks to the figure of the run.
        let all = task.meta().live.is_none();
        assert!(
            !same.is_empty() && (other.is_empty() || !all),
            "{link}: the native build has no {:?} …",
            &other[..other.len().min(3)]
        );
        assert!(browser.eval::<u32>(INK) > 500, "{link}: nothing is drawn");
        seen += 1;
    }
    assert!(seen > TASKS.len() / 4, "only {seen} pages were opened");
    assert_eq!(browser.console_errors(), [""; 0]);
}
