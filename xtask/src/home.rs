//! The front page: one card for each model with a small picture of its run, and the pages that take the user's data.

use std::fmt::Write as _;

use meanfield::lab::{Field, Model, Role, Task};
use meanfield::ledger::{Section, opening};
use meanfield::models::catalog;
use meanfield::render::escape;

/// A word in the picture of a model.
struct Word {
    /// Text.
    text: &'static str,
    /// Colour of what it names, a custom property of the style sheet without `--hue-`.
    hue: &'static str,
    /// Left end of its base line in a picture of 320 × 190.
    at: (u32, u32),
}

const fn word(text: &'static str, hue: &'static str, x: u32, y: u32) -> Word {
    Word { text, hue, at: (x, y) }
}

/// Words in the empty space of each picture, by model.
const WORDS: &[(&str, &[Word])] = &[
    (
        "feedforward",
        &[
            word("its own estimate", "green", 72, 64),
            word("error on noisy labels", "vermilion", 186, 98),
            word("error on true labels", "blue", 46, 166),
        ],
    ),
    (
        "gp",
        &[
            word("even odds", "ink", 158, 14),
            word("likely orange", "orange", 14, 150),
            word("likely blue", "blue", 238, 164),
        ],
    ),
    (
        "mlp",
        &[
            word("exact", "ink", 76, 40),
            word("Laplace", "vermilion", 234, 40),
            word("diagonal", "blue", 76, 132),
            word("full", "green", 234, 132),
        ],
    ),
    ("nfa", &[word("colour: hidden number", "ink", 6, 16), word("fitted curve", "ink", 186, 184)]),
    ("sbn", &[word("drawn", "ink", 257, 48), word("filled in", "vermilion", 257, 140)]),
];

/// Returns the words of the picture of a model as a picture to be laid over it.
fn words(model: &str) -> String {
    let words = WORDS.iter().find(|(id, _)| *id == model).map_or(&[][..], |(_, words)| words);
    let text = |Word { text, hue, at: (x, y) }: &Word| {
        format!("<text class=\"{hue}\" x=\"{x}\" y=\"{y}\">{}</text>", escape(text))
    };
    let texts: String = words.iter().map(text).collect();
    format!("<svg class=\"words\" viewBox=\"0 0 320 190\" aria-hidden=\"true\">{texts}</svg>")
}

/// Returns the markup of the front page, with the picture of each model.
pub fn page(cards: &[(&Model, String)], sections: &[Section]) -> String {
    let count = number(cards.len());
    let mut html = format!(
        "<section class=\"home\">\n<h1>{}{} questions, {count} methods</h1>\n<div class=\"cards\">\n",
        count[..1].to_uppercase(),
        &count[1..]
    );
    for (model, sketch) in cards {
        let sketch = compact(sketch);
        let [question, promise, name, paper] =
            [model.question, model.promise, model.name, model.paper.short].map(escape);
        let _ = write!(
            html,
            "<article class=\"card\">\n<h2><a href=\"#/{}\">{question}</a></h2>\n<div class=\"sketch\">{sketch}{}</div>\n<p>{promise}</p>\n\
             <p class=\"paper\">{name} · {paper}</p>\n</article>\n",
            model.id,
            words(model.id)
        );
    }
    html += "<article class=\"card own\">\n<h2>Bring your own data</h2>\n\
             <p>A table (CSV) or images of digits. Nothing is sent anywhere.</p>\n\
             <p><label>Your file: <input type=\"file\" id=\"own\" aria-describedby=\"looked\"></label></p>\n\
             <p id=\"looked\" role=\"status\">Or choose by what it holds:</p>\n<ul>\n";
    for (model, _) in cards {
        if let Some(page) = table_page(model) {
            html += &entry(model, page);
        }
    }
    html += "</ul>\n</article>\n</div>\n";
    let _ = writeln!(
        html,
        "<p><a href=\"#/papers\">The papers, claim by claim</a>: {}</p>\n</section>",
        opening(sections)
    );
    html
}

/// Returns the entry of a model in the list of pages by what a file holds.
fn entry(model: &Model, page: &str) -> String {
    let kinds: Vec<&str> = model.takes.iter().map(|takes| takes.word()).collect();
    format!(
        "<li data-takes=\"{}\"><a href=\"#/{page}\">{}</a>: {}</li>\n",
        kinds.join(" "),
        escape(model.takes_words),
        escape(model.name)
    )
}

/// Returns a number of models in words.
fn number(count: usize) -> String {
    let words = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    let word = count.checked_sub(2).and_then(|place| words.get(place));
    word.map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

/// Returns the page of a model that takes a table: the one where columns have roles, if there is one.
pub fn table_page(model: &Model) -> Option<&'static str> {
    let with = |role| move |page: &&dyn Task| Field::with_role(page.fields(), role).is_some();
    let catalog = catalog();
    let pages = || catalog.pages(model.id).filter(with(Role::Data));
    let page = pages().find(with(Role::Ignored)).or_else(|| pages().next())?;
    Some(page.meta().id)
}

/// Returns the same picture in fewer letters: without what only a file or a text needs, and with the shortest steps of its lines.
pub fn compact(svg: &str) -> String {
    let without = |line: &str, name: &str| match line.split_once(&format!(" {name}=\"")) {
        Some((before, rest)) => before.to_owned() + rest.split_once('"').map_or("", |(_, after)| after),
        None => line.to_owned(),
    };
    let mut out = String::new();
    for line in svg.lines() {
        let line = without(&without(line, "xmlns"), "font-family");
        match line.split_once(" d=\"").and_then(|(style, d)| Some((style, d.strip_suffix("\"/>")?))) {
            Some((style, d)) if style.contains("fill=\"none\"") && !style.contains("dasharray") => {
                let _ = writeln!(out, "{style} d=\"{}\"/>", written(&lines(d)));
            }
            _ => out = out + &line + "\n",
        }
    }
    out
}

type Line = Vec<(i32, i32)>;

/// Returns the lines of a path of steps, as `render` writes them: `M1 2l3 -4l5 6M…`.
fn lines(d: &str) -> Vec<Line> {
    let pair = |text: &str| -> (i32, i32) {
        let (x, y) = text.split_once(' ').unwrap();
        (x.parse().unwrap(), y.parse().unwrap())
    };
    let line = |text: &str| {
        let mut at = (0, 0);
        let step = |step: &str| {
            let (x, y) = pair(step);
            at = (at.0 + x, at.1 + y);
            at
        };
        text.split('l').map(step).collect()
    };
    d.split('M').skip(1).map(line).collect()
}

fn written(lines: &[Line]) -> String {
    let mut d = String::new();
    for line in lines {
        let _ = write!(d, "M{} {}", line[0].0, line[0].1);
        for (place, step) in line.windows(2).enumerate() {
            for (axis, by) in [step[1].0 - step[0].0, step[1].1 - step[0].1].into_iter().enumerate() {
                let before = if axis + place == 0 {
                    "l"
                } else if by < 0 {
                    ""
                } else {
                    " "
                };
                let _ = write!(d, "{before}{by}");
            }
        }
    }
    d
}

#[test]
fn a_picture_in_fewer_letters_is_the_same() {
    let d = "M5 5l-3 1M0 0l2 2l0 4M9 9l1 1";
    assert_eq!(written(&lines(d)), "M5 5l-3 1M0 0l2 2 0 4M9 9l1 1");
    let svg = "<svg xmlns=\"x\" width=\"9\">\n<path fill=\"none\" d=\"M0 0l1 1\"/>\n<path fill=\"red\" d=\"M0 0h1z\"/>\n";
    assert_eq!(compact(svg), svg.replace(" xmlns=\"x\"", ""));
}
