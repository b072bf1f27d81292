"""Renders Markdown as GitHub does: the same paragraphs, lists and tables, and the same anchors.

markdown-it follows CommonMark, as GitHub does. Python-Markdown, which MkDocs uses, reads nested lists, tables and HTML
in its own way, and a page would then look different in the two places.
"""

import html
import re

from markdown_it import MarkdownIt
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

COMMENT = re.compile(r"<!--.*?-->\n?", re.DOTALL)
# An address in HTML that Markdown contains.
ATTRIBUTE = re.compile(r'\b(href|src)="([^"]*)"')
PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def plain(inline):
    """The text of a heading or paragraph without its markup."""
    words = {"text", "code_inline", "image"}
    return "".join(token.content if token.type in words else " " if token.type == "softbreak" else ""
                   for token in inline.children or []).strip()


def slug(text):
    """The anchor that GitHub makes for a heading."""
    return re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-")


def without_empty_headings(tokens):
    """The tokens without the empty first rows that Markdown needs for tables without headings.

    A cell is no heading if it is empty, because a screen reader would announce nothing for it.
    """
    kept, start = [], None
    for token in tokens:
        kept.append(token)
        if token.type == "thead_open":
            start = len(kept) - 1
        elif token.type == "thead_close":
            cells = [part for part in kept[start:] if part.type == "inline"]
            if not any(cell.content for cell in cells):
                del kept[start:]
                continue
            for index in range(start, len(kept)):
                if kept[index].type == "inline" and not kept[index].content:
                    kept[index - 1].tag = kept[index + 1].tag = "td"
    return kept


class Page:
    """A page of Markdown: its title, its first paragraph, its links and its HTML."""

    def __init__(self, text):
        self.tokens = without_empty_headings(PARSER.parse(text))
        self.title, self.summary, self.headings = "", "", []
        used = {}
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                words = plain(self.tokens[index + 1])
                anchor, count = slug(words), used.get(slug(words), 0)
                used[anchor] = count + 1
                token.attrSet("id", f"{anchor}-{count}" if count else anchor)
                self.headings.append((int(token.tag[1]), token.attrGet("id"), words))
                self.title = self.title or words
            elif token.type == "paragraph_open" and token.level == 0 and not self.summary:
                self.summary = " ".join(plain(self.tokens[index + 1]).split())

    def links(self):
        """The addresses of the page's links and pictures."""
        for token in self.tokens:
            for part in [token, *(token.children or [])]:
                for name in ("href", "src"):
                    if part.attrGet(name):
                        yield part.attrGet(name)
                if part.type in ("html_block", "html_inline"):
                    yield from (html.unescape(found[1]) for found in ATTRIBUTE.findall(COMMENT.sub("", part.content)))

    def contents(self):
        """The headings as MkDocs wants them: each with those below it."""
        top, path = [], []
        for level, anchor, words in self.headings:
            item = {"level": level, "id": anchor, "name": html.escape(words), "children": []}
            while path and path[-1]["level"] >= level:
                path.pop()
            (path[-1]["children"] if path else top).append(item)
            path.append(item)
        return top

    def html(self, resolve):
        """The page's HTML; `resolve` returns the address in the site for an address in the Markdown."""
        def resolved(match):
            return f'{match[1]}="{html.escape(resolve(html.unescape(match[2])))}"'

        for token in self.tokens:
            for part in [token, *(token.children or [])]:
                for name in ("href", "src"):
                    if part.attrGet(name):
                        part.attrSet(name, resolve(part.attrGet(name)))
                if part.type in ("html_block", "html_inline"):
                    part.content = ATTRIBUTE.sub(resolved, COMMENT.sub("", part.content))
        return RENDERER.render(self.tokens, PARSER.options, {})


def fence(_renderer, tokens, index, _options, _environment):
    """A block of code with the colours of its language, and the name of its file above it."""
    token = tokens[index]
    language = (token.info.split() or ["text"])[0]
    title = re.search(r'title="([^"]*)"', token.info)
    try:
        lexer = get_lexer_by_name(language, stripnl=False)
    except ClassNotFound:
        lexer = get_lexer_by_name("text", stripnl=False)
    named = f'<span class="filename">{html.escape(title[1])}</span>' if title else ""
    code = highlight(token.content, lexer, HtmlFormatter(nowrap=True))
    commands = re.findall(r"(?m)^\$ (.*)$", token.content) if language == "console" else []
    # The theme's button copies this instead of the prompts and what the commands print.
    copied = f' data-copy="{html.escape(chr(10).join(commands))}"' if commands else ""
    return f'<div class="language-{html.escape(language)} highlight"{copied}>{named}<pre><span></span><code>{code}</code></pre></div>\n'


def heading_close(_renderer, tokens, index, _options, _environment):
    """The end of a heading, with a link to it."""
    opened = next(token for token in reversed(tokens[:index]) if token.type == "heading_open")
    anchor = html.escape(opened.attrGet("id"))
    return f'<a class="headerlink" href="#{anchor}" title="Link to this heading">¶</a></{tokens[index].tag}>\n'


PARSER.add_render_rule("fence", fence)
PARSER.add_render_rule("code_block", fence)
PARSER.add_render_rule("heading_close", heading_close)
RENDERER = PARSER.renderer
