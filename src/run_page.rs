//! A run as one self-contained HTML page: settings, findings and figures, but no rows of a table.

use crate::lab::{Catalog, Field, Link, Meta, Raw, Role, model_of};
use crate::protocol::VERSION;
use crate::render::{self, Drawing, Theme, escape};

/// Size of a figure, in CSS pixels.
const SIZE: (u32, u32) = (680, 430);

const STYLE: &str = "body{max-width:44rem;margin:2rem auto;padding:0 1rem;font:1rem/1.45 'Source Serif 4',Georgia,serif;color:#111;background:#fffdf8}\
h1{font-size:1.6rem;margin:0}h2{font-size:1.15rem;margin-top:2rem}figure{margin:1.5rem 0;break-inside:avoid}svg{max-width:100%;height:auto}\
figcaption{font-size:.9rem}table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;padding:.2rem 1rem .2rem 0;border-bottom:1px solid #ddd;\
vertical-align:top;overflow-wrap:anywhere}th{font-weight:400}code{overflow-wrap:anywhere;font-size:.85rem}.soft{color:#555}";

/// A run as one HTML page.
pub struct RunPage<'a> {
    /// The catalog with the task.
    pub catalog: Catalog,
    /// Names of the task.
    pub meta: &'a Meta,
    /// Fields of the task.
    pub fields: &'a [Field],
    /// Settings of the run.
    pub raw: &'a Raw,
    /// Decisions on how the main table was read, and the remarks on it, each a sentence; none without a table.
    pub reading: &'a [String],
    /// Sentence about the end of the run.
    pub status: &'a str,
    /// Address of the run on the page, if known.
    pub address: Option<&'a str>,
    /// Figures of the run.
    pub figures: &'a [Drawing],
}

impl RunPage<'_> {
    /// Returns the page.
    pub fn html(&self) -> String {
        let model = self.catalog.model(model_of(self.meta.id));
        let name = model.map_or(String::new(), |model| format!("{}: ", model.name));
        let title = escape(&(name + self.meta.title));
        let figures: String =
            self.figures.iter().enumerate().map(|(i, drawing)| figure(i + 1, drawing)).collect();
        let reading: String = self.reading.iter().map(|text| paragraph(text)).collect();
        let reading = if reading.is_empty() { reading } else { format!("<h2>Table</h2>\n{reading}") };
        let settings: String = self.settings().map(|(name, text)| row(&name, text)).collect();
        let link = Link { task: self.meta.id.to_owned(), raw: self.raw.clone() };
        let address = self.address.map_or(String::new(), |address| {
            let address = escape(address);
            format!("<p><a href=\"{address}\">Open this run</a></p>\n")
        });
        let paper = model.map_or(String::new(), |model| {
            let paper = &model.paper;
            format!(
                "<p>Method: {}. {}. {}</p>\n",
                escape(paper.authors),
                escape(paper.title),
                escape(paper.reference)
            )
        });
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title} · Mean Field Lab</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n\
             <p class=\"soft\">{}</p>\n<p>{}</p>\n{figures}{reading}<h2>Settings</h2>\n<table>\n{settings}</table>\n\
             <h2>The same run again</h2>\n{address}<p>On the command line:</p>\n<p><code>headless '{}'</code></p>\n{paper}\
             <p class=\"soft\">Mean Field Lab {}</p>\n</body>\n</html>\n",
            escape(self.meta.subtitle),
            escape(self.status),
            escape(&link.to_string()),
            escape(VERSION),
        )
    }

    /// Returns name and text of every setting that has an effect.
    fn settings(&self) -> impl Iterator<Item = (String, &str)> {
        let text = |key: &str| self.raw.get(key).map(String::as_str);
        let active = move |field: &&Field| field.role != Role::Report && field.applies(self.fields, text);
        self.fields
            .iter()
            .filter(active)
            .map(move |field| (field.name(), text(field.key).unwrap_or(field.default)))
    }
}

fn figure(number: usize, drawing: &Drawing) -> String {
    // A file has no switches for hidden marks.
    let drawing = Drawing { switches: false, ..drawing.clone() };
    let picture = render::svg(&drawing, SIZE.0, SIZE.1, Theme::Light);
    let (note, finding) = (escape(drawing.shown_note()), escape(&drawing.figure.headline()));
    let caption = escape(&drawing.figure.caption);
    format!(
        "<figure>\n{picture}<figcaption>Fig. {number}. {note}<strong>{finding}</strong> {caption}</figcaption>\n</figure>\n"
    )
}

fn paragraph(text: &str) -> String {
    format!("<p>{}</p>\n", escape(text))
}

fn row(name: &str, text: &str) -> String {
    format!("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escape(name), escape(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::lab::raw_of;
    use crate::models::{catalog, task};

    #[test]
    fn a_page_has_settings_findings_and_links() {
        let task = task("gp.data").unwrap();
        let raw =
            task.check(&raw_of([("data", "a<b.csv@0123456789abcdef"), ("sigma2", "0.25")])).unwrap().to_raw();
        let figure = Figure::new("f", "Title").finding_and_summary("A & B.").caption("Details.");
        let page = RunPage {
            catalog: catalog(),
            meta: task.meta(),
            fields: task.fields(),
            raw: &raw,
            reading: &["Read as: 2 rows, separator <.".to_owned()],
            status: "Done in 1 s.",
            address: Some("https://host/#/gp.data?a=1&b=2"),
            figures: &[Drawing::new(figure)],
        };
        let html = page.html();
        for text in [
            "Fig. 1. <strong>A &amp; B.",
            "Details.",
            "0.25",
            "a&lt;b.csv@",
            "a=1&amp;b=2",
            "Opper",
            "Done in 1 s.",
            "separator &lt;.",
            "<svg ",
        ] {
            assert!(html.contains(text), "{text}: {html}");
        }
        assert!(!html.contains("a<b") && !html.contains("<script"));
        let page = roxmltree::Document::parse_with_options(
            &html
                .replace("<!doctype html>", "")
                .replace("<meta charset=\"utf-8\">", "")
                .replace("<meta name=\"viewport\" content=\"width=device-width\">", ""),
            roxmltree::ParsingOptions::default(),
        )
        .map(|page| page.descendants().filter(|node| node.has_tag_name("tr")).count());
        assert!(page.is_ok_and(|rows| rows > 10), "well formed, with one row per setting");
    }
}
