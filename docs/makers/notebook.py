"""docs/topicset.ipynb: its cells are written there; this executes them, and stores what they show."""

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).resolve().parents[1] / "topicset.ipynb"


def page() -> str:
    """The notebook with the outputs of its cells."""
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    code = [one for one in notebook["cells"] if one["cell_type"] == "code"]
    for number, one in enumerate(code, start=1):
        one |= {"execution_count": number, "outputs": _outputs("".join(one["source"]), names, number)}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _outputs(source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """What a cell prints, and the value of the expression at its end."""
    tree, printed, shown = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if shown is not None:
        data = {"text/plain": repr(shown).splitlines(keepends=True)}
        if hasattr(shown, "_repr_html_"):
            data["text/html"] = [shown._repr_html_()]
        result = {"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"}
        outputs.append(result)
    return outputs
