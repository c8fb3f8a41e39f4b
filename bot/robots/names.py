"""Names of robots: short first names that read well in French and in English."""

from collections.abc import Collection
from itertools import count
from random import Random
from typing import Final

_NAMES: Final = (
    "Zoé Hugo Noé Oscar Inès Basile Margot Félix Suzanne Anatole Clémence Marius Ondine Gaspard Capucine Achille"
)
NAMES: Final = tuple(_NAMES.split())


def free_name(taken: Collection[str], rng: Random) -> str:
    """Returns a name that is not taken, with a number once all are."""
    free = [name for name in NAMES if name not in taken]
    if free:
        return rng.choice(free)
    return next(name for number in count(2) for name in (f"{base} {number}" for base in NAMES) if name not in taken)
