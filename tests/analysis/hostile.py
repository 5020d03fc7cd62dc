# SPDX-License-Identifier: GPL-3.0-or-later
"""A game whose tags and comments try to become part of a page, and what looks for that."""

from html.parser import HTMLParser

# What an attack would leave in a page.
MARK = "pwned"
ATTACKS = [
    f"<script>document.documentElement.className='{MARK}'</script>",
    f"</script><script>document.documentElement.className='{MARK}'</script>",
    f"<img src=x onerror=document.documentElement.className='{MARK}'>",
    f"'><svg onload=document.documentElement.className='{MARK}'>",
    f"</title></style><iframe srcdoc='<script>parent.document.title=`{MARK}`</script>'></iframe>",
    f"]]><!--<script>document.documentElement.className='{MARK}'//--></script>",
    f"javascript:document.documentElement.className='{MARK}'",
]


def hostile_game(attack):
    """A game with the text wherever text can be."""
    quoted = attack.replace('"', "'")
    tags = "".join(
        f'[{name} "{quoted}"]\n' for name in ("Event", "Site", "Date", "White", "Black", "ECO")
    )
    return f"{tags}\n1. f3 {{ {quoted} }} e5 2. g4 {{ {quoted} [%clk 0:01:00] }} Qh4# 0-1\n"


class Elements(HTMLParser):
    """All elements of a page with their attributes."""

    def __init__(self, page):
        super().__init__()
        self.found = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


def assert_harmless(page, elements):
    """Nothing is there but these elements; no attribute is a script."""
    for tag, attributes in Elements(page).found:
        assert tag in elements, tag
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in ("href", "xlink:href", "src"):
                assert value.startswith(("#", "data:image/svg+xml;base64,")), value
