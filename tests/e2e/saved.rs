//! Columns with their roles; a run saved with its data, opened elsewhere without computing, and printed.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::data::load;
use crate::support::page::{PATIENCE, SENTENCE, SHOWN, SOON, axe_faults, click_button, table, wait_for};
use crate::support::{Browser, Options};

const ROLES: &str = "[...document.querySelectorAll('.columns tbody tr')]
    .map(row => row.cells[0].querySelector('b').textContent + ' ' + row.querySelector('select').selectedOptions[0].textContent).join(', ')";

fn assign(browser: &Browser, column: &str, role: &str) {
    let script = format!(
        "(box => {{ box.value = [...box.options].find(option => option.textContent === {}).value;
            box.dispatchEvent(new Event('change', {{ bubbles: true }})); }})
         (document.querySelector('select[aria-label={}]'))",
        json!(role),
        json!(format!("Role of {column}"))
    );
    browser.eval::<()>(&script);
}

#[test]
fn a_run_on_a_table_is_a_file_that_opens_on_any_page() {
    const CAPTIONS: &str = "[...document.querySelectorAll('figcaption')].map(c => c.textContent).join(' ')";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    load(&browser);
    let row = |i: usize| format!("{i},{},{},k{i}", (i * 7) % 11, if (i * 7) % 11 > 4 { "no" } else { "yes" });
    let rows: Vec<String> = (0..40).map(row).collect();
    let own = Path::new(env!("CARGO_TARGET_TMPDIR")).join("roles.csv");
    fs::write(&own, format!("a,b,grown,who\n{}\n", rows.join("\n"))).unwrap();
    browser.upload("#field-data", &own);
    // The last column cannot be the label, which is reported; its role is changed beside the message.
    wait_for(&browser, ROLES, "a input, b input, grown input, who label");
    browser.click("details:has(.columns) > summary");
    assign(&browser, "who", "ID");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(browser.eval::<String>(ROLES), "a input, b input, grown label, who ID");
    assert!(browser.eval::<String>("location.hash").contains("id=who"));
    assign(&browser, "a", "ignored");
    browser.wait_until(&format!("location.hash.includes('ignore=a') && {SHOWN}"), PATIENCE).unwrap();
    assert_eq!(axe_faults(&browser), Vec::<String>::new());
    click_button(&browser, "Undo");
    browser.wait_until(&format!("{ROLES}.includes('a input')"), SOON).unwrap();
    assign(&browser, "a", "ignored");
    browser.wait_until(&format!("location.hash.includes('ignore=a') && {SHOWN}"), PATIENCE).unwrap();
    let (link, numbers): (String, String) = (browser.eval("location.hash"), table(&browser));
    let captions: String = browser.eval(CAPTIONS);

    browser.click(".share summary");
    click_button(&browser, "Save report");
    let report = String::from_utf8(browser.download("feedforward.data.html", SOON).unwrap()).unwrap();
    assert!(report.contains("roles.csv@") && report.matches("<figure>").count() >= 2, "{report}");
    click_button(&browser, "Save run");
    let saved = browser.download("roles.feedforward.data.run.bin", SOON).unwrap();
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mine.run.bin");
    fs::write(&file, &saved).unwrap();

    let Some(other) = Browser::open(&Options::default()) else { return };
    other.goto("#/gp");
    other.wait_done(PATIENCE).unwrap();
    other.click(".share summary");
    other.upload(".saving input", &own);
    wait_for(&other, "document.querySelector('.messages').textContent", "roles.csv is not a saved run.");
    other.upload(".saving input", &file);
    other
        .wait_until(&format!("location.hash.startsWith('#/feedforward.data') && {SHOWN}"), PATIENCE)
        .unwrap();
    assert_eq!(other.eval::<String>("location.hash"), link);
    wait_for(&other, SENTENCE, "Done");
    wait_for(&other, "document.querySelector('.messages').textContent", "Results of a saved run");
    assert_eq!((other.eval::<String>(CAPTIONS), table(&other)), (captions, numbers));
    assert_eq!(other.eval::<String>(ROLES), "a ignored, b input, grown label, who ID");
    // A truncated file is refused; the run stays.
    let short = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short.run.bin");
    fs::write(&short, &saved[..saved.len() - 9]).unwrap();
    other.upload(".saving input", &short);
    wait_for(
        &other,
        "document.querySelector('.messages').textContent",
        "short.run.bin cannot be opened: damaged",
    );
    assert_eq!(other.state(), "done");
    // The front page recognises it and opens it.
    let Some(front) = Browser::open(&Options::default()) else { return };
    front.goto("#/");
    front.upload("#own", &file);
    wait_for(
        &front,
        "document.querySelector('#looked').textContent",
        "mine.run.bin: a saved run of roles.csv, with its results.",
    );
    front.click("#looked a");
    front.wait_until(&format!("location.hash.includes('roles.csv') && {SHOWN}"), PATIENCE).unwrap();
    assert_eq!((front.eval::<String>("location.hash"), table(&front)), (link, table(&other)));
    // It predicts the rows of a second file by its model; labels give scores.
    let new = Path::new(env!("CARGO_TARGET_TMPDIR")).join("more.csv");
    fs::write(&new, "b,grown,who\n9,no,m1\n1,yes,m2\n2,yes,m3\n").unwrap();
    front.upload("#field-predict", &new);
    wait_for(&front, CAPTIONS, "perceptron, second file");
    wait_for(
        &front,
        "document.querySelector('.messages').textContent",
        "Only the predictions of the new rows are computed",
    );
    assert!(front.eval::<String>("location.hash").contains("predict=more.csv@"));
    wait_for(&front, SENTENCE, "Done");
    for page in [&browser, &other, &front] {
        assert!(page.console_errors().is_empty(), "{:?}", page.console_errors());
    }
}
