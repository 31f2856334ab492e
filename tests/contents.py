"""The pages of the app as its table of contents lists them, for all tests that open pages."""

from pages.parts.contents import CONTENTS, Listed

__all__ = ["ADDRESSES", "CONTENTS", "HEADINGS", "Listed"]

HEADINGS = {page.file: page.heading for page in CONTENTS}
"""Every page file and its heading."""

ADDRESSES = {page.address: page.heading for page in CONTENTS}
"""Every address and its heading."""
