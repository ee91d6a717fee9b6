"""Reports: one self-contained page for whatever a front door answered, written from the saved document alone."""

from identikit.reporting._html import HtmlRenderer as HtmlRenderer
from identikit.reporting._kinds import REPORTS as REPORTS
from identikit.reporting._kinds import document_of as document_of
from identikit.reporting._latex import LatexRenderer as LatexRenderer
from identikit.reporting._markdown import MarkdownRenderer as MarkdownRenderer
from identikit.reporting._renderer import Renderer as Renderer
