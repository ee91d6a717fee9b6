"""Reports: one self-contained page for whatever a front door answered, written from the saved document alone."""

from identikit.reporting._document import Advice as Advice
from identikit.reporting._document import Block as Block
from identikit.reporting._document import Bullets as Bullets
from identikit.reporting._document import Drawing as Drawing
from identikit.reporting._document import Equations as Equations
from identikit.reporting._document import Facts as Facts
from identikit.reporting._document import Gallery as Gallery
from identikit.reporting._document import Listing as Listing
from identikit.reporting._document import Paragraph as Paragraph
from identikit.reporting._document import Picture as Picture
from identikit.reporting._document import ReportDocument as ReportDocument
from identikit.reporting._document import Section as Section
from identikit.reporting._document import Table as Table
from identikit.reporting._document import Tone as Tone
from identikit.reporting._html import HtmlRenderer as HtmlRenderer
from identikit.reporting._kinds import REPORTS as REPORTS
from identikit.reporting._kinds import document_of as document_of
from identikit.reporting._latex import LatexRenderer as LatexRenderer
from identikit.reporting._markdown import MarkdownRenderer as MarkdownRenderer
from identikit.reporting._renderer import Renderer as Renderer
