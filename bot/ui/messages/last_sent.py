"""What Discord shows of one message, as far as the bot can know. It knows no game and sends nothing."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.ui.kit.components import Layout


class LastSent:
    """The content that was sent last; unknown after a request that failed, or two that were under way at once.

    Requests take different ways: of an edit and the answer to a press, sent shortly one after the other, either may
    arrive last.
    """

    def __init__(self) -> None:
        self._content: Layout | None = None
        self._under_way = 0
        self._is_mixed = False

    def is_now(self, content: Layout) -> bool:
        """Whether a message with this content needs no edit."""
        return self._content == content

    @contextmanager
    def sending(self) -> Iterator[Callable[[Layout], None]]:
        """Enclose a request; call what it gives with the content, once Discord has taken it."""
        sent: list[Layout] = []
        self._under_way += 1
        self._is_mixed = self._is_mixed or self._under_way > 1
        self._content = None
        try:
            yield sent.append
        finally:
            self._under_way -= 1
            self._content = sent[-1] if sent and not self._is_mixed else None
            self._is_mixed = self._under_way > 0
