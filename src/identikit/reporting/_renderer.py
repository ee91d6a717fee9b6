"""What a format has to know to write a report: one way for each sort of block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import assert_never

from identikit.reporting._document import (
    Advice,
    Block,
    Bullets,
    Drawing,
    Equations,
    Facts,
    Gallery,
    Listing,
    Paragraph,
    Picture,
    ReportDocument,
    Table,
)
from identikit.result import KINDS, Finding


class Renderer(ABC):
    """A format: `whole` puts together what the others write. Texts in blocks are plain: each escapes them."""

    @abstractmethod
    def whole(self, document: ReportDocument) -> str:
        """The file."""

    @abstractmethod
    def paragraph(self, block: Paragraph) -> str: ...
    @abstractmethod
    def bullets(self, block: Bullets) -> str: ...
    @abstractmethod
    def facts(self, block: Facts) -> str: ...
    @abstractmethod
    def table(self, block: Table) -> str: ...
    @abstractmethod
    def picture(self, block: Picture | Drawing) -> str: ...
    @abstractmethod
    def gallery(self, block: Gallery) -> str: ...
    @abstractmethod
    def listing(self, block: Listing) -> str: ...
    @abstractmethod
    def equations(self, block: Equations) -> str: ...
    @abstractmethod
    def advice(self, block: Advice) -> str: ...

    def block(self, block: Block) -> str:
        """Any block."""
        match block:
            case Paragraph():
                return self.paragraph(block)
            case Bullets():
                return self.bullets(block)
            case Facts():
                return self.facts(block)
            case Table():
                return self.table(block)
            case Picture() | Drawing():
                return self.picture(block)
            case Gallery():
                return self.gallery(block)
            case Listing():
                return self.listing(block)
            case Equations():
                return self.equations(block)
            case Advice():
                return self.advice(block)
            case _:
                assert_never(block)


def remedy_of(item: Finding) -> str:
    """What a person can do about a finding; empty for a code from outside, or where nothing is to be done."""
    kind = KINDS.get(item.code)
    return "" if kind is None or kind.remedy.rstrip(".").lower() == "nothing" else kind.remedy


def headline(document: ReportDocument) -> str:
    """What sort of answer it is, and what it is worth."""
    if document.status is None:
        return document.kind
    return f"{document.kind} ({document.status.code.value.replace('_', ' ')})"
