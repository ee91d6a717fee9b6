"""All published items, document by document. A new one is a function, and a row of its document.

A document of another package is added by an entry point in the group "identikit.reproductions" that leads to it.
"""

from __future__ import annotations

from identikit.registry import Registry
from identikit_published._base import Document, Item

DOCUMENTS: Registry[Document] = Registry("document", {}, group="identikit.reproductions")


def _items() -> tuple[Registry[Item], list[str]]:
    """Those of all documents that can be imported, and what is wrong with the others."""
    found: Registry[Item] = Registry("published item", {}, advice="All: identikit reproduce --list.")
    documents, faults = DOCUMENTS.loaded()
    for document in documents.values():
        for key, item in document.items.items():
            if key in found:
                faults.append(f"{document.name} has a '{key}', which is taken: it is left out")
            else:
                found.register(key, item, f"{item.where}: {item.title}")
    return found, faults


ITEMS, FAULTS = _items()
