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
        7:18302 23:20633 44:15681 53:23459 85:16995 94:24347 133:14782 144:19308 147:14850 190:23354 243:16688
        254:23601 274:23331 306:19404 355:23179 372:17073 375:24146 382:19312 417:22421 423:18843 460:24171
        461:22941 462:24614 479:23712
        """,
    ),
    Kind.COUNTER: _scenes(
        Kind.COUNTER,
        """
        12:18033 34:23931 43:24470 49:20580 79:24533 94:19422 105:19080 110:19114 118:16796 132:23800
        136:20841 139:20195 141:16478 168:16389 171:16196 185:17891 222:15038 225:18415 247:17675 260:21608
        263:21724 264:16697 271:15221 286:22543
        """,
    ),
    Kind.COLLECT: _scenes(
        Kind.COLLECT,
        """
        6:15441 84:24513 97:16081 100:17993 102:16018 103:22779 174:17806 308:19808 317:16626 319:18666
        390:18114 395:22385 403:16364 437:19767 504:17276 547:22445 571:15586 705:15900 710:15802 726:19958
        729:23308 754:22555 773:23709 775:18984
        """,
    ),
}
