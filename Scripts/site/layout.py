"""The frame of every page, links between pages, and the navigation."""
import html
import os
import re
from urllib.parse import quote

FRAME = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="stylesheet" href="{style}">
</head>
<body>
<p class="top"><a href="{home}">RigReady</a><a class="contents" href="#site-navigation">Contents</a></p>
<main>
{body}
</main>
<nav id="site-navigation" aria-label="Contents">
{navigation}
</nav>
</body>
</html>
"""


def link(source, place, fragment=""):
    """The address of a place of the site, as the page `source` refers to it."""
    path = "" if place == source and fragment else quote(os.path.relpath(place, os.path.dirname(source) or "."))
    return path + ("#" + quote(fragment) if fragment else "")


def anchor(source, place, label, fragment="", current=""):
    """A link as HTML; `label` is HTML."""
    return f'<a href="{html.escape(link(source, place, fragment))}"{current}>{label}</a>'


def plain(fragment):
    """The text of a piece of HTML, still escaped."""
    return re.sub(r"<[^>]*>", "", fragment)


def headings(body, levels="2"):
    """The headings of a page that have an id, as pairs of id and escaped text."""
    found = re.findall(rf'<h([{levels}]) id="([^"]*)">(.*?)</h\1>', body, re.S)
    return [(html.unescape(name), plain(text)) for _, name, text in found]


def outline(place, body, levels="2"):
    """The list of a long page's headings."""
    found = headings(body, levels)
    if len(found) < 4:
        return ""
    items = "".join(f"<li>{anchor(place, place, text, name)}</li>" for name, text in found)
    return f'<ul class="outline" aria-label="On this page">{items}</ul>\n'


def frame(place, title, body, groups):
    """A complete page. `groups` are the parts of the navigation: a title and entries of place, fragment and label."""
    navigation = []
    for name, entries in groups:
        items = []
        for target, fragment, label in entries:
            current = ' aria-current="page"' if target == place and not fragment else ""
            items.append(f"<li>{anchor(place, target, html.escape(label), fragment, current)}</li>")
        navigation.append(f"<h2>{html.escape(name)}</h2>\n<ul>{''.join(items)}</ul>")
    return FRAME.format(
        title=html.escape(title if title == "RigReady" else f"{title} · RigReady"), style=html.escape(link(place, "style.css")),
        home=html.escape(link(place, "index.html")), body=body, navigation="\n".join(navigation))
