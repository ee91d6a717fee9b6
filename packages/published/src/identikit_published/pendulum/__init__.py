"""The pendulum report: its tables and figures, and the extensions that it proposes."""

from identikit_published._base import Document

DOCUMENT = Document.read(__name__)
