//! Parts of the page that are in or near the window.

use leptos::prelude::*;
use wasm_bindgen::prelude::*;

use super::until_cleanup;

/// Keeps `visible` true while a part of the element is in the window, or above or below it by less than `margin` percent of its height,
/// for as long as the component lives.
pub fn watch(element: &web_sys::Element, margin: u32, visible: RwSignal<bool>) {
    let closure = Closure::<dyn FnMut(js_sys::Array)>::new(move |entries: js_sys::Array| {
        // The last entry is the newest.
        if let Some(entry) = entries.iter().last() {
            visible.set(entry.unchecked_into::<web_sys::IntersectionObserverEntry>().is_intersecting());
        }
    });
    let options = web_sys::IntersectionObserverInit::new();
    options.set_root_margin(&format!("{margin}% 0px"));
    let callback = closure.as_ref().unchecked_ref();
    if let Ok(observer) = web_sys::IntersectionObserver::new_with_options(callback, &options) {
        observer.observe(element);
        until_cleanup((observer, closure), |(observer, _)| observer.disconnect());
    }
}
