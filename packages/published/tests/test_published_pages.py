"""The pages of docs/published, made from what `identikit reproduce` saved."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from documentation import docs_script
from identikit.result import PublishedFigure, Reproduction


def reproduced(key: str, source: str, **given: object) -> Reproduction:
    figure = PublishedFigure("viscous", "error of zeta", "%", 0.5, 0.51, 0.019, 0.018, "printed digits differ")
    return Reproduction(key, source, "Table 4", "Errors", (figure,), seeds=3, **given)  # type: ignore[arg-type]


def test_published_tables_stand_beside_what_was_obtained(tmp_path: Path) -> None:
    published = docs_script("published")
    reproduced("energy-table-4", "the energy paper").save(tmp_path / "energy-table-4.json")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "gone-paper.md").write_text("of a document that is no longer there")
    Image.new("RGB", (2000, 1000), "white").save(tmp_path / "energy-table-4.png")
    published.write(published.saved_in(tmp_path), tmp_path / "pages", tmp_path)
    assert {path.name for path in (tmp_path / "pages").iterdir()} == {
        "README.md",
        "energy-paper.md",
        "energy-table-4.png",
    }
    with Image.open(tmp_path / "pages" / "energy-table-4.png") as picture:
        assert picture.width == published.WIDTH
    page = (tmp_path / "pages" / "energy-paper.md").read_text(encoding="utf-8")
    assert "| viscous | error of zeta \\[%\\] | 0.5 | 0.51 | 0.019 | 0.018 |" in page
    assert "![Errors](energy-table-4.png)" in page
    assert "printed digits differ" in page and "identikit reproduce energy-table-4" in page
    assert "(energy-paper.md)" in (tmp_path / "pages" / "README.md").read_text(encoding="utf-8")
