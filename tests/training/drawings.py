"""Reads drawings back from their SVG."""

import re
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def read(content):
    """The drawing as a tree."""
    return ET.fromstring(content)  # noqa: S314 - our own file


def texts(root):
    """Every text of the drawing, in the order of drawing."""
    return [element.text for element in root.iter(f"{SVG}text")]


def place_of(root, text):
    """Where the only text that reads `text` stands: (x, y), y downward."""
    (element,) = [element for element in root.iter(f"{SVG}text") if element.text == text]
    return float(element.get("x")), float(element.get("y"))


def group(root, name):
    """The group of that identifier."""
    (element,) = [element for element in root.iter(f"{SVG}g") if element.get("id") == name]
    return element


def groups(root, prefix):
    """The identifiers that begin with `prefix`."""
    return [element.get("id") for element in root.iter(f"{SVG}g") if element.get("id", "").startswith(prefix)]


def markers(element):
    """The places of the markers in a group: (x, y), y downward."""
    return [(float(use.get("x")), float(use.get("y"))) for use in element.iter(f"{SVG}use")]


def lines(element):
    """The points of each path in a group, without what stands in definitions."""
    corners = [re.findall(r"[ML] (\S+) (\S+)", path.get("d")) for path in element.findall(f"{SVG}path")]
    return [[(float(x), float(y)) for x, y in path] for path in corners]


def size(root):
    """Width and height, points."""
    return tuple(map(float, root.get("viewBox").split()[2:]))
