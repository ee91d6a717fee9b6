"""The reference-point paper."""

from identikit_published._base import Document

DOCUMENT = Document.read(__name__)
