"""The pages of the libraries, from the JSON in DocC's archives. DocC's own pages need a web server: their script loads this JSON, which no
browser permits from a file. A type has one page, with its members in it."""
import html
import json

from layout import anchor, outline

PAGES = ("module", "struct", "enum", "class", "protocol")


class Libraries:
    """All symbols and articles of the archives in a folder, by DocC's address, such as `/documentation/localrig/localrig/init(_:)`."""

    def __init__(self, folder):
        self.pages = {}
        self.titles = {}
        self.modules = []
        self.documents = {}
        self.addresses = {}
        for archive in sorted(folder.glob("*.doccarchive")):
            data = archive / "data"
            for file in sorted(data.rglob("*.json")):
                document = json.loads(file.read_text())
                address = "/" + file.relative_to(data).as_posix().removesuffix(".json")
                # The lists that DocC makes of the implementations of each protocol repeat members.
                if document["kind"] == "article" and address.endswith("-implementations"):
                    continue
                self.documents[address] = document
                if "externalID" in document["metadata"]:
                    self.addresses[document["metadata"]["externalID"]] = address
                if document["metadata"].get("symbolKind") == "module":
                    self.modules.append(address)
        self.members = {address: [] for address in self.documents if self.has_page(address)}
        for address in self.documents:
            if address not in self.members:
                self.members[self.owner(address)].append(address)

    def has_page(self, address):
        document = self.documents[address]
        return document["kind"] == "article" or document["metadata"]["symbolKind"] in PAGES

    def owner(self, address):
        """The page that shows a member: that of the nearest type around it, or of the module."""
        while address not in self.members:
            address = address.rpartition("/")[0]
        return address

    def place(self, address):
        path = address.removeprefix("/documentation/")
        return f"libraries/{path}/index.html" if address in self.modules else f"libraries/{path}.html"

    def link(self, source, address, label):
        """A link from a page of the site to a symbol or an article; the label alone if the archives have no such page."""
        address, _, fragment = address.partition("#")
        if address not in self.documents:
            return label
        owner = self.owner(address)
        return anchor(source, self.place(owner), label, address[len(owner) + 1:] or fragment)

    def build(self):
        place = "libraries/index.html"
        rows = "".join(
            f"<tr><td>{self.link(place, module, self.title(module))}</td><td>{self.abstract(place, module)}</td></tr>"
            for module in self.modules)
        self.pages[place] = (
            '<h1>Libraries</h1>\n<p>Every public declaration, as DocC describes it.</p>\n<div class="wide" tabindex="0"><table>'
            f"<thead><tr><th>module</th><th>contents</th></tr></thead><tbody>{rows}</tbody></table></div>")
        self.titles[place] = "Libraries"
        for address in self.members:
            self.page(address)

    def title(self, address):
        return html.escape(self.documents[address]["metadata"]["title"])

    def abstract(self, place, address):
        document = self.documents[address]
        return self.inline(document.get("abstract", []), document["references"], place)

    def page(self, address):
        document, place = self.documents[address], self.place(address)
        parents = [document["references"][one]["url"] for one in document["hierarchy"]["paths"][0]]
        trail = [anchor(place, "libraries/index.html", "Libraries")]
        trail += [self.link(place, parent, self.title(parent)) for parent in parents if parent in self.documents]
        used = {member[len(address) + 1:] for member in self.members[address]}
        body = self.text(document, place, used)
        shown = set()
        for section in document.get("topicSections", []):
            named = [document["references"][one]["url"] for one in section["identifiers"]]
            named = [one for one in named if one in self.documents]
            if named:
                body += self.heading(2, section["title"], section.get("anchor"), used)
                body += "".join(self.topic(one, address, place, shown) for one in named)
        rest = [member for member in self.members[address] if member not in shown]
        if rest:
            body += self.heading(2, "More members" if shown else "Members", "members", used)
            body += "".join(self.topic(member, address, place, shown) for member in rest)
        for section in document.get("relationshipsSections", []):
            names = [self.related(one, document["references"], place) for one in section["identifiers"]]
            body += self.heading(2, section["title"], section["type"], used) + f"<p>{', '.join(names)}</p>\n"
        role = document["metadata"].get("roleHeading") if document["kind"] == "symbol" else None
        head = f'<p class="trail">{" › ".join(trail)}</p>\n<h1>{self.title(address)}</h1>\n'
        if role:
            head += f'<p class="trail">{html.escape("Module" if address in self.modules else role)}</p>\n'
        self.pages[place] = head + outline(place, body) + body
        self.titles[place] = document["metadata"]["title"]

    def topic(self, address, page, place, shown):
        """A member in full if this is its page, else a link to it."""
        if self.owner(address) != page or address in self.members:
            label = f"<code>{self.title(address)}</code>" if self.documents[address]["kind"] == "symbol" else self.title(address)
            return f'<p class="topic">{self.link(place, address, label)}<br>{self.abstract(place, address)}</p>\n'
        if address in shown:
            return ""
        shown.add(address)
        name = html.escape(address[len(page) + 1:])
        body = self.text(self.documents[address], place, None)
        return f'<section class="member">\n<h3 id="{name}"><code>{self.title(address)}</code></h3>\n{body}</section>\n'

    def related(self, identifier, references, place):
        reference = references[identifier]
        address = reference.get("url") or self.addresses.get("s:" + identifier.rpartition("/")[2], "")
        return self.link(place, address, f"<code>{html.escape(reference['title'])}</code>")

    def text(self, document, place, used):
        """Abstract, declaration and discussion. `used` are the ids of the page; without them no heading gets one."""
        references = document["references"]
        abstract = self.inline(document.get("abstract", []), references, place)
        body = f"<p>{abstract}</p>\n" if abstract else ""
        if "deprecationSummary" in document:
            body += f"<p><strong>Deprecated.</strong></p>\n{self.blocks(document['deprecationSummary'], references, place, used)}"
        for section in document.get("primaryContentSections", []):
            match section["kind"]:
                case "declarations":
                    body += "".join(self.declaration(one["tokens"], references, place) for one in section["declarations"])
                case "parameters":
                    items = "".join(
                        f"<dt><code>{html.escape(one['name'])}</code></dt><dd>{self.blocks(one['content'], references, place, None)}</dd>"
                        for one in section["parameters"])
                    body += f"<dl>{items}</dl>\n"
                case "content":
                    body += self.blocks(section["content"], references, place, used)
                # The articles that mention a symbol have links to it.
                case "mentions":
                    pass
                case other:
                    raise ValueError(f"{document['identifier']['url']}: a section '{other}' is unknown to Scripts/site/libraries.py")
        return body

    def declaration(self, tokens, references, place):
        parts = []
        for token in tokens:
            label = html.escape(token["text"])
            # A type of another library has only the compiler's name for it.
            address = references.get(token.get("identifier"), {}).get("url") or self.addresses.get(token.get("preciseIdentifier"))
            parts.append(self.link(place, address, label) if address else label)
        return f'<pre class="declaration" tabindex="0"><code>{"".join(parts)}</code></pre>\n'

    def heading(self, level, title, name, used):
        if not name or used is None or name in used:
            return f"<h{level}>{html.escape(title)}</h{level}>\n"
        used.add(name)
        return f'<h{level} id="{html.escape(name)}">{html.escape(title)}</h{level}>\n'

    def blocks(self, content, references, place, used):
        body = ""
        for block in content:
            match block["type"]:
                case "paragraph":
                    body += f"<p>{self.inline(block['inlineContent'], references, place)}</p>\n"
                case "heading":
                    # A member's text follows its name and needs no heading "Discussion".
                    if used is None and block.get("anchor") in ("discussion", "overview"):
                        continue
                    level = block["level"] if used is not None else max(4, block["level"] + 1)
                    body += self.heading(min(level, 6), block["text"], block.get("anchor"), used)
                case "codeListing":
                    code = html.escape("\n".join(block["code"]))
                    body += f'<pre tabindex="0"><code>{code}</code></pre>\n'
                case "unorderedList" | "orderedList":
                    tag = "ul" if block["type"] == "unorderedList" else "ol"
                    items = "".join(f"<li>{self.blocks(one['content'], references, place, None)}</li>" for one in block["items"])
                    body += f"<{tag}>{items}</{tag}>\n"
                case "table":
                    rows = ""
                    for number, row in enumerate(block["rows"]):
                        tag = "th" if number == 0 and block.get("header") in ("row", "both") else "td"
                        cells = "".join(f"<{tag}>{self.blocks(cell, references, place, None)}</{tag}>" for cell in row)
                        rows += f"<tr>{cells}</tr>"
                    body += f'<div class="wide" tabindex="0"><table>{rows}</table></div>\n'
                case "aside":
                    name = html.escape(block.get("name") or block["style"].capitalize())
                    body += f"<blockquote><strong>{name}</strong>{self.blocks(block['content'], references, place, None)}</blockquote>\n"
                case other:
                    raise ValueError(f"a block '{other}' of DocC is unknown to Scripts/site/libraries.py")
        return body

    def inline(self, content, references, place):
        body = ""
        for part in content:
            match part["type"]:
                case "text":
                    body += html.escape(part["text"])
                case "codeVoice":
                    body += f"<code>{html.escape(part['code'])}</code>"
                case "emphasis":
                    body += f"<em>{self.inline(part['inlineContent'], references, place)}</em>"
                case "strong":
                    body += f"<strong>{self.inline(part['inlineContent'], references, place)}</strong>"
                case "reference":
                    body += self.reference(part, references, place)
                case other:
                    raise ValueError(f"a part '{other}' of DocC is unknown to Scripts/site/libraries.py")
        return body

    def reference(self, part, references, place):
        reference = references[part["identifier"]]
        title = html.escape(part.get("overridingTitle") or reference["title"])
        if reference["type"] == "link":
            return f'<a href="{html.escape(reference["url"])}">{title}</a>'
        if reference.get("kind") == "symbol":
            title = f"<code>{title}</code>"
        return self.link(place, reference.get("url", ""), title)
