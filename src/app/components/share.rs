//! The same run elsewhere: permalink, command line, and within another page.

use leptos::ev::MouseEvent;
use leptos::html;
use leptos::prelude::*;
use web_sys::Element;

use crate::app::browser;
use crate::app::state::Lab;

/// Two texts to be copied; `Share` fills them in.
const MARKUP: &str = concat!(
    "<summary>Share this run</summary>",
    "<p>The address holds every setting and the seed: who opens it gets the same numbers, bit for bit.</p>",
    "<p class=\"files\" hidden></p>",
    "<div class=\"copyable\"><code tabindex=\"0\" role=\"textbox\" aria-readonly=\"true\" aria-label=\"Permalink\"></code>",
    "<button type=\"button\" class=\"quiet\">Copy</button></div>",
    "<p>The same run without the page:</p>",
    "<div class=\"copyable\"><code tabindex=\"0\" role=\"textbox\" aria-readonly=\"true\" aria-label=\"Command line\"></code>",
    "<button type=\"button\" class=\"quiet\">Copy</button></div>",
    "<p>With <code>?embed</code> before its # the address shows figures only, for a frame in a page of yours.</p>",
);

/// Permalink and command line of the form as it stands.
#[component]
pub fn Share(lab: Lab) -> impl IntoView {
    let holder = NodeRef::<html::Details>::new();
    let find = move |selector: &str| holder.get_untracked()?.query_selector(selector).ok().flatten();
    Effect::new(move |_| {
        holder.track();
        let link = lab.link();
        let texts = [browser::address(&link), format!("cargo run --release --bin headless -- '{link}'")];
        for (label, text) in ["Permalink", "Command line"].into_iter().zip(texts) {
            if let Some(code) = find(&format!("[aria-label=\"{label}\"]")) {
                code.set_text_content(Some(&text));
                if let Some(button) = code.next_element_sibling() {
                    button.set_text_content(Some("Copy"));
                }
            }
        }
        if let Some(place) = find(".files") {
            let names = lab.files();
            // An attribute of an element that is there can be set.
            let _ = place.toggle_attribute_with_force("hidden", names.is_none());
            place.set_text_content(names.map(|names| {
                format!("Your data are not in it, only their name and hash: who opens it needs {names} as well.")
            }).as_deref());
        }
    });
    let clicked = move |ev: MouseEvent| {
        let button = event_target::<Element>(&ev);
        let Some(code) = button.previous_element_sibling().filter(|_| button.tag_name() == "BUTTON") else {
            return;
        };
        browser::copy(&code.text_content().unwrap_or_default(), move |well| {
            button.set_text_content(Some(if well { "Copied" } else { "Not copied" }));
        });
    };
    view! { <details class="share" node_ref=holder inner_html=MARKUP on:click=clicked></details> }
}
