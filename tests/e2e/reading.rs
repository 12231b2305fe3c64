//! Doubts about the reading of a table, and repairs, on the built page: each is decided with one click and undone with one.

use std::fs;
use std::path::Path;

use crate::data::load;
use crate::support::page::{SHOWN, SOON, click_button, wait_for};
use crate::support::{Browser, Options};

const ANSWERS: &str =
    "[...document.querySelectorAll('.answers button')].map(button => button.textContent).join(' | ')";
const APPLIED: &str = "document.querySelector('.applied')?.textContent ?? ''";
/// The last line of the file: its number, its text, and its cells as they are read.
const LAST_LINE: &str =
    "[...document.querySelectorAll('.preview tr:last-child td')].map(cell => cell.textContent).join(' | ')";
const REMARKS: &str = "[...document.querySelectorAll('.remark')].map(p => p.textContent).join(' ')";

#[test]
fn a_doubt_is_decided_with_one_click_and_undone_with_one() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    load(&browser);
    let rows = ["62;1.588;no", "44;269;yes", "57;811;no", "39;412;yes", "48;923;no", "51;377;yes"];
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("doubt.csv");
    fs::write(&path, format!("age;salary;y\n{}\n", rows.join("\n"))).unwrap();
    browser.upload("#field-data", &path);
    wait_for(&browser, ANSWERS, "Yes: 1588, 269, 811 | No: 1.588, 269, 811");
    click_button(&browser, "Yes: 1588, 269, 811");
    wait_for(&browser, APPLIED, "Decimal sign: comma");
    wait_for(&browser, REMARKS, "decimal comma");
    browser.wait_until(&format!("location.hash.includes('decimal=comma') && {SHOWN}"), SOON).unwrap();
    assert_eq!(browser.eval::<String>(ANSWERS), "");
    assert_eq!(browser.eval::<String>(LAST_LINE), "7 | 51;377;yes | 51 | 377 | yes");
    browser.click(".applied button");
    wait_for(&browser, ANSWERS, "Yes: 1588, 269, 811");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}
