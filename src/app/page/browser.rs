//! Functions of the browser. Errors of the browser are ignored unless they are returned.

use std::rc::Rc;

use crate::app::own_data::MAX_FILE_BYTES;
use crate::data::{GZIP, IncomingFile, LoadedFile};
use crate::lab::model_of;
use wasm_bindgen::prelude::*;
use web_sys::{Document, File, HtmlAnchorElement, HtmlElement, Response, Window};

/// Largest contents of a compressed file, in bytes.
const MAX_BYTES: usize = 1 << 30;

pub fn window() -> Option<Window> {
    web_sys::window()
}

pub fn document() -> Option<Document> {
    window()?.document()
}

/// Returns the message of an exception of the browser.
pub fn error_message(why: &JsValue) -> String {
    why.dyn_ref::<js_sys::Error>().map_or_else(|| "unknown error".to_owned(), |error| error.message().into())
}

/// Runs a future to its end.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    js_sys::futures::spawn_local(work);
}

/// Calls `work` after `ms` milliseconds, in a task of its own.
pub fn timeout(ms: i32, work: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let _ = window.set_timeout_with_callback_and_timeout_and_arguments_0(&once(work), ms);
    }
}

/// Calls `work` when the browser is idle, or after a short delay if it lacks `requestIdleCallback`.
pub fn when_idle(work: impl FnOnce() + 'static) {
    let Some(window) = window() else { return };
    let work = once(work);
    if window.request_idle_callback(&work).is_err() {
        let _ = window.set_timeout_with_callback(&work);
    }
}

/// Calls `work` before the next animation frame.
pub fn next_frame(work: impl FnOnce() + 'static) {
    if let Some(window) = window() {
        let _ = window.request_animation_frame(&once(work));
    }
}

fn once(work: impl FnOnce() + 'static) -> js_sys::Function {
    Closure::once_into_js(work).unchecked_into()
}

/// Calls `work` at each of these events of an element, for as long as it lives.
pub fn listen(element: &web_sys::Element, events: &[&str], work: impl Fn(&web_sys::PointerEvent) + 'static) {
    let closure = Closure::<dyn Fn(web_sys::PointerEvent)>::new(move |ev| work(&ev)).into_js_value();
    for event in events {
        // Adding a listener to an existing element cannot fail.
        let _ = element.add_event_listener_with_callback(event, closure.unchecked_ref());
    }
}

/// Dispatches an event on the window.
pub fn dispatch(name: &str) {
    if let (Some(window), Ok(event)) = (window(), web_sys::Event::new(name)) {
        let _ = window.dispatch_event(&event);
    }
}

/// Returns the part of the address from `#` on.
pub fn hash() -> String {
    window().and_then(|w| w.location().hash().ok()).unwrap_or_default()
}

/// Returns the name of this build for addresses, so that no cache mixes builds; set by `start.js`.
pub fn build() -> String {
    js_sys::Reflect::get(&js_sys::global(), &"meanfieldBuild".into())
        .ok()
        .and_then(|name| name.as_string())
        .unwrap_or_default()
}

/// Returns the input with that id.
pub fn input(id: &str) -> Option<web_sys::HtmlInputElement> {
    document()?.get_element_by_id(id)?.dyn_into().ok()
}

/// Focuses the main content if the focused element has been removed, so that the keyboard does not begin at the top of the page.
pub fn focus_main_if_lost() {
    let lost = |focused: web_sys::Element| focused.tag_name() == "BODY";
    if document().is_some_and(|document| document.active_element().is_none_or(lost)) {
        focus("#main");
    }
}

/// Focuses an element, without scrolling to it.
pub fn focus(selector: &str) {
    let element = document().and_then(|document| document.query_selector(selector).ok().flatten());
    if let Some(element) = element.and_then(|element| element.dyn_into::<web_sys::HtmlElement>().ok()) {
        let options = web_sys::FocusOptions::new();
        options.set_prevent_scroll(true);
        let _ = element.focus_with_options(&options);
    }
}

/// Width in which a row of links fades at its ends, in CSS pixels.
const FADE: f64 = 16.0;

/// Scrolls a row of links so that the current one is in view.
pub fn scroll_to_current(row: &web_sys::Element) {
    let Some(link) = row.query_selector("[aria-current]").ok().flatten() else { return };
    let (here, edges) = (link.get_bounding_client_rect(), row.get_bounding_client_rect());
    let (left, right) = (edges.left() + FADE, edges.right() - FADE);
    let beyond = if here.left() < left { here.left() - left } else { (here.right() - right).max(0.0) };
    row.set_scroll_left(row.scroll_left() + beyond.round() as i32);
}

/// Returns the value of an option before the hash (`?embed&figure=2`); empty for a name without a value.
pub fn option(name: &str) -> Option<String> {
    let search = window()?.location().search().ok()?;
    let search = search.trim_start_matches('?').to_owned();
    search.split('&').find_map(|pair| {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        (key == name).then(|| value.to_owned())
    })
}

/// Returns true if the page is embedded in another page.
pub fn embedded() -> bool {
    option("embed").is_some()
}

/// Returns the height of the window in CSS pixels.
pub fn inner_height() -> f64 {
    window().and_then(|w| w.inner_height().ok()).and_then(|height| height.as_f64()).unwrap_or(800.0)
}

/// Puts `hash` into the address as a step in the history.
pub fn push_hash(hash: &str) {
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// Puts `hash` into the address without a step in the history. Does nothing if it is there already, because the call is slow.
pub fn replace_hash(hash: &str) {
    if self::hash() == hash {
        return;
    }
    if let Some(history) = window().and_then(|w| w.history().ok()) {
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(hash));
    }
}

/// Returns the address of this page with another `hash`.
pub fn address(hash: &str) -> String {
    let here = window().and_then(|w| w.location().href().ok()).unwrap_or_default();
    format!("{}{hash}", here.split('#').next().unwrap_or_default())
}

/// Sets an attribute of the root element, for style sheets and tests.
pub fn mark(name: &str, value: &str) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = root.set_attribute(name, value);
    }
}

/// Removes an attribute of the root element.
pub fn unmark(name: &str) {
    if let Some(root) = document().and_then(|d| d.document_element()) {
        let _ = root.remove_attribute(name);
    }
}

/// Returns true if the window or the user's preferences match a media query.
fn matches_media(query: &str) -> bool {
    let list = window().and_then(|window| window.match_media(query).ok().flatten());
    list.is_some_and(|list| list.matches())
}

/// Returns true if the user prefers reduced motion.
pub fn prefers_reduced_motion() -> bool {
    matches_media("(prefers-reduced-motion: reduce)")
}

/// Returns true if an element matches the selector.
pub fn matches(selector: &str) -> bool {
    document().is_some_and(|d| d.query_selector(selector).ok().flatten().is_some())
}

/// Query for windows in which everything stands in one column, as in the style sheet.
const NARROW: &str = "(max-width: 700px)";

/// Returns true if the window is as narrow as that of a phone.
pub fn is_narrow() -> bool {
    matches_media(NARROW)
}

/// Returns the element with the ready-made picture of the page, which stays until the figure is drawn.
pub fn ready_made() -> Option<web_sys::Element> {
    let shown = document()?.query_selector(":root:not(.deep) #front .first-paint").ok()??;
    shown.has_child_nodes().then_some(shown)
}

/// Sets the link of a model in the navigation, which opens the model with its last settings.
pub fn set_navigation_link(model: &str, link: &str) {
    if let Some(element) = document().and_then(|d| d.get_element_by_id(&format!("to-{model}"))) {
        let _ = element.set_attribute("href", link);
    }
}

/// Reads a preference; `None` where storage is not available, such as in private windows.
pub fn remembered(key: &str) -> Option<String> {
    window()?.local_storage().ok()??.get_item(key).ok()?
}

/// Returns the storage that the browser deletes when the tab is closed; `None` where it is not available.
pub fn session_storage() -> Option<web_sys::Storage> {
    window()?.session_storage().ok()?
}

/// Copies text; `done` gets true on success. Pages without https from another machine have no clipboard.
pub fn copy(text: &str, done: impl Fn(bool) + 'static) {
    let Some(clipboard) = window().map(|w| w.navigator().clipboard()).filter(|c| !c.is_undefined()) else {
        return done(false);
    };
    let done = Rc::new(done);
    let answer = |well: bool| {
        let done = done.clone();
        Closure::<dyn FnMut(JsValue)>::new(move |_| done(well))
    };
    let (well, badly) = (answer(true), answer(false));
    let _ = clipboard.write_text(text).then2(&well, &badly);
    // The browser calls them later, each at most once.
    well.forget();
    badly.forget();
}

/// Reads a text `file` in the folder of the model of a `page`; `None` if that fails.
pub async fn fetch_text(page: &str, file: &str) -> Option<String> {
    // The build in the address prevents a cache from returning the text of another build.
    let address = format!("./{}/{file}?v={}", model_of(page), build());
    let response: Response = window()?.fetch_with_str(&address).await.ok()?.dyn_into().ok()?;
    if response.ok() { response.text().ok()?.await.ok()?.as_string() } else { None }
}

/// Asks the user to confirm; returns true if confirmed.
pub fn confirm(question: &str) -> bool {
    window().is_some_and(|window| window.confirm_with_message(question).unwrap_or(false))
}

/// Reads a file of the page's own host; `None` if that fails.
pub async fn fetch_bytes(address: &str) -> Option<LoadedFile> {
    let response: Response = window()?.fetch_with_str(address).await.ok()?.dyn_into().ok()?;
    let buffer = if response.ok() { response.array_buffer().ok()?.await.ok()? } else { return None };
    uncompressed(js_sys::Uint8Array::new(&buffer).to_vec().into()).await.ok()
}

/// Reads a file of the page's own host in base64, as in data: addresses.
pub async fn fetch_base64(address: &str) -> Option<String> {
    let letters: String = fetch_bytes(address).await?.bytes.iter().map(|byte| char::from(*byte)).collect();
    window()?.btoa(&letters).ok()
}

/// Saves `url` (a data: or blob: address) as `name`.
pub fn save(url: &str, name: &str) {
    let link = document().and_then(|d| d.create_element("a").ok());
    if let Some(link) = link.and_then(|l| l.dyn_into::<HtmlAnchorElement>().ok()) {
        link.set_href(url);
        link.set_download(name);
        link.unchecked_ref::<HtmlElement>().click();
    }
}

/// Saves text or an array of bytes as a file.
pub fn save_as(content: &JsValue, kind: &str, name: &str) {
    let options = web_sys::BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(content);
    // The constructor takes parts of any type.
    let Ok(blob) = web_sys::Blob::new_with_str_sequence_and_options(&parts, &options) else { return };
    if let Ok(url) = web_sys::Url::create_object_url_with_blob(&blob) {
        save(&url, name);
        // The browser reads the blob later; its address must stay valid until then.
        timeout(10_000, move || drop(web_sys::Url::revoke_object_url(&url)));
    }
}

/// Size of the pieces in which a file is read, in bytes.
const PIECE: f64 = 4e6;

/// Reads a file that the user has given.
pub async fn read(file: &File) -> Result<LoadedFile, String> {
    if file.size() > MAX_FILE_BYTES {
        return Err(format!(
            "{} has {:.0} MB; the page reads at most {:.0}. Leave out rows or columns, or use the command line.",
            file.name(),
            file.size() / 1e6,
            MAX_FILE_BYTES / 1e6
        ));
    }
    let mut given = IncomingFile::default();
    loop {
        // Read in pieces, so that the page can draw in between.
        let at = given.len() as f64;
        let piece = file.slice_with_f64_and_f64(at, at + PIECE);
        let piece = match piece {
            Ok(piece) => piece.array_buffer().await,
            Err(why) => Err(why),
        };
        let Ok(piece) = piece else {
            return Err(format!("The browser cannot read {}: choose it again.", file.name()));
        };
        let piece = js_sys::Uint8Array::new(&piece).to_vec();
        given.push(&piece);
        if given.len() as f64 >= file.size() || piece.is_empty() {
            break;
        }
    }
    uncompressed(given.finish()).await.map_err(|why| format!("{}: {why}", file.name()))
}

/// Returns the contents of a gzip file, inflated by the browser, and other files unchanged.
async fn uncompressed(given: LoadedFile) -> Result<LoadedFile, String> {
    let bytes = &given.bytes;
    if !bytes.starts_with(&GZIP) {
        return Ok(given);
    }
    let damaged = |_| "This compressed file is damaged or cut short.".to_owned();
    let file = Response::new_with_opt_js_u8_array(Some(&js_sys::Uint8Array::from(bytes.as_slice())));
    let body = file.ok().and_then(|file| file.body());
    // Called by name: web-sys has this class as an unstable one only.
    let class = js_sys::Reflect::get(&js_sys::global(), &"DecompressionStream".into());
    let class = class.ok().and_then(|class| class.dyn_into::<js_sys::Function>().ok());
    let gzip = js_sys::Array::of1(&"gzip".into());
    let inflate = class.and_then(|class| js_sys::Reflect::construct(&class, &gzip).ok());
    let (Some(body), Some(inflate)) = (body, inflate) else {
        return Err("This browser cannot read compressed files: unpack it first.".to_owned());
    };
    let contents = body.pipe_through(inflate.unchecked_ref());
    let contents = pieces(&contents, &|_| true).await.map_err(damaged)?;
    contents.ok_or_else(|| "More than a gigabyte is in this compressed file.".to_owned())
}

/// Reads a stream to its end. `go_on` gets the number of bytes so far; `None` if it returns false or there are too many.
async fn pieces(
    stream: &web_sys::ReadableStream,
    go_on: &dyn Fn(usize) -> bool,
) -> Result<Option<LoadedFile>, JsValue> {
    let reader = stream.get_reader().unchecked_into::<web_sys::ReadableStreamDefaultReader>();
    let mut contents = IncomingFile::default();
    loop {
        let chunk = reader.read().await?;
        let get = |key: &str| js_sys::Reflect::get(&chunk, &key.into()).unwrap_or(JsValue::UNDEFINED);
        if get("done").is_truthy() {
            return Ok(Some(contents.finish()));
        }
        contents.push(&js_sys::Uint8Array::new(&get("value")).to_vec());
        if contents.len() > MAX_BYTES || !go_on(contents.len()) {
            let _ = reader.cancel();
            return Ok(None);
        }
    }
}

/// Downloads a file from another host. `go_on` gets the number of bytes so far; `None` if it returns false.
///
/// # Errors
/// The reason why the download failed.
pub async fn download(address: &str, go_on: &dyn Fn(usize) -> bool) -> Result<Option<LoadedFile>, String> {
    let no_answer = || "no answer".to_owned();
    let response = window().ok_or_else(no_answer)?.fetch_with_str(address).await;
    let response: Response =
        response.ok().and_then(|response| response.dyn_into().ok()).ok_or_else(no_answer)?;
    let Some(body) = response.body().filter(|_| response.ok()) else {
        return Err(format!("the answer is {}", response.status()));
    };
    match pieces(&body, go_on).await {
        Ok(Some(given)) => uncompressed(given).await.map(Some),
        Ok(None) => Ok(None),
        Err(_) => Err("the connection was lost".to_owned()),
    }
}

/// Returns a random number of few digits for a new seed.
pub fn random_number() -> Option<u64> {
    let mut bytes = [0; 4];
    getrandom::fill(&mut bytes).ok()?;
    Some(u64::from(u32::from_le_bytes(bytes)) % 1_000_000)
}

/// Returns the number of device pixels per CSS pixel.
pub fn pixel_ratio() -> f64 {
    window().map_or(1.0, |w| w.device_pixel_ratio())
}
