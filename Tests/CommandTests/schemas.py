"""Validates documents against the schemas in a folder: JSON lines in, one JSON object out.

Each line has the name of a schema, the text of a document, where it is from, whether the text is YAML, whether the
schema must refuse it, and whether to validate changed copies too: without a key, with another one, with other values.

The published schemas let later versions add keys. Here an object may have no key that its schema lacks, so that a key
which the program adds, and the schema does not describe, is a fault.
"""
import json
import re
import sys
from pathlib import Path

import yaml
from jsonschema import Draft202012Validator


class Loader(yaml.SafeLoader):
    """YAML 1.2: only true and false are Booleans, and a date is a text."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, regexp) for tag, regexp in resolvers if not tag.endswith((":timestamp", ":bool"))]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def is_object(schema):
    kind = schema.get("type")
    return "properties" in schema and (kind == "object" or isinstance(kind, list) and "object" in kind)


def tightened(schema):
    """The schema without room for other keys."""
    if isinstance(schema, list):
        return [tightened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    tight = {key: tightened(value) for key, value in schema.items()}
    if is_object(schema) and "additionalProperties" not in schema:
        tight["unevaluatedProperties"] = False
    return tight


def undescribed(schema, place=""):
    """The places of keys without a description."""
    if isinstance(schema, list):
        for item in schema:
            yield from undescribed(item, place)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties" and is_object(schema) or key == "$defs":
                for name, part in value.items():
                    if not part.get("description"):
                        yield f"{place}.{name}"
            yield from undescribed(value, place if key in ("properties", "$defs", "items", "anyOf") else f"{place}.{key}")


def objects(value, place=()):
    """Every object in a document, with its place: keys, and [] for the items of a list."""
    if isinstance(value, dict):
        yield value, place
        for key, item in value.items():
            yield from objects(item, place + (key,))
    elif isinstance(value, list):
        for item in value:
            yield from objects(item, place + ("[]",))


def name(place, *more):
    return ".".join(place + more).replace(".[]", "[]")


def changes(document, seen):
    """The document with one key removed, one added, or one value of another type or word; each kind of place once."""
    for value, place in objects(document):
        for key in list(value):
            kept = value[key]
            spot = name(place, key)
            others = [("another type", {"unexpected": {}} if not isinstance(kept, dict) else [["unexpected"]])]
            if isinstance(kept, str):
                others.append(("another word", kept + "_unexpected"))
            if (spot, "removed") not in seen:
                seen.add((spot, "removed"))
                del value[key]
                yield spot, "removed"
                value[key] = kept
            for change, other in others:
                # What a null may be instead, another document shows.
                if (spot, change) not in seen and kept is not None:
                    seen.add((spot, change))
                    value[key] = other
                    yield spot, change
                    value[key] = kept
        if (name(place), "added") not in seen:
            seen.add((name(place), "added"))
            value["unexpected"] = None
            yield name(place), "added"
            del value["unexpected"]


def main():
    faults = []
    strict, published = {}, {}
    for file in sorted(Path(sys.argv[1]).glob("*.schema.json")):
        schema = json.loads(file.read_text())
        short = file.name.removesuffix(".schema.json")
        Draft202012Validator.check_schema(schema)
        faults += [f"{short}: no description of {place}" for place in undescribed(schema)]
        published[short] = Draft202012Validator(schema)
        strict[short] = Draft202012Validator(tightened(schema))
    counts, unnoticed, copies, seen = {}, {}, [], {}
    for line in sys.stdin:
        line = json.loads(line)
        short, source = line["schema"], line["from"]
        text = line["text"]
        document = yaml.load(text, Loader) if line.get("isYAML") else json.loads(text)
        counts[short] = counts.get(short, 0) + 1
        error = next(strict[short].iter_errors(document), None)
        if line.get("isRefused"):
            if error is None or published[short].is_valid(document):
                faults.append(f"{short}: {source}: accepted: {text[:200]}")
            continue
        if error is not None:
            faults.append(f"{short}: {source}: {error.json_path}: {error.message[:300]}")
            continue
        if not published[short].is_valid(document):
            faults.append(f"{short}: {source}: only the strict schema accepts it")
        for spot, change in changes(document, seen.setdefault(short, set())) if line.get("isChanged") else ():
            is_valid = strict[short].is_valid(document)
            if line.get("isYAML"):
                # What reads such files must agree.
                text = json.dumps(document)
                copies.append({"schema": short, "change": f"{spot} {change}", "text": text, "isValid": is_valid})
                continue
            if is_valid:
                unnoticed.setdefault(change, {}).setdefault(short, []).append(spot)
            if change == "added" and not published[short].is_valid(document):
                faults.append(f"{short}: {source}: {spot or 'the document'}: a later version can add no key")
    json.dump({"faults": faults, "counts": counts, "unnoticed": unnoticed, "copies": copies}, sys.stdout)


main()
