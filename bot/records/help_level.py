"""How much a player's hand panel marks: each player's own choice, and in some matches the same for all."""

from typing import Final

from bot.game.value import Worded


class HelpLevel(Worded):
    """`GUIDED`: a call lights up once the partner has made a gesture of the plan, and hints are given where there are
    any. `NORMAL`: all gestures of a partner are marked alike, and no call lights up. `BARE`: nothing is marked.
    """

    GUIDED = "guided", "🧭 Guided"
    NORMAL = "normal", "⚖️ Normal"
    BARE = "bare", "👁️ Naked eye"

    @property
    def marks(self) -> bool:
        return self is not HelpLevel.BARE


GUIDED_MATCHES: Final = 5
"""So many matches of a person who has chosen nothing are guided; later ones are normal."""
