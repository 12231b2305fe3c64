//! Every page at every width: nothing scrolls sideways, light and dark differ, the console stays empty.
//! `scripts/screenshots` runs it to take pictures, into the folder `MEANFIELD_SCREENSHOTS`.

use crate::support::{Browser, Device, Options};
use meanfield::models::catalog;
use std::path::PathBuf;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_mins(2);

/// Returns the routes in `MEANFIELD_ROUTES`, or every page.
fn routes() -> Vec<String> {
    let given = std::env::var("MEANFIELD_ROUTES").unwrap_or_default();
    if !given.trim().is_empty() {
        return given.split_whitespace().map(str::to_owned).collect();
    }
    every_page()
}

/// Returns the front page, the ledger, and every page of every model.
pub fn every_page() -> Vec<String> {
    let catalog = catalog();
    let pages = catalog.every_page().map(|task| task.meta().id);
    ["", "papers"].into_iter().chain(pages).map(|page| format!("#/{page}")).collect()
}

/// Returns the elements that extend beyond a screen of the given width.
const OVERFLOW: &str = r"(limit => {
    const width = document.documentElement.scrollWidth;
    if (width <= limit) return '';
    const name = e => e.tagName.toLowerCase() + (e.id && '#' + e.id) + [...e.classList].map(c => '.' + c).join('');
    const wide = [...document.body.querySelectorAll('*')]
        .filter(e => !e.closest('nav') && e.getBoundingClientRect().right > limit + .5);
    return `${width} px wide: ` + wide.slice(0, 5).map(name).join(' ');
})";

/// Clipped text: boxes that hide their overflow. Scrollable boxes do not count.
const CUT: &str = r"[...document.querySelectorAll('main *, footer *')]
    .filter(e => e.checkVisibility() && !e.matches('.sr-only, i') && !e.closest('svg')
        && getComputedStyle(e).overflowX === 'hidden'
        && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1))
    .map(e => e.outerHTML.slice(0, 120))";

#[test]
fn every_page_fits_every_width() {
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let mut faults = Vec::new();
    for route in routes() {
        browser.emulate(Device::DESKTOP);
        browser.goto(&route);
        if let Err(why) = browser.wait_done(PATIENCE) {
            faults.push(format!("{route}: {why}"));
            continue;
        }
        for device in [Device::DESKTOP, Device::TABLET, Device::ZOOMED, Device::PHONE, Device::NARROW] {
            browser.emulate(device);
            browser.wait_painted();
            let cut: Vec<String> = browser.eval(CUT);
            faults.extend(cut.iter().map(|cut| format!("{route} at {} px cuts {cut}", device.width)));
            let overflow: String = browser.eval(&format!("{OVERFLOW}({})", device.width));
            if !overflow.is_empty() {
                faults.push(format!("{route} at {} px is {overflow}", device.width));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn light_and_dark_differ() {
    const PAPER: &str = "getComputedStyle(document.body).backgroundColor";
    let Some(browser) = Browser::open(&Options::default()) else { return };
    browser.goto(&routes()[0]);
    browser.wait_done(PATIENCE).unwrap();
    let light: String = browser.eval(PAPER);
    browser.emulate(Device::DESKTOP.dark());
    browser.wait_painted();
    assert_ne!(light, browser.eval::<String>(PAPER));
}

#[test]
#[ignore = "scripts/screenshots draws them"]
fn pictures() {
    let folder = std::env::var_os("MEANFIELD_SCREENSHOTS")
        .map(PathBuf::from)
        .expect("MEANFIELD_SCREENSHOTS, a folder");
    let Some(browser) = Browser::open(&Options::default()) else { return };
    for route in routes() {
        for device in [Device::DESKTOP, Device::DESKTOP.dark(), Device::PHONE, Device::PHONE.dark()] {
            browser.emulate(device);
            browser.goto(&route);
            browser.wait_done(PATIENCE).unwrap();
            let name = if route == "#/" { "home" } else { &route };
            let name = name.trim_matches(['#', '/']).replace(|c: char| !c.is_ascii_alphanumeric(), "-");
            let scheme = if device.dark { "dark" } else { "light" };
            let name = format!("{name}-{}x{}-{scheme}", device.width, device.height);
            browser.screenshot(&folder.join(format!("{name}.png")));
            browser.screenshot_of_page(&folder.join(format!("{name}-page.png")));
        }
    }
}
