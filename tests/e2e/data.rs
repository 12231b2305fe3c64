//! The user's data on the built page: chosen, dropped, pasted, refused, shared.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::page::{
    PATIENCE, SENTENCE, SHOWN, SOON, axe_faults, click_button, enter, export, wait_for,
};
use crate::support::{Browser, Device, Options};
use serde_json::json;

const PAGE: &str = "#/feedforward.data";
const HASH: &str = "location.hash";
const REFUSED: &str = "document.querySelector('.drop .problem')?.textContent ?? ''";
const FIGURES: &str = "document.querySelectorAll('figure canvas:not([hidden])').length";
/// Returns the numbers of every figure.
pub const TABLES: &str = "(async () => {
    const boxes = [...document.querySelectorAll('details.data')];
    boxes.forEach(box => { box.open = true; });
    while (boxes.some(box => !box.querySelector('td'))) await new Promise(requestAnimationFrame);
    return [...document.querySelectorAll('.data tr')]
        .map(row => [...row.cells].map(cell => cell.textContent).join(' | ')).join('\\n');
})()";

/// Opens a page that asks for a file.
pub fn open() -> Option<Browser> {
    let browser = Browser::open(&Options::default())?;
    load(&browser);
    Some(browser)
}

/// Loads the page until it asks for a file.
#[track_caller]
pub fn load(browser: &Browser) {
    browser.goto(PAGE);
    browser.wait_until(&format!("{SENTENCE}.includes('Load a CSV file')"), SOON).unwrap();
}

#[track_caller]
fn choose(browser: &Browser, field: &str, value: &str) {
    browser.wait_until(&format!("document.querySelector('select#field-{field}') !== null"), SOON).unwrap();
    let chosen: bool = browser.eval(&format!(
        "(box => {{ box.value = {}; box.dispatchEvent(new Event('change', {{ bubbles: true }})); return box.value !== ''; }})
         (document.querySelector('#field-{field}'))",
        json!(value)
    ));
    assert!(chosen, "{field} does not offer {value}");
}

/// Returns the path of a small table.
pub fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/own.csv")
}

fn temporary(name: &str, text: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path
}

/// Drops a file on the page, as from the desktop.
fn drop_file(browser: &Browser, name: &str, text: &str) {
    let script = format!(
        "(() => {{ const carried = new DataTransfer();
            carried.items.add(new File([{}], {}));
            const drop = new DragEvent('drop', {{ dataTransfer: carried, bubbles: true, cancelable: true }});
            return !document.querySelector('#app .drop').dispatchEvent(drop); }})()",
        json!(text),
        json!(name)
    );
    assert!(browser.eval::<bool>(&script), "the browser would have gone to the file");
}

#[test]
fn a_chosen_file_is_read_configured_and_learnt() {
    let Some(browser) = open() else { return };
    browser.upload("#field-data", &own());
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(browser.text(".preview summary"), "own.csv: 12 rows × 7 columns");
    // The positive class of yes and no is shown before anything is chosen.
    assert_eq!(browser.text("#field-positive option"), "default: yes");
    assert_eq!(browser.eval::<usize>(FIGURES), 6);
    let tables: String = browser.eval(TABLES);
    assert!(tables.contains("weight") && tables.contains("grown = yes"), "{tables}");
    // Another label: a column of numbers does not have two values.
    choose(&browser, "label", "width");
    wait_for(&browser, SENTENCE, "“width” is not valid");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}

#[test]
fn the_example_is_one_click_away_and_in_the_link() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.emulate(Device::PHONE);
    for page in [PAGE, "#/gp.data"] {
        browser.goto(page);
        wait_for(&browser, SENTENCE, "Load a CSV file of your own, or try the example.");
        let [top, bottom]: [f64; 2] = browser.eval(
            "(([, button]) => { const box = button.getBoundingClientRect(); return [box.top, box.bottom]; })(
                document.querySelectorAll('#app .begin button'))",
        );
        assert!(0.0 < top && bottom < f64::from(Device::PHONE.height), "{page}: {top} to {bottom}");
        assert_eq!(axe_faults(&browser), Vec::<String>::new());
        click_button(&browser, "Open the example with all settings");
        browser.wait_until(SHOWN, PATIENCE).unwrap();
        assert!(browser.eval::<bool>("document.querySelector('#app .begin').hidden"));
        assert_eq!(browser.text(".preview summary"), "example: 200 rows × 7 columns");
        let (link, tables): (String, String) = (browser.eval(HASH), browser.eval(TABLES));
        assert!(link.contains("data=example&") || link.ends_with("data=example"), "{link}");
        // The link needs no file.
        let Some(other) = Browser::open(&Options::default()) else { return };
        other.goto(&link);
        other.wait_until(SHOWN, PATIENCE).unwrap();
        assert_eq!(other.eval::<String>(HASH), link);
        assert_eq!(other.eval::<String>(TABLES), tables);
    }
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}

#[test]
fn the_threshold_changes_figures_and_no_run() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/feedforward.data?data=example&train_fraction=0.7");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    let captions = "[...document.querySelectorAll('figcaption')].map(c => c.textContent).join('\\n')";
    wait_for(&browser, captions, "signs mark the threshold 0.5.");
    let sentence: String = browser.eval(SENTENCE);
    enter(&browser, "#field-threshold", "0.9");
    wait_for(&browser, captions, "signs mark the threshold 0.9.");
    assert_eq!(browser.eval::<String>(SENTENCE), sentence, "neither run again nor marked as changed");
    assert!(!browser.eval::<String>(captions).contains("threshold 0.5."));
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}

#[test]
fn a_permalink_names_its_data_and_waits_for_the_file() {
    let Some(browser) = open() else { return };
    browser.upload("#field-data", &own());
    choose(&browser, "positive", "yes");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    let (link, tables): (String, String) = (browser.eval(HASH), browser.eval(TABLES));
    assert!(link.contains("data=own.csv@"), "{link}");
    browser.click(".share summary");
    assert!(browser.text(".share").contains("only their name and hash"));

    let Some(other) = Browser::open(&Options::default()) else { return };
    other.goto(&link);
    wait_for(&other, SENTENCE, "Waiting for own.csv (hash ");
    assert_eq!(other.state(), "idle");
    // Another file of that name is accepted, with a notice that it differs.
    let changed = fs::read_to_string(own()).unwrap().replace("0.546713", "0.5");
    drop_file(&other, "own.csv", &changed);
    wait_for(
        &other,
        "document.querySelector('.messages').textContent",
        "own.csv differs from the file in the link",
    );
    other.goto(&link);
    other.upload("#field-data", &own());
    other.wait_until(SHOWN, PATIENCE).unwrap(); // idle is how it waited for the file
    assert_eq!(other.eval::<String>(HASH), link);
    assert_eq!(other.eval::<String>(TABLES), tables);
}

#[test]
fn a_broken_file_is_refused_with_row_and_column() {
    let Some(browser) = open() else { return };
    browser.upload("#field-data", &temporary("ragged.csv", "a;b;y\n1,5;2;0\n1;2\n"));
    wait_for(&browser, SENTENCE, "Row 3 has 2 cells");
    assert_eq!(browser.eval::<String>(REFUSED), "", "as a table it is good");
    browser.upload("#field-data", &temporary("wide.csv", "a;b;y\n1,5;2;0;1;1\n1;2;0;1;1\n"));
    wait_for(&browser, REFUSED, "row 2: this row has 5 cells, the first one 3");
    wait_for(&browser, SENTENCE, "“wide.csv” is not valid. Row 2");
    browser.upload("#field-data", &temporary("hole.csv", "a,b,y\n1,2,0\n1,,1\n"));
    wait_for(&browser, SENTENCE, "row 3, column “b”");
    assert_eq!(browser.eval::<String>(REFUSED), "", "as a table it is good");
    // A valid file is accepted after them.
    browser.upload("#field-data", &temporary("good.csv", "a,b,y\n1,2,0\n1,-1,1\n3,1,1\n"));
    browser.wait_until(SHOWN, PATIENCE).unwrap();
}

#[test]
fn a_table_can_be_dropped_and_pasted() {
    let Some(browser) = open() else { return };
    drop_file(&browser, "dropped.csv", "a,b,y\n1,2,0\n1,-1,1\n3,1,1\n");
    browser.wait_done(PATIENCE).unwrap();
    let first: String = browser.eval(HASH);
    assert!(first.contains("data=dropped.csv@"));
    // The file that was here did not come from a link.
    drop_file(&browser, "dropped.csv", "a,b,y\n1,2,0\n1,-1,1\n4,1,1\n");
    browser.wait_until(&format!("{HASH} !== {first:?}"), SOON).unwrap();
    browser.wait_done(PATIENCE).unwrap();
    let messages: String = browser.eval("document.querySelector('.messages').textContent");
    assert!(!messages.contains("differs"), "{messages}");
    browser.click(".drop details summary");
    browser.fill(".drop textarea", "a b y\n1 2 R\n1 -1 M\n3 1 M\n-1 0 R\n");
    browser.click(".drop details button");
    wait_for(&browser, HASH, "data=pasted.csv@");
    let size = "document.querySelector('.preview summary')?.textContent ?? ''";
    wait_for(&browser, size, "pasted.csv: 4 rows × 3 columns");
    browser.wait_done(PATIENCE).unwrap();
}

#[test]
fn a_pasted_table_with_an_error_is_kept_to_be_corrected() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp.data");
    browser.wait_until("document.querySelector('#app .begin textarea') !== null", SOON).unwrap();
    browser.click("#app .begin details summary");
    let disabled = "document.querySelector('#app .begin details button').disabled";
    assert!(browser.eval::<bool>(disabled), "there is nothing to use yet");
    browser.fill("#app .begin textarea", "a,b,y\n1,2,0\n1,-1\n3,1,1\n");
    browser.click("#app .begin details button");
    let kept = "document.querySelector('#app form .drop textarea')?.value.startsWith('a,b,y')";
    browser.wait_until(kept, SOON).unwrap();
    assert_ne!(browser.eval::<String>("document.activeElement.tagName"), "BODY");
}

#[test]
fn a_second_file_is_predicted_and_can_be_removed() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/gp.data");
    browser.wait_until(&format!("{SENTENCE}.includes('Load a CSV file')"), SOON).unwrap();
    // A second table is of use beside a first one only.
    assert!(browser.eval::<bool>("document.querySelector('#field-predict, #field-label') === null"));
    let sizes = "[...document.querySelectorAll('.preview summary')].map(s => s.textContent).join(' + ')";
    let learnt = "a,b,y\n3,2,1\n-1,1,0\n3,1,1\n-3,0,0\n-2,1,0\n2,0,1\n";
    browser.upload("#field-data", &temporary("learnt.csv", learnt));
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    browser.upload("#field-predict", &temporary("new.csv", "b,who,a\n1,x,3\n2,y,-2\n-1,z,1.5\n"));
    wait_for(&browser, sizes, "learnt.csv: 6 rows × 3 columns + new.csv: 3 rows × 3 columns");
    let captions = "[...document.querySelectorAll('figcaption')].map(c => c.textContent).join('\\n')";
    wait_for(&browser, captions, "Of 3 rows in new.csv, 2 are predicted y = 1 and 1 y = 0.");
    let tables: String = browser.eval(TABLES);
    assert!(tables.contains("row of new.csv | even odds | probability of y = 1"), "{tables}");
    // Predictions of every row are one file, made when it is saved.
    export(&browser, "CSV");
    let csv = String::from_utf8(browser.download("learnt-predictions.csv", SOON).unwrap()).unwrap();
    assert!(
        csv.starts_with("line,part,y,most probable,p(0),p(1),latent mean,latent sd,latent lower 95 %,"),
        "{csv}"
    );
    let of = |part: &str| csv.lines().filter(|line| line.split(',').nth(1) == Some(part)).count();
    assert_eq!((of("training row (left out)"), of("second file")), (6, 3), "{csv}");
    let link: String = browser.eval(HASH);
    assert!(link.contains("data=learnt.csv@") && link.contains("predict=new.csv@"), "{link}");
    browser.click(".share summary");
    assert!(browser.text(".share").contains("needs learnt.csv and new.csv as well"));
    // A choice is kept when the second file is replaced.
    choose(&browser, "label", "y");
    browser.click(".drop:has(#field-predict) summary");
    browser.fill(".drop:has(#field-predict) textarea", "a,b\n-3,1\n-4,1\n");
    browser.click(".drop:has(#field-predict) details button");
    wait_for(&browser, captions, "Of 2 rows in pasted.csv, 0 are predicted y = 1 and 2 y = 0.");
    assert!(browser.eval::<String>(HASH).contains("label=y"));
    browser.click(".forget");
    browser
        .wait_until(
            &format!("!{captions}.includes('pasted.csv') && {captions}.includes('training rows')"),
            SOON,
        )
        .unwrap();
    assert!(browser.eval::<String>(HASH).contains("predict=&"));
    assert!(browser.eval::<String>(sizes).starts_with("learnt.csv: 6 rows"));

    let Some(other) = Browser::open(&Options::default()) else { return };
    other.goto(&link);
    wait_for(&other, SENTENCE, "Waiting for learnt.csv (hash ");
    other.upload("#field-data", &temporary("learnt.csv", learnt));
    wait_for(&other, SENTENCE, "Waiting for new.csv (hash ");
    other.upload("#field-predict", &temporary("new.csv", "b,who,a\n1,x,3\n2,y,-2\n-1,z,1.5\n"));
    other.wait_until(SHOWN, PATIENCE).unwrap();
    assert_eq!(other.eval::<String>(TABLES), tables);
    assert_eq!(other.eval::<String>(HASH), link);
    other.upload("#field-predict", &temporary("lacking.csv", "b,c\n1,2\n"));
    wait_for(&other, SENTENCE, "column “a” is not in this one");
    for page in [&browser, &other] {
        assert!(page.console_errors().is_empty(), "{:?}", page.console_errors());
    }
}

#[test]
fn trained_networks_are_saved_chosen_and_named_by_their_hash() {
    const TRAIN: &str = "#/sbn?per_digit=8&test=60&epochs=1,1&layers=2,5,100&missing=0.3";
    const BOUNDS: &str =
        "([...document.querySelectorAll('canvas')].map(c => c.getAttribute('aria-label') ?? '')
        .find(c => c.includes('Predicted digit')) ?? '')";
    const WRONG: &str = "document.querySelector('#field-networks-problem').textContent";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    // The pretrained networks, until others are trained.
    browser.goto("#/sbn?per_digit=6000&test=60");
    wait_for(&browser, BOUNDS, "Predicted digit");
    let shipped: String = browser.eval(BOUNDS);
    assert!(browser.eval::<bool>("document.querySelector('.save').hidden"));
    browser.goto(TRAIN);
    // Done, and the pad uses the trained networks.
    let taken = format!("{SHOWN} && {BOUNDS} !== '' && {BOUNDS} !== {}", json!(shipped));
    browser.wait_until(&taken, PATIENCE).unwrap();
    browser.wait_until("!document.querySelector('.save').hidden", SOON).unwrap();
    let trained: String = browser.eval(BOUNDS);
    assert_eq!(axe_faults(&browser), Vec::<String>::new());
    click_button(&browser, "Save as a file");
    // As saved by the command line: the name has kind and hash.
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("networks.bin");
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_headless"))
        .args([Path::new(TRAIN), Path::new("--save"), &path])
        .output()
        .unwrap();
    assert!(ran.status.success());
    let saved = fs::read(&path).unwrap();
    let hash = meanfield::data::Hash::of(&saved);
    let name = format!("sbn.networks-{hash}.bin");
    assert_eq!(browser.download(&name, SOON).unwrap(), saved);

    // A page that has trained other networks uses them at once, without a new run.
    let Some(other) = Browser::open(&Options::default()) else { return };
    other.goto(&TRAIN.replace("per_digit=8", "per_digit=9"));
    other.wait_until(&taken, PATIENCE).unwrap();
    let sentence: String = other.eval(SENTENCE);
    let own: String = other.eval(BOUNDS);
    assert_ne!(own, trained);
    other.upload("#field-networks", &temporary("not-networks.csv", "a,y\n1,0\n2,1\n"));
    wait_for(&other, WRONG, "Enter a file of networks saved by this version after training");
    let short = Path::new(env!("CARGO_TARGET_TMPDIR")).join("short-networks.bin");
    fs::write(&short, &saved[..saved.len() / 2]).unwrap();
    other.upload("#field-networks", &short);
    wait_for(&other, WRONG, "Damaged or incomplete");
    other.upload("#field-networks", &path);
    other.wait_until(&format!("{BOUNDS} === {}", json!(trained)), SOON).unwrap();
    assert_eq!(other.eval::<String>(WRONG), "");
    assert_eq!(other.eval::<String>(SENTENCE), sentence, "not run again");
    let link: String = other.eval(HASH);
    assert!(link.contains(&format!("networks=networks.bin@{hash}")), "{link}");
    other.click(".drop:has(#field-networks) .forget");
    other.wait_until(&format!("{BOUNDS} === {}", json!(own)), SOON).unwrap();

    // The link names the file that it needs.
    let Some(third) = Browser::open(&Options::default()) else { return };
    third.goto(&link);
    wait_for(&third, SENTENCE, &format!("Waiting for networks.bin (hash {hash})"));
    third.upload("#field-networks", &path);
    third.wait_until(SHOWN, PATIENCE).unwrap();
    third.wait_until(&format!("{BOUNDS} === {}", json!(trained)), SOON).unwrap();
    assert_eq!(third.eval::<String>(HASH), link);
    for page in [&browser, &other, &third] {
        assert!(page.console_errors().is_empty(), "{:?}", page.console_errors());
    }
}

/// Fitted and valid values are entered with one click; a table chosen on one page is available on every page that accepts one.
#[test]
fn suggested_values_are_entered_with_a_click() {
    const BUTTON: &str = "(b => b.hidden ? '' : b.textContent)(document.querySelector('.run-bar .found'))";
    let Some(browser) = open() else { return };
    let text = fs::read_to_string(own()).unwrap().replacen('\n', "\nNA,,,,,,yes\n", 1);
    let holes = temporary("holes.csv", &text);
    browser.upload("#field-data", &holes);
    browser.wait_until(&format!("{BUTTON} !== ''"), SOON).unwrap();
    assert_eq!(browser.eval::<String>(BUTTON), "Use “skip”", "{}", browser.eval::<String>(SENTENCE));
    click_button(&browser, "Use “skip”");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    assert!(browser.eval::<String>(HASH).contains("missing=skip"));
    assert_eq!(browser.eval::<String>(BUTTON), "", "nothing was fitted");

    browser.eval::<serde_json::Value>("(location.hash = '#/gp.data?missing=skip&v=0.1&fit=evidence', null)");
    browser.wait_until(&format!("location.hash.includes('holes.csv') && {SHOWN}"), PATIENCE).unwrap();
    browser.wait_until(&format!("{BUTTON} === 'Keep the fitted settings'"), PATIENCE).unwrap();
    click_button(&browser, "Keep the fitted settings");
    browser.wait_until(&format!("location.hash.includes('fit=none') && {SHOWN}"), PATIENCE).unwrap();
    assert!(!browser.eval::<String>(HASH).contains("sigma2=0.3&"), "the fitted value");
    assert_eq!(browser.eval::<String>(BUTTON), "");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}

/// A network from a JSON file: compared with its exact value, refused with a field if incomplete, and removed.
#[test]
fn a_network_from_a_json_file_is_compared_with_its_exact_value() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto("#/sbn.bound?networks=2&weight_sds=1");
    browser.wait_until(SHOWN, PATIENCE).unwrap();
    browser.eval::<serde_json::Value>("(document.querySelector('details.more').open = true, null)");
    let net = r#"{"layers": [1, 2], "J": [[1, -1]], "h": [[0], [0.5, 0]]}"#;
    browser.upload("#field-network", &temporary("net.json", net));
    wait_for(&browser, SENTENCE, "2 numbers, one for each visible unit");
    enter(&browser, "#field-visible", "1,-1");
    let caption = "document.querySelector('figcaption').textContent";
    wait_for(&browser, caption, "exact log probability −0.3285");
    let link: String = browser.eval(HASH);
    assert!(link.contains("network=net.json@") && link.contains("visible=1,-1"), "{link}");
    browser.upload(
        "#field-network",
        &temporary("cut.json", r#"{"layers": [1, 2], "J": [[1]], "h": [[0], [0, 0]]}"#),
    );
    wait_for(&browser, SENTENCE, "J must have lists of 2 numbers");
    browser.click(".drop:has(#field-network) .forget");
    wait_for(&browser, caption, "too low on average");
    assert!(browser.console_errors().is_empty(), "{:?}", browser.console_errors());
}
