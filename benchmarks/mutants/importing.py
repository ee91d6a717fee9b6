"""An import hook: a module is compiled from a changed syntax tree; its file and what is kept of it stay as they are."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

Transform = Callable[[ast.Module], ast.Module]


class ChangedLoader(SourceFileLoader):
    """Compiles from the tree that `transform` makes; `names` are put into the module before it runs, and `finish` is
    called with the module after that."""

    def __init__(
        self,
        name: str,
        path: str,
        transform: Transform,
        names: Mapping[str, Any],
        finish: Callable[[ModuleType], None] | None,
    ) -> None:
        super().__init__(name, path)
        self.transform, self.names, self.finish = transform, names, finish

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        return compile(ast.fix_missing_locations(self.transform(tree)), path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update(self.names)
        super().exec_module(module)
        if self.finish is not None:
            self.finish(module)


class ChangedFinder(MetaPathFinder):
    """Finds the modules that are changed; all others are left to those that come after."""

    def __init__(
        self,
        transforms: Mapping[str, Transform],
        names: Mapping[str, Any] | None = None,
        finish: Callable[[ModuleType], None] | None = None,
    ) -> None:
        self.transforms, self.names, self.finish = transforms, names or {}, finish

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in self.transforms:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or spec.origin is None:
            return spec
        spec.loader = ChangedLoader(fullname, spec.origin, self.transforms[fullname], self.names, self.finish)
        return spec

    def install(self) -> None:
        """Before anything of these modules was imported: what is there already would stay as it is."""
        early = [name for name in self.transforms if name in sys.modules]
        if early:
            raise RuntimeError(f"imported before it could be changed: {', '.join(early)}")
        sys.meta_path.insert(0, self)
