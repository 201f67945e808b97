"""Loads one function of a file without importing the file."""

from __future__ import annotations

import __future__
import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any


class _Bare(ast.NodeTransformer):
    """Removes the parts that a function does not run: annotations and decorators."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self.generic_visit(node)
        node.decorator_list = []
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign(targets=[node.target], value=node.value), node)


def _names_of(statement: ast.stmt) -> set[str]:
    """The names that a top-level statement gives a value."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.split(".")[0] for alias in statement.names}
    return {node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _used_by(statement: ast.stmt) -> set[str]:
    return {node.id for node in ast.walk(statement)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def find_file(checkout: str | Path, inside: str) -> Path:
    """A file of a checkout, or the path itself where it is a file.

    Raises ValueError where there is none."""
    path = Path(checkout).expanduser()
    if path.is_dir():
        path = path / inside
    if not path.is_file():
        raise ValueError(f"there is no file {path}; give the path of the checkout or of the file")
    return path


def load_function(checkout: str | Path, inside: str, name: str) -> Callable[..., Any]:
    """The function `name` of a file, with the imports, constants and functions of that file that it
    uses, and nothing else of it. Decorators and annotations are left out.

    checkout  a folder, or the file
    inside    the file's path in that folder

    Raises ValueError where the file or the function is not there, or a module that it uses is not
    installed.
    """
    path = find_file(checkout, inside)
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"), str(path))
    except (SyntaxError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read as Python: {error}") from None
    statements = [made for statement in tree.body
                  if (made := _Bare().visit(statement)) is not None]
    if not any(isinstance(each, ast.FunctionDef) and each.name == name for each in statements):
        raise ValueError(f"{path} has no function {name}; give another version of it")
    wanted, before = {name}, -1
    while len(wanted) != before:
        before = len(wanted)
        for statement in statements:
            if _names_of(statement) & wanted:
                wanted |= _used_by(statement)
    kept = [each for each in statements if _names_of(each) & wanted]
    for statement in kept:
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            statement.names = [alias for alias in statement.names
                               if (alias.asname or alias.name.split(".")[0]) in wanted]
    module = ast.fix_missing_locations(ast.Module(body=kept, type_ignores=[]))
    code = compile(module, str(path), "exec", flags=__future__.annotations.compiler_flag)
    namespace: dict[str, Any] = {"__name__": path.stem}
    try:
        exec(code, namespace)
    except ImportError as error:
        raise ValueError(f"{path}: {name} uses a module that is not there: {error}") from None
    return namespace[name]
