"""A report as one HTML file: nothing is loaded from anywhere, and the browser is told to see to that."""

from __future__ import annotations

import base64
import gzip
import io
import json
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from identikit import __version__
from identikit.errors import MissingDependencyError, need
from identikit.plotting import plot_panels
from identikit.reporting._document import (
    Advice,
    Bullets,
    Drawing,
    Equations,
    Facts,
    Gallery,
    Listing,
    Paragraph,
    Picture,
    ReportDocument,
    Section,
    Table,
)
from identikit.reporting._interactive import plotly_figure
from identikit.reporting._markup import Html, element, joined
from identikit.reporting._renderer import Renderer, remedy_of
from identikit.reporting._settings import REPORT
from identikit.reporting._thinning import thinned
from identikit.result import Cells, Finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# Inline script and style, pictures from inside the page, and nothing else: no request can leave it.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
# the same picture gives the same bytes, and letters are shapes: no font has to be there
_SVG: Any = {"svg.hashsalt": "identikit", "svg.fonttype": "path"}


class HtmlRenderer(Renderer):
    """The page.

    Arguments:
        interactive: add pictures that can be zoomed into, where Plotly is installed.
    """

    def __init__(self, *, interactive: bool = True) -> None:
        self.interactive = interactive

    def whole(self, document: ReportDocument) -> str:
        library, remark = _plotly() if self.interactive and _has_pictures(document) else ("", "")
        body = [
            _header(document),
            element("main", *(self._section(item) for item in document.sections)),
            element("footer", element("p", f"Written by identikit {__version__}. ", remark)),
        ]
        if library:
            body.append(element("script", Html(library), type="application/octet-stream", id="plotly"))
        body.append(element("script", Html(_own("page.js"))))
        head = element(
            "head",
            element("meta", charset="utf-8"),
            element("meta", http_equiv="Content-Security-Policy", content=POLICY),
            element("meta", name="viewport", content="width=device-width, initial-scale=1"),
            element("title", f"{document.title}: {document.kind}"),
            element("style", Html(_own("page.css"))),
        )
        return f"<!doctype html>\n{element('html', head, element('body', *body), lang='en')}\n"

    def _section(self, item: Section) -> Html:
        inside = (Html(self.block(block)) for block in item.blocks)
        heading = element("h2", item.title, id=_anchor(item))
        # what is folded is not printed, nor a heading with nothing else under it
        if all(isinstance(block, Listing) and block.folded for block in item.blocks):
            return element("section", heading, *inside, class_="unprinted")
        return element("section", heading, *inside)

    def paragraph(self, block: Paragraph) -> Html:
        return element("p", block.text, class_=block.tone.value)

    def bullets(self, block: Bullets) -> Html:
        return element("ul", *(element("li", text) for text in block.items))

    def facts(self, block: Facts) -> Html:
        rows = (element("tr", element("th", name, scope="row"), element("td", value)) for name, value in block.rows)
        return element("div", element("table", element("tbody", *rows), class_="facts"), class_="scroll")

    def table(self, block: Table) -> Html:
        cells, flush = block.cells, set(block.cells.right)

        def line(tag: str, row: tuple[str, ...]) -> Html:
            return element("tr", *(element(tag, row[i], class_=_place(row[i], i in flush)) for i in cells.shown))

        head = element("thead", line("th", cells.headers))
        body = element("tbody", *(line("td", row) for row in cells.rows))
        caption = element("p", block.caption, class_="small") if block.caption else Html("")
        return joined(element("div", element("table", head, body), class_=f"scroll broad{_density(cells)}"), caption)

    def picture(self, block: Picture | Drawing) -> Html:
        caption = element("figcaption", block.caption)
        if isinstance(block, Drawing):
            return element("figure", _still(image_address(block.figure), block.caption), caption)
        panels = tuple(thinned(panel) for panel in block.panels)
        width = REPORT.wide if block.wide else REPORT.half
        still = _still(image_address(plot_panels(panels, block.heights, width)), block.caption)
        sort = "wide" if block.wide else "half"
        if not self.interactive:
            return element("figure", still, caption, class_=sort)
        figure = json.dumps(plotly_figure(panels, block.heights), allow_nan=False, separators=(",", ":"))
        # inside a script element only "<" could end it, or open a comment
        data = element("script", Html(figure.replace("<", "\\u003c")), type="application/json")
        return element("figure", still, element("div", data, class_="alive"), caption, class_=f"has-alive {sort}")

    def gallery(self, block: Gallery) -> Html:
        return element("div", *(self.picture(picture) for picture in block.pictures), class_="gallery")

    def listing(self, block: Listing) -> Html:
        text = joined(element("button", "copy", class_="copy", type="button"), element("pre", block.text))
        if block.folded:
            return element("details", element("summary", block.caption), element("div", text, class_="listing"))
        return element("div", element("div", block.caption, class_="caption"), text, class_="listing")

    def equations(self, block: Equations) -> Html:
        return element("div", *(Html(item.mathml) for item in block.rows), class_="equations")

    def advice(self, block: Advice) -> Html:
        return joined(*(_finding(item) for item in block.findings))


def _own(name: str) -> str:
    return files("identikit.reporting").joinpath(name).read_text(encoding="utf-8")


def _plotly() -> tuple[str, str]:
    """The library, packed, or an empty text and why it is missing.

    Unpacked it is 4.8 MB; the browser unpacks it, which leaves 2.0 MB in the page.
    """
    try:
        offline = need("plotly.offline", extra="report")
    except MissingDependencyError as error:
        return "", f"Its pictures are still: {error}"
    return _packed(offline.get_plotlyjs()), ""


@lru_cache(maxsize=1)
def _packed(library: str) -> str:
    """It takes longer than the rest of a page, and every page has the same."""
    return base64.b64encode(gzip.compress(library.encode(), 9, mtime=0)).decode()


def _has_pictures(document: ReportDocument) -> bool:
    return any(isinstance(block, Picture | Gallery) for item in document.sections for block in item.blocks)


def _header(document: ReportDocument) -> Html:
    status = document.status
    badge = Html("") if status is None else _badge(status.code.value.replace("_", " "), status.code.value)
    links = (element("a", item.title, href=f"#{_anchor(item)}") for item in document.sections)
    return element(
        "header",
        element("h1", document.title),
        element("p", f"{document.kind} ", badge, class_="kind"),
        element("nav", *links),
    )


def _badge(words: str, kind: str) -> Html:
    return element("span", words, class_=f"badge {kind}")


def _place(text: str, flush: bool) -> str:
    """Numbers stand flush right, what is short is not broken, and what is long gets room."""
    return "right" if flush else "short" if len(text) <= REPORT.short else "long"


def _density(cells: Cells) -> str:
    """How closely a table has to be printed to fit on paper."""
    columns = ([str(cells.headers[i]), *(row[i] for row in cells.rows)] for i in cells.shown)
    letters = sum(min(max(map(len, column)), REPORT.short) for column in columns)
    return " densest" if letters > REPORT.densest else " dense" if letters > REPORT.dense else ""


def _still(address: str, words: str) -> Html:
    return element("img", src=address, alt=words, class_="still")


def _anchor(item: Section) -> str:
    return "-".join("".join(letter if letter.isalnum() else " " for letter in item.title.lower()).split())


def _finding(item: Finding) -> Html:
    text = f"{item.text.rstrip('.')}."  # as it is: it may begin with a name
    said = element("p", _badge(item.severity.value, item.severity.value), " ", text, " ", element("code", item.code))
    remedy = element("p", element("b", "What to do: "), remedy_of(item)) if remedy_of(item) else Html("")
    return element("div", said, remedy, class_="finding")


def image_address(figure: Figure) -> str:
    """The picture as a data address."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context(_SVG):
        figure.savefig(content, format="svg", dpi=REPORT.dots_per_inch, metadata={"Date": None, "Creator": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
