"""Write docs/findings.md from the registry of findings.

python docs/findings.py
"""

from __future__ import annotations

from pathlib import Path

from identikit.result import KINDS, Severity

PAGE = Path(__file__).with_name("findings.md")

HEAD = """# Findings

Everything identikit has to say about an estimate, a record or a method is a finding: a **code** for programs, a
**text** for people, a **severity**, and the parameters, outputs or columns that it is **about**. They stand in
`result.findings`, in the JSON under `findings` (see [result-format.md](result-format.md)), and in what `print(result)`
shows. Programs read codes, never texts: texts may change.

```python
from identikit.result import KINDS

print(KINDS["at_bound"].remedy)
```

A finding is made by `finding(code, text, *about)`; a code of your own is a row,
`register_finding(FindingKind(code, severity, meaning, remedy))`, all from `identikit.result`.

This page is made from the registry by `python docs/findings.py`; a test compares the two.
"""

SECTIONS = {
    Severity.REFUSAL: (
        "Refusals",
        "The method does not apply, or its estimate is not to be trusted. A status is `ok` exactly if there is none.",
    ),
    Severity.WARNING: ("Warnings", "The number stands, but not without these words."),
    Severity.NOTE: ("Notes", "What was decided or found along the way."),
}


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    for severity, (title, meaning) in SECTIONS.items():
        rows = [kind for kind in KINDS.values() if kind.severity is severity and not kind.package]
        lines = [f"| `{kind.code}` | {_cell(kind.meaning)} | {_cell(kind.remedy)} |" for kind in rows]
        table = "\n".join(["| code | meaning | what to do |", "|---|---|---|", *lines])
        parts.append(f"## {title}\n\n{meaning}\n\n{table}\n")
    return "\n".join(parts)


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
