"""Makes the text face of the page: a subset of Source Serif 4 under a name of its own.

Usage: make.py FOLDER, with the variable fonts of the npm package `source-serif` in FOLDER; needs fonttools and brotli.
"""

import io
import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

ASCII = "U+0020-007E"
GREEK = "U+0393,U+0394,U+0398,U+039B,U+03A0,U+03A3,U+03A6,U+03A9,U+03B1-03C9"
QUOTES = "U+2013,U+2014,U+2018,U+2019,U+201C,U+201D,U+2026,U+2212"
SIGNS = (
    "U+00A0,U+00AC,U+00B0-00B3,U+00B7,U+00B9,U+00BC,U+00BD,U+00D7,U+00DF,U+00E4,U+00E9,U+00F6,U+00F7,U+00F8,U+00FC,"
    "U+0302-0304,U+0307,U+2009,U+202F,U+2032,U+2033,U+2070,U+2074-207B,U+207F,U+2080-2089,U+2190,U+2192,U+2202,"
    "U+2211,U+221A,U+221E,U+222B,U+2248,U+2260,U+2264,U+2265"
)
FACES = {
    "text": ("Roman", {"wght": (400, 700), "opsz": 14}, [ASCII, GREEK, QUOTES, SIGNS]),
    "italic": ("Italic", {"wght": 400, "opsz": 14}, [ASCII, GREEK, QUOTES]),
}
# The licence reserves the name of the original for the original.
FAMILY = "Mean Field Serif"
RENAMED = {1: FAMILY, 3: FAMILY, 4: FAMILY, 6: FAMILY.replace(" ", ""), 16: FAMILY}


def make(source: pathlib.Path, target: pathlib.Path, axes: dict, characters: list[str]) -> None:
    instance = io.BytesIO()
    instancer.instantiateVariableFont(TTFont(source), axes).save(instance)
    font = TTFont(instance)
    options = subset.Options(flavor="woff2", hinting=False, layout_features=["kern", "mark", "ccmp"])
    options.name_IDs = ["*"]
    chosen = subset.Subsetter(options)
    chosen.populate(unicodes=subset.parse_unicodes(",".join(characters).replace("U+", "")))
    chosen.subset(font)
    names = font["name"]
    # Copyright (0), style (2), version (5) and licence (13, 14) are kept.
    for record in list(names.names):
        if record.nameID in RENAMED:
            record.string = RENAMED[record.nameID]
        elif record.nameID not in (0, 2, 5, 13, 14):
            names.removeNames(nameID=record.nameID)
    subset.save_font(font, target, options)


folder = pathlib.Path(sys.argv[1])
for name, (style, axes, characters) in FACES.items():
    source = folder / f"SourceSerif4Variable-{style}.ttf"
    make(source, pathlib.Path(__file__).parent / f"{name}.woff2", axes, characters)
