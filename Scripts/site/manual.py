"""Markdown pages and the files that they link to."""
import html
import os
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

from layout import anchor, link, outline

IMAGES = (".png", ".svg", ".jpg")
# A longer file is copied instead of shown.
LONGEST_TEXT = 256 << 10


class Manual:
    """The Markdown pages of the tree, and every file and folder that one of them links to. `modules` has the places of the libraries'
    pages by their names."""

    def __init__(self, root, output, modules):
        self.root, self.output, self.modules = root, output, modules
        self.pages = {}
        self.titles = {}
        self.faults = []
        self.waiting = []
        self.places = {}
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.markdown.add_render_rule("table_open", lambda *_: '<div class="wide" tabindex="0"><table>\n')
        self.markdown.add_render_rule("table_close", lambda *_: "</table></div>\n")
        self.markdown.add_render_rule("fence", lambda _, tokens, index, *__: listing(tokens[index].content))
        self.markdown.add_render_rule("code_block", lambda _, tokens, index, *__: listing(tokens[index].content))

    def place(self, file):
        """The place of a file or folder of the tree, which is added to the site."""
        if file.is_dir() and (file / "README.md").exists():
            file = file / "README.md"
        # The first page of a library's catalog.
        if file.parent.suffix == ".docc" and file.stem in self.modules:
            return self.modules[file.stem]
        if file not in self.places:
            name = file.relative_to(self.root).as_posix()
            if file.is_dir():
                place = f"{name}/index.html"
            elif file.name in ("README.md", "index.md"):
                place = str(Path(name).with_name("index.html"))
            elif file.suffix == ".md":
                place = f"{name[:-3]}.html"
            elif file.suffix in IMAGES or not is_text(file):
                place = name
            else:
                place = f"{name}.html"
            self.places[file] = place
            self.waiting.append(file)
        return self.places[file]

    def build(self):
        """Renders every file that was asked for, and those that they link to."""
        while self.waiting:
            file = self.waiting.pop()
            place, name = self.places[file], file.relative_to(self.root).as_posix()
            if file.is_dir():
                self.add(place, name, f"<h1>{html.escape(name)}</h1>\n" + self.files(file.iterdir(), file, place))
            elif file.suffix == ".md":
                self.render(file, place)
            elif place == name:
                (self.output / place).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(file, self.output / place)
            else:
                self.add(place, name, f"<h1>{html.escape(name)}</h1>\n{listing(file.read_text())}")

    def add(self, place, title, body):
        self.pages[place], self.titles[place] = body, title

    def render(self, file, place):
        tokens = self.markdown.parse(file.read_text())
        used, title = set(), None
        for index, token in enumerate(tokens):
            if token.type == "heading_open":
                text = "".join(part.content for part in tokens[index + 1].children)
                token.attrSet("id", identifier(text, used))
                title = title or text
            for part in token.children or []:
                if part.type in ("link_open", "image"):
                    name = "href" if part.type == "link_open" else "src"
                    part.attrSet(name, self.address(part.attrGet(name), file, place))
        body = self.markdown.renderer.render(tokens, self.markdown.options, {})
        head, end, rest = body.partition("</h1>\n")
        body = head + end + outline(place, rest) + rest if end else body
        folder = file.parent
        if folder.parent == self.root / "Examples":
            files = [one for one in folder.rglob("*") if one.is_file()]
            body += f'<h2 id="{identifier("Files", used)}">Files</h2>\n' + self.files(files, folder, place)
        self.add(place, title or file.name, body)

    def address(self, address, file, place):
        """Where a link of a page leads in the site."""
        parts = urlsplit(address)
        if parts.scheme or parts.netloc:
            return address
        fragment = unquote(parts.fragment)
        if not parts.path:
            return link(place, place, fragment)
        target = Path(os.path.normpath(file.parent / unquote(parts.path)))
        if not target.is_relative_to(self.root) or not target.exists():
            self.faults.append(f"{file.relative_to(self.root)}: there is no {address}")
            return address
        return link(place, self.place(target), fragment)

    def files(self, names, folder, place):
        """A list of files, with their names in the folder. A folder without a page is only named."""
        items = []
        for file in sorted(names):
            if file.name in ("README.md", "Package.resolved") or {".build", "__pycache__"} & set(file.parts):
                continue
            label = f"<code>{html.escape(file.relative_to(folder).as_posix())}</code>"
            if file.is_file() or (file / "README.md").exists():
                label = anchor(place, self.place(file), label)
            items.append(f"<li>{label}</li>")
        return f"<ul>{''.join(items)}</ul>\n"


def is_text(file):
    if file.stat().st_size > LONGEST_TEXT:
        return False
    try:
        return "\0" not in file.read_text()
    except UnicodeDecodeError:
        return False


def listing(text):
    return f'<pre tabindex="0"><code>{html.escape(text)}</code></pre>\n'


def identifier(text, used):
    """A heading's id, as GitHub and other forges make it."""
    name = base = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
    number = 0
    while name in used:
        number += 1
        name = f"{base}-{number}"
    used.add(name)
    return name
