"""The scenes of each kind, found and measured by `tests.daily.fill_pool`."""

from collections.abc import Mapping
from typing import Final

from bot.daily.scene import Kind, Scene


def _scenes(kind: Kind, measured: str) -> tuple[Scene, ...]:
    """`measured` has each seed with the time in which a robot solves its scene (milliseconds)."""
    pairs = (map(int, pair.split(":")) for pair in measured.split())
    return tuple(Scene(kind, seed, time) for seed, time in pairs)


POOL: Final[Mapping[Kind, tuple[Scene, ...]]] = {
    Kind.SIGN: _scenes(
        Kind.SIGN,
        """
        16:20741 23:20143 42:22779 53:15573 62:21515 85:16227 89:18074 118:22627 133:14931 147:14828 190:19683
        236:18802 243:16363 245:15884 254:24071 263:24474 274:23734 275:17794 283:18352 324:18965 355:21740
        372:15936 375:14794 417:20252
        """,
    ),
    Kind.COUNTER: _scenes(
        Kind.COUNTER,
        """
        2:17744 6:21260 12:16653 17:16822 23:15180 34:19330 42:25006 43:17484 49:20946 54:17035 79:21102
        127:20620 132:22204 141:16478 143:18945 168:16338 185:17176 213:19290 222:16113 224:20650 225:18415
        243:22292 260:16018 263:18310
        """,
    ),
    Kind.COLLECT: _scenes(
        Kind.COLLECT,
        """
        33:16176 84:23692 97:19639 100:18935 108:23784 127:16261 231:17771 238:18379 319:18666 332:19192
        336:15069 539:21978 547:17608 571:15791 594:17765 632:19721 684:16597 707:23699 731:17023 749:17568
        750:14866 775:18411 793:23952 846:18103
        """,
    ),
}
