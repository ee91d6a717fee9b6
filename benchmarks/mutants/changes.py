"""Every small change that is made to a module: a comparison turned, a term's sign, a finding that is not appended.

What is changed are decisions and numbers. Text is not: no docstring, annotation, message or function that returns a
`str`; nor what stands in a decorator, an `assert` or a `raise`. Of comparisons of real numbers only the direction is
turned, since `<` and `<=` differ on no record; of whole numbers the end is moved too.

A change is known by its module, the qualified name of the function, and a piece of the source before and after, so that
it is found again when lines move.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.mutants.importing import Transform
from benchmarks.mutants.statements import is_docstring
from benchmarks.mutants.targets import SEARCHES

Key = tuple[str, str, str, str, int]


@dataclass(frozen=True)
class Change:
    """One change.

    Arguments:
        module, function: where; the function's qualified name is empty on the level of the module.
        kind: of the change, in a word.
        before, after: the piece of the source that tells it.
        number: among equal ones in this function.
        line: of the statement, today.
        inside: whether that statement runs when the function is called, rather than when the module is imported.
        names: what the statement gives a value to, if it runs on import.
    """

    module: str
    function: str
    kind: str
    before: str
    after: str
    number: int
    line: int
    inside: bool
    names: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        return self.module, self.function, self.before, self.after, self.number

    def __str__(self) -> str:
        return f"{self.module.removeprefix('identikit.')}:{self.line} {self.function or '(module)'}"


TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
ENDS: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
TWINS = {
    "min": "max", "any": "all", "minimum": "maximum", "argmin": "argmax", "nanmin": "nanmax", "floor": "ceil",
}  # fmt: skip
TWINS |= {other: one for one, other in TWINS.items()}
MEMBERS = {
    "Code": ("OK", "MISFIT", "NOT_CONVERGED", "NOT_IDENTIFIABLE", "NOT_APPLICABLE"),
    "Ending": ("CONVERGED", "CONFIRMED", "STOPPED", "FAILED", "AMBIGUOUS"),
    "Severity": ("REFUSAL", "WARNING", "NOTE"),
    "NoiseKind": ("AUTO", "WHITE", "AR", "STUDENT", "LOGNORMAL"),
    "SideEnd": ("CROSSED", "BOUND", "FAR", "LOST"),
    "Shape": ("IDENTIFIABLE", "FROM_ABOVE", "FROM_BELOW", "FLAT", "LOST"),
}
OTHER_CODES = ("at_bound", "coloured_residuals")
NOTHING = 1e-100  # a number below it keeps a division from failing, one above its inverse is infinite: neither answers
ROUNDING = 1e-6  # a number below it stands for the rounding of computers: twice as much of it is no other answer
PROGRESS = ("progress", "judging", "warnings")  # whose calls tell how far the work is, and change no answer
TEXTS = ("advice", "text", "words", "written")  # names that hold text
CONTEXT = 24  # letters of source at least that tell a change, if the statement has so many


def changes(module: str, tree: ast.Module) -> list[Change]:
    """All of one module, in the order of the source, but for those in functions that only search."""
    return [change for change, _ in _places(module, tree) if (module, change.function) not in SEARCHES]


def applied(change: Change) -> Transform:
    """What makes the change in the module's syntax tree."""

    def transform(tree: ast.Module) -> ast.Module:
        for other, swap in _places(change.module, tree):
            if other.key == change.key:
                swap()
                return tree
        raise LookupError(f"no such place: {change}: {change.before}")

    return transform


@dataclass(frozen=True)
class _Slot:
    """Where a node hangs in the tree."""

    parent: ast.AST
    field: str
    index: int | None

    def put(self, node: ast.AST) -> None:
        if self.index is None:
            setattr(self.parent, self.field, node)
        else:
            getattr(self.parent, self.field)[self.index] = node


@dataclass(frozen=True)
class _Scope:
    """What a node stands in: functions and classes, the innermost statement, the way down from that statement."""

    names: tuple[str, ...] = ()
    function: ast.FunctionDef | None = None
    statement: ast.stmt | None = None
    way: tuple[ast.AST, ...] = ()  # from the statement to the node's parent


def _places(module: str, tree: ast.Module) -> Iterator[tuple[Change, Callable[[], None]]]:
    """Every change with what makes it; made between two steps of the loop, it must be the last."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for node, slot, scope in list(_nodes(tree, _Scope())):
        for kind, new in _variants(node, slot, scope):
            shown = _shown(node, scope)
            before = ast.unparse(shown)
            if shown is node:
                after = ast.unparse(new)
            else:
                slot.put(new)
                after = ast.unparse(shown)
                slot.put(node)
            statement = node if isinstance(node, ast.stmt) else scope.statement
            assert statement is not None
            function = ".".join(scope.names)
            place = function, before, after
            runs = scope.function is not None and not isinstance(statement, ast.FunctionDef)
            yield (
                Change(
                    module,
                    *(function, kind, before, after, seen[place], statement.lineno, runs),
                    names=() if runs else _assigned(statement),
                ),
                lambda slot=slot, new=new: slot.put(new),  # type: ignore[misc]
            )
            seen[place] += 1


def _assigned(statement: ast.stmt) -> tuple[str, ...]:
    """Names that get their value in a statement that runs on import; of a function's default: the function's."""
    if isinstance(statement, ast.FunctionDef):
        return (statement.name,)
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return tuple(target.id for target in targets if isinstance(target, ast.Name))


def _nodes(node: ast.AST, scope: _Scope) -> Iterator[tuple[ast.AST, _Slot, _Scope]]:
    """Every node below, but for text and annotations, with where it hangs."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list", "bases", "type_params", "ctx", "op", "ops"):
            continue
        several = isinstance(value, list)
        for index, child in enumerate(value if several else [value]):
            if not isinstance(child, ast.AST) or _untouched(child):
                continue
            yield child, _Slot(node, field, index if several else None), scope
            yield from _nodes(child, _within(child, scope))


def _within(node: ast.AST, scope: _Scope) -> _Scope:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        function = node if isinstance(node, ast.FunctionDef) else scope.function
        return _Scope((*scope.names, node.name), function, node, (node,))
    if isinstance(node, ast.stmt):
        return _Scope(scope.names, scope.function, node, (node,))
    return _Scope(scope.names, scope.function, scope.statement, (*scope.way, node))


def _untouched(node: ast.AST) -> bool:
    """Text, and what only speaks to those who read the source."""
    if isinstance(node, ast.FunctionDef):
        return isinstance(node.returns, ast.Name) and node.returns.id == "str"
    if isinstance(node, ast.If):
        return isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
    if isinstance(node, ast.AugAssign):
        return _is_text(node.value)
    if isinstance(node, ast.keyword):
        return node.arg == "strict"
    if isinstance(node, ast.Call):
        return _root(node.func) in PROGRESS
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return _root(node.value.func) in PROGRESS
    passive = ast.JoinedStr | ast.Assert | ast.Raise | ast.Import | ast.ImportFrom | ast.AsyncFunctionDef
    return isinstance(node, passive) or is_docstring(node) or _is_text(node, constants=False)


def _is_text(node: ast.AST, constants: bool = True) -> bool:
    """Whether an expression is put together from text."""
    if isinstance(node, ast.JoinedStr):
        return True
    if isinstance(node, ast.Name):
        return constants and node.id in TEXTS
    if isinstance(node, ast.Constant):
        return constants and isinstance(node.value, str)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.IfExp) and (_is_text(node.body) or _is_text(node.orelse))


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _shown(node: ast.AST, scope: _Scope) -> ast.AST:
    """The piece of source that tells a change: the node, or the smallest around it that is long enough."""
    shown = node
    for around in reversed(scope.way):
        if isinstance(shown, ast.stmt) or len(ast.unparse(shown)) >= CONTEXT:
            break
        simple = isinstance(around, ast.Return | ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr)
        if simple or isinstance(around, ast.expr | ast.keyword | ast.comprehension):
            shown = around
        elif isinstance(around, ast.stmt):
            break
    return shown


# The changes


def _variants(node: ast.AST, slot: _Slot, scope: _Scope) -> Iterator[tuple[str, ast.AST]]:
    """What a node can be replaced by, with the kind of the change."""
    if isinstance(node, ast.Compare):
        yield from _comparisons(node)
    elif isinstance(node, ast.BoolOp):
        yield "and, or", ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and not (
        isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant)
    ):
        yield "sign" if isinstance(node.op, ast.USub) else "not", node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
        if scope.function is not None or not isinstance(node.op, ast.BitOr):  # else it joins types
            yield "arithmetic", ast.BinOp(node.left, ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant):
        yield from _constants(node, slot, scope)
    elif isinstance(node, ast.Attribute):
        yield from _attributes(node)
    elif isinstance(node, ast.Name) and node.id in TWINS and isinstance(slot.parent, ast.Call) and slot.field == "func":
        yield "extreme", ast.Name(TWINS[node.id], ast.Load())
    elif isinstance(node, ast.IfExp) and _plain(node.test):
        yield "condition", ast.IfExp(ast.UnaryOp(ast.Not(), node.test), node.body, node.orelse)
    elif isinstance(node, ast.stmt):
        yield from _of_statement(node, scope)
    if slot.field == "ifs":
        yield "filter", ast.Constant(True)
    elif slot.field == "test" and isinstance(slot.parent, ast.If | ast.While) and _plain(node):
        yield "condition", ast.UnaryOp(ast.Not(), node)


def _plain(test: ast.AST) -> bool:
    """Whether a condition has no operator of its own that is changed."""
    return not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp)


def _comparisons(node: ast.Compare) -> Iterator[tuple[str, ast.AST]]:
    sides = (node.left, *node.comparators)
    for i, operator in enumerate(node.ops):
        tables = [("comparison", TURNED)]
        if _whole(sides[i]) or _whole(sides[i + 1]):
            tables.append(("end", ENDS))
        for kind, table in tables:
            if type(operator) in table:
                ops = [*node.ops[:i], table[type(operator)](), *node.ops[i + 1 :]]
                yield kind, ast.Compare(node.left, ops, node.comparators)


def _whole(node: ast.AST) -> bool:
    """Whether an operand is a whole number, as far as the source shows it."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int) and not isinstance(node.value, bool)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("len", "int")


def _constants(node: ast.Constant, slot: _Slot, scope: _Scope) -> Iterator[tuple[str, ast.AST]]:
    value = node.value
    if isinstance(value, bool):
        yield "flag", ast.Constant(not value)
    elif isinstance(value, int):
        yield "number", ast.Constant(value + 1)
    elif isinstance(value, float) and value == 0:
        yield "number", ast.Constant(1.0)
    elif isinstance(value, float) and NOTHING < value < 1 / NOTHING:
        yield "number", ast.Constant(value * 2 if value > ROUNDING else value * 1e6)
    elif isinstance(value, str):
        call = slot.parent
        names_code = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "finding"
        if names_code and slot.field == "args" and slot.index == 0:
            yield "code", ast.Constant(next(code for code in OTHER_CODES if code != value))
        compared = any(isinstance(item, ast.Compare) for item in scope.way)
        if compared or (scope.function is None and isinstance(slot.parent, ast.Tuple)):
            yield "code", ast.Constant("none of these")


def _attributes(node: ast.Attribute) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node.value, ast.Name) and node.attr in (members := MEMBERS.get(node.value.id, ())):
        other = members[(members.index(node.attr) + 1) % len(members)]
        yield "code", ast.Attribute(node.value, other, ast.Load())
    elif node.attr in TWINS:
        yield "extreme", ast.Attribute(node.value, TWINS[node.attr], ast.Load())


def _of_statement(node: ast.stmt, scope: _Scope) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(node, ast.AugAssign) and type(node.op) in ARITHMETIC:
        yield "arithmetic", ast.AugAssign(node.target, ARITHMETIC[type(node.op)](), node.value)
    if isinstance(node, ast.Return) and scope.function is not None and node.value is not None:
        returns = ast.unparse(scope.function.returns) if scope.function.returns else ""
        if returns == "tuple[Finding, ...]" and ast.unparse(node.value) != "()":
            yield "silence", ast.Return(ast.Tuple([], ast.Load()))
    if scope.function is not None and _can_go(node):
        yield "statement", ast.Pass()


def _can_go(node: ast.stmt) -> bool:
    """Whether a statement can be left out without a name being missing."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return not any(_is_text(item) for item in node.value.args)
    if isinstance(node, ast.Assign):
        return all(isinstance(target, ast.Subscript | ast.Attribute) for target in node.targets)
    return isinstance(node, ast.AugAssign | ast.Continue)
