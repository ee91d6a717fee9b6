"""Still pictures inside a page: SVG as the address of an image, so that nothing in it can act on the page."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

from identikit.reporting._settings import REPORT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# the same picture gives the same bytes, and letters are shapes: no font has to be there
_SVG: Any = {"svg.hashsalt": "identikit", "svg.fonttype": "path"}


def image_address(figure: Figure) -> str:
    """The picture as a data address."""
    from matplotlib import rc_context

    content = io.BytesIO()
    with rc_context(_SVG):
        figure.savefig(content, format="svg", dpi=REPORT.dots_per_inch, metadata={"Date": None, "Creator": None})
    return f"data:image/svg+xml;base64,{base64.b64encode(content.getvalue()).decode()}"
