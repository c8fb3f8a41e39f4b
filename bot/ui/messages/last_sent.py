"""What Discord shows of one message, as far as the bot can know."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from bot.ui.kit.components import Layout


class LastSent:
    """The content that was sent last; unknown after a failed request, and after two at once, in whatever order."""

    def __init__(self) -> None:
        self._content: Layout | None = None
        self._under_way = 0
        self._is_mixed = False

    def is_now(self, content: Layout) -> bool:
        return self._content == content

    @contextmanager
    def sending(self) -> Iterator[Callable[[Layout], None]]:
        """Enclose a request; call the yielded function with the content once Discord has accepted it."""
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
