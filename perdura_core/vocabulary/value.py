"""What every value of the vocabulary shares."""

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

__all__ = ["MicroUsd", "Text", "Unit", "Value", "clean"]

# C0 and C1 controls but newline and tab, lone surrogates, and the two characters that are never text.
_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """The text with `\\n` line ends, without NUL, lone surrogates and controls other than newline and tab."""
    return _UNWRITABLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


Text = Annotated[str, AfterValidator(clean)]
"""Text as it may be stored: cleaned on the way in."""

Unit = float
"""A number in 0..1."""

MicroUsd = int
"""Money in millionths of a US dollar. Integers, so that ledgers add up exactly."""


class Value(BaseModel):
    """A frozen value: compared by content, hashable, extra fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
