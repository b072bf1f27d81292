"""What all drawings of the documentation share: their looks in light and dark, the SVG around them, and --check."""

import sys
from html import escape

INK, LINE, PAPER = ("#1f2328", "#e6edf3"), ("#57606a", "#8b949e"), ("#ffffff", "#161b22")
ARROW_END = (
    '  <defs><marker id="end" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
    '<path d="M0,0 L8,4 L0,8" /></marker></defs>')


def style(rules):
    """The style of a drawing. A rule is a selector and its properties; a colour is a pair, for light and for dark."""
    def written(index, indent):
        for selector, properties in rules:
            own = {name: value for name, value in properties.items() if index == 0 or isinstance(value, tuple)}
            if own:
                values = [f"{n}: {v[index] if isinstance(v, tuple) else v};" for n, v in own.items()]
                yield f"{indent}{selector} {{ {' '.join(values)} }}"

    return [
        "  <style>", *written(0, "    "), "    @media (prefers-color-scheme: dark) {", *written(1, "      "), "    }",
        "  </style>"]


def svg(width, height, title, description, rules, parts):
    """The text of a drawing, which readers that see nothing hear as its title and its description."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title description">',
        f'  <title id="title">{escape(title)}</title>', f'  <desc id="description">{escape(description)}</desc>',
        *style(rules), ARROW_END, *parts, "</svg>", ""])


def write_or_check(drawings, source, problems=()):
    """Writes the drawings, path → text. With --check, fails instead if one differs, or if there are problems."""
    if sys.argv[1:] != ["--check"]:
        for path, text in drawings.items():
            path.write_text(text, encoding="utf-8")
        return
    wrong = list(problems)
    for path, text in drawings.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            wrong.append(f"{path.name} is not that of {source}: run {sys.argv[0]}")
    if wrong:
        sys.exit("\n".join(wrong))
