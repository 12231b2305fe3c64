//! Table 1 of the Gaussian-process paper on the built page, from a data set in the host's folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::needs::data_set;
use crate::support::page::{PATIENCE, STATE, axe_faults, click_button};
use crate::support::{Browser, Device, Maimed, Options, Server};
use serde_json::{Value, json};

/// Opens the tables of numbers below the figures; that of the first figure.
const TABLE: &str = "(document.querySelectorAll('details.data').forEach(box => { box.open = true; }),
    document.querySelectorAll('.data table')[0]?.innerText ?? '')";

#[test]
fn one_click_gives_the_printed_numbers() {
    let Some(data) = data_set("sonar.csv") else { return };
    let Some(hosted) = Maimed::whole("with-data") else { return };
    hosted.put("data/sonar.csv", &fs::read(data).unwrap());
    let Some(browser) = Browser::open(&Options::default()) else { return };
    let server = Server::start(&hosted.0, "/lab/").expect("a port");
    browser.run(browser.driver().goto(format!("{}#/gp.data", server.url())));
    browser.wait_until(&format!("{STATE} === 'idle'"), PATIENCE).unwrap();
    for (method, ours) in [("TAP", ["0.0769", "0.2115"]), ("naive", ["0.0769", "0.2212"])] {
        let preset = format!("Paper, Table 1: {method}, RBF");
        // The preset's table replaces a chosen one.
        browser.upload("#field-data", Path::new("tests/data/own.csv"));
        browser.wait_until("location.hash.includes('own.csv@')", PATIENCE).unwrap();
        let listed = "document.querySelector('.controls details.needs')";
        browser.wait_until(&format!("{listed} !== null"), PATIENCE).unwrap();
        browser.eval::<Value>(&format!("({listed}.open = true, null)"));
        click_button(&browser, &preset);
        // The table shows the last run until this one is done.
        let reached =
            format!("{STATE} === 'done' && {}.every(number => {TABLE}.includes(number))", json!(ours));
        browser.wait_until(&reached, PATIENCE).unwrap_or_else(|why| panic!("{preset}: {why}"));
        assert!(browser.eval::<bool>("location.hash.includes('data=sonar&')"));
        assert_eq!(browser.eval::<String>("document.querySelector('#field-data').value"), "");
        assert_eq!(axe_faults(&browser), Vec::<String>::new());
        if let Some(folder) = std::env::var_os("MEANFIELD_SCREENSHOTS").map(PathBuf::from) {
            for device in [Device::DESKTOP, Device::PHONE.dark()] {
                browser.emulate(device);
                browser.wait_painted();
                let name = format!("table1-{method}-{}.png", device.width);
                browser.screenshot_of_page(&folder.join(name));
            }
            browser.emulate(Device::DESKTOP);
        }
    }
}
