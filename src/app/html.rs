//! Tables as markup. They are only read and not kept up element by element, and so they cost the page next to nothing.

use std::fmt::Write as _;

use crate::render::escape;

/// Each text in an element `tag`, which may come with attributes.
pub fn cells<'a>(tag: &str, texts: impl IntoIterator<Item = &'a str>) -> String {
    let name = tag.split(' ').next().unwrap_or(tag);
    let mut html = String::new();
    for text in texts {
        // Writing to a string cannot fail.
        let _ = write!(html, "<{tag}>{}</{name}>", escape(text));
    }
    html
}

/// A table from its caption, the cells of its head and of its rows.
pub fn table(caption: &str, head: &str, rows: &[String]) -> String {
    let caption = cells("caption", (!caption.is_empty()).then_some(caption));
    let rows = rows.concat();
    format!("<table>{caption}<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_becomes_markup() {
        let html = table("<b>", &cells("th scope=\"col\"", ["a\"b", "R&D"]), &[cells("td", ["<script>"])]);
        assert_eq!(
            html,
            "<table><caption>&lt;b&gt;</caption><thead><tr><th scope=\"col\">a&quot;b</th><th scope=\"col\">R&amp;D</th>\
             </tr></thead><tbody><td>&lt;script&gt;</td></tbody></table>"
        );
        assert!(!table("", "", &[]).contains("caption"));
    }
}
