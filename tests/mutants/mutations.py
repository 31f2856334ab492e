"""Small faults of a file, one expression each: another comparison, operator, constant, condition or result."""

import ast
import random
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
"""A comparison on the other side of its edge, and the opposite one."""

ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
}

_NOT_COMPUTED = ("annotation", "returns", "decorator_list", "type_params")
_NOT_SEEN = ("repr", "strict", "maxsize")  # arguments that no correct call depends on
_MESSAGES = (ast.JoinedStr, ast.Raise, ast.Assert)


@dataclass(frozen=True)
class Mutation:
    """Another expression in place of one of a file."""

    line: int
    before: str
    after: str
    start: int  # bytes of the file
    end: int

    def applied(self, source: str) -> str:
        """Return the file with it; the other lines stay where they are."""
        text = source.encode()
        lines = "\n" * self.before.count("\n")
        return (text[: self.start] + f"({self.after}{lines})".encode() + text[self.end :]).decode()

    def __str__(self) -> str:
        return f"line {self.line}: {' '.join(self.before.split())}  ->  {self.after}"


def mutations(source: str) -> list[Mutation]:
    """Return all mutations of a file, in the order of its text."""
    starts = [0]
    for line in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found = []
    for node, others in _changes(ast.parse(source)):
        assert node.end_lineno
        assert node.end_col_offset
        start, end = (
            starts[node.lineno - 1] + node.col_offset,
            starts[node.end_lineno - 1] + node.end_col_offset,
        )
        before = source.encode()[start:end].decode()
        found += [Mutation(node.lineno, before, ast.unparse(other), start, end) for other in others]
    return sorted(found, key=lambda mutation: (mutation.start, mutation.end, mutation.after))


def drawn(source: str, number: int, seed: int) -> list[Mutation]:
    """Return so many mutations, at most one per expression, or one of each where there are fewer."""
    by_place: dict[tuple[int, int], list[Mutation]] = {}
    for mutation in mutations(source):
        by_place.setdefault((mutation.start, mutation.end), []).append(mutation)
    stream = random.Random(seed)
    places = sorted(stream.sample(sorted(by_place), min(number, len(by_place))))
    return [stream.choice(by_place[place]) for place in places]


def _changes(node: ast.AST) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Give the expressions below a node that are computed, each with those that may be in its place."""
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or isinstance(child, _MESSAGES) or name in _NOT_COMPUTED:
                continue
            if isinstance(child, ast.keyword) and child.arg in _NOT_SEEN:
                continue
            if isinstance(child, ast.expr):
                is_returned = isinstance(node, ast.Return) and ast.unparse(child) != "None"
                yield child, [*_others(child), *([ast.Constant(None)] if is_returned else [])]
            yield from _changes(child)


def _others(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, ops, values):
            for at, op in enumerate(ops):
                for other in COMPARISONS[type(op)]:
                    yield ast.Compare(left, [*ops[:at], other(), *ops[at + 1 :]], values)
        case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
            yield ast.BinOp(left, ARITHMETIC[type(op)](), right)
        case ast.BoolOp(op, values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(ast.Not() | ast.USub(), operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield ast.IfExp(test, orelse, body)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int() | float() as value):
            yield ast.Constant(value + 1)
