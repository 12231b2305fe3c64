//! Merges the shapes of a picture. A browser computes the style of each element, so small pictures of hundreds of markers would block
//! a slow phone.

/// A circle or a path.
struct Shape {
    /// Attributes other than those of its outline.
    style: String,
    /// Outline, as in the attribute `d` of a path.
    outline: String,
}

impl Shape {
    /// Reads a tag as `render` writes it; `None` if it is neither a circle nor a path.
    fn read(tag: &str) -> Option<Self> {
        if let Some(path) = tag.strip_prefix("<path ") {
            let (style, outline) = path.strip_suffix("\"/>")?.split_once(" d=\"")?;
            return Some(Self { style: style.to_owned(), outline: outline.to_owned() });
        }
        let circle = tag.strip_prefix("<circle ")?.strip_suffix("/>")?;
        let (x, rest) = number(circle, "cx")?;
        let (y, rest) = number(rest, "cy")?;
        let (r, style) = number(rest, "r")?;
        let outline = format!("M{} {y}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 -{} 0z", x - r, 2.0 * r, 2.0 * r);
        Some(Self { style: style.to_owned(), outline })
    }

    /// Returns true for the rim of a marker, which separates it from what is under it.
    fn is_rim(&self) -> bool {
        self.style.starts_with("fill=\"var(--paper") && !self.style.contains(' ')
    }

    /// Returns true if merging shapes of this style does not change the picture: overlaps of translucent shapes would become lighter.
    fn is_opaque(&self) -> bool {
        !self.style.contains("opacity")
    }

    fn to_tag(&self) -> String {
        format!("<path {} d=\"{}\"/>", self.style, self.outline)
    }
}

/// Returns the number in the first attribute, which has that name, and what follows it.
fn number<'a>(attributes: &'a str, name: &str) -> Option<(f64, &'a str)> {
    let (value, rest) = attributes.strip_prefix(name)?.strip_prefix("=\"")?.split_once('"')?;
    Some((value.parse().ok()?, rest.trim_start()))
}

/// Returns a picture in which markers have no rims and consecutive shapes of the same style are one path.
pub fn merge_shapes(svg: &str) -> String {
    let mut out = String::new();
    let mut last: Option<Shape> = None;
    for tag in svg.split_inclusive('>') {
        match (Shape::read(tag), &mut last) {
            (Some(shape), _) if shape.is_rim() => {}
            (Some(shape), Some(last)) if shape.style == last.style && shape.is_opaque() => {
                last.outline += &shape.outline;
            }
            (shape, _) => {
                out.extend(last.take().map(|last| last.to_tag()));
                if shape.is_none() {
                    out += tag;
                }
                last = shape;
            }
        }
    }
    out.extend(last.map(|last| last.to_tag()));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_of_one_colour_are_one_path() {
        let rim = |x: u32| format!("<circle cx=\"{x}\" cy=\"5\" r=\"3\" fill=\"var(--paper,#fff)\"/>");
        let disc = |x: u32| format!("<circle cx=\"{x}\" cy=\"5\" r=\"2\" fill=\"red\"/>");
        let svg = format!("<svg>{}{}{}{}<text>a</text></svg>", rim(5), disc(5), rim(9), disc(9));
        let circle = |x: u32| format!("M{x} 5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0z");
        let path = format!("<path fill=\"red\" d=\"{}{}\"/>", circle(3), circle(7));
        assert_eq!(merge_shapes(&svg), format!("<svg>{path}<text>a</text></svg>"));
        assert_eq!(merge_shapes(&merge_shapes(&svg)), merge_shapes(&svg));
    }

    #[test]
    fn shapes_of_another_style_and_translucent_ones_stay_apart() {
        let path = |style: &str, d: &str| format!("<path fill=\"{style}\" d=\"{d}\"/>");
        for style in ["red", "red\" opacity=\"0.5"] {
            let other = if style == "red" { "blue" } else { style };
            let svg = format!("<g>{}{}</g>", path(style, "M0 0l1 1"), path(other, "M2 2l1 1"));
            assert_eq!(merge_shapes(&svg), svg);
        }
    }
}
