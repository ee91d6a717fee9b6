"""The statements of the changed modules, numbered; and modules that tell which of them ran."""

from __future__ import annotations

import ast
from functools import cache

from benchmarks.mutants.importing import Transform
from benchmarks.mutants.targets import modules, source_of

RECORDER = "_statement_ran"
_SILENT = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Global, ast.Nonlocal)


def statements(tree: ast.Module) -> list[ast.stmt]:
    """Those inside functions that do something, in the order of their lines: what runs on import runs for every
    test."""
    inside = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            inside += [node for node in ast.walk(function) if isinstance(node, ast.stmt) and node is not function]
    kept = {id(node): node for node in inside if not isinstance(node, _SILENT) and not is_docstring(node)}
    return sorted(kept.values(), key=lambda node: (node.lineno, node.col_offset))


def is_docstring(node: ast.AST) -> bool:
    """Or another statement that is a text."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def numbers() -> dict[tuple[str, int], int]:
    """From module and line to the number of a statement."""
    places = dict.fromkeys((module, node.lineno) for module in modules() for node in statements(_tree(module)))
    return {place: number for number, place in enumerate(places)}


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(source_of(module))


def recording(module: str) -> Transform:
    """Every statement of the module calls the recorder with its number before it runs."""

    def transform(tree: ast.Module) -> ast.Module:
        wanted = {id(node) for node in statements(tree)}
        for parent in ast.walk(tree):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(parent, field, None)
                if isinstance(block, list):
                    setattr(parent, field, [new for node in block for new in _recorded(node, module, wanted)])
        return tree

    return transform


def _recorded(node: ast.stmt, module: str, wanted: set[int]) -> list[ast.stmt]:
    if id(node) not in wanted:
        return [node]
    number = numbers()[module, node.lineno]
    call = ast.Call(ast.Name(RECORDER, ast.Load()), [ast.Constant(number)], [])
    return [ast.copy_location(ast.Expr(call), node), node]
