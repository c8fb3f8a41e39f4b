"""What everybody may know about a table, in words: names, teams, scores, duties, and statements about signs."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from math import inf
from typing import Final
from unicodedata import normalize

from bot.discord.pictures.card_faces import Faces
from bot.discord.text.names import disambiguate_players, display_name, escaped_name
from bot.discord.text.text_width import truncate_to_width, width
from bot.discord.text.texts import LANGUAGES, Texts, mark, non_breaking
from bot.game.cards import Card
from bot.game.events import MatchPaused, Outcome, Phase
from bot.game.rules.rules import EndsAt, Rules
from bot.game.signs import SignReport, Strategy
from bot.game.value import value
from bot.game.views import GestureInfo, SeatView, TableView
from bot.records.pictures import Theme
from bot.records.player import HelpLevel, Player
from bot.tables.lobby.lobby import Lobby
from bot.ui.words.signs import outcome_text, shown_gesture, shown_sign

_TEAM_MARKS: Final = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫"

_VOWELS: Final = tuple("AEIOUH")
_SOUND_OF_I: Final = re.compile(r"\W*h?[iíìî](?![aeo])", re.IGNORECASE)


def team_mark(team: int) -> str:
    """Return a short mark that identifies a team without colours."""
    return _TEAM_MARKS[team]


def team_name(team: int, texts: Texts) -> str:
    """Return a team's name: `Team 1`."""
    return texts.t("Team {number}", number=team + 1)


def signed_points(points: int, *, plus: bool = False) -> str:
    """Return a number of points with a true minus sign."""
    return (f"{points:+}" if plus else str(points)).replace("-", "−")


def join_words(words: Sequence[str], texts: Texts) -> str:
    """Return words as a list: `Ana, Bruno and Chloé`."""
    if len(words) < 2:
        return "".join(words)
    first, last = ", ".join(words[:-1]), words[-1]
    if (before_i := LANGUAGES[texts.locale].before_i) and _SOUND_OF_I.match(last):
        return before_i.format(first=first, last=last)
    return texts.t("{first} and {last}", first=first, last=last)


def score_line(scores: Sequence[int], texts: Texts) -> str:
    """Return the points of all teams: `Team 1 · **4 — 2** · Team 2`; for three or more teams, `Team 1 · **4** | …`.

    No line breaks within the score of two teams.
    """
    line = score_text([team_name(team, texts) for team in range(len(scores))], scores)
    return non_breaking(line) if len(scores) == 2 else line


def score_text(teams: Sequence[str], scores: Sequence[int]) -> str:
    """Return the points of the teams with these names, as `score_line` does."""
    if len(scores) == 2:
        first, second = map(signed_points, scores)
        return f"{teams[0]} · **{first} — {second}** · {teams[1]}"
    return " | ".join(f"{team} · **{signed_points(points)}**" for team, points in zip(teams, scores, strict=True))


def own_score(view: SeatView, texts: Texts, *, is_short: bool = False) -> str:
    """Return the score as a reader sees it: `Us 3 · Them 2 (to 10)`.

    Several opposing teams are shown by their marks; if `is_short`, only the leading one.
    """
    t, table, end = texts.t, view.table, view.table.rules.end
    others = [team for team in range(table.teams) if team != view.team]
    shown_teams = [max(others, key=table.scores.__getitem__)] if is_short else others
    named = {view.team: t("Us")} | {team: t("Them") if len(others) == 1 else team_mark(team) for team in shown_teams}
    lines = [f"{name} {signed_points(table.scores[team])}" for team, name in named.items()]
    aim = "" if end.ends_at is EndsAt.ROUNDS else " " + t("(to {points})", points=end.target)
    return f"**{' · '.join(lines)}**{aim}"


EMPTY_SLOT: Final = "—"
GESTURES: Final = 12  # shown while the round runs, at least one of each player
_CARDS_IN_LINE: Final = 4
_CHAINS: Final = {
    Outcome.KEMS: mark("**Kem's!** The same team may still make it a {double}."),
    Outcome.DOUBLE: mark("**A {double}!** The same team may still add a double counter."),
    Outcome.DOUBLE_COUNTER: mark("**Double counter!** The same team may still add a {double}."),
}


def countdown(at: int) -> str:
    """Return an instant (milliseconds) as a countdown that Discord updates; it never ends too early."""
    return f"<t:{-(-at // 1000)}:R>"


def clock(milliseconds: int) -> str:
    """Return a duration as minutes and seconds: `1:04`."""
    minutes, seconds = divmod(milliseconds // 1000, 60)
    return f"{minutes}:{seconds:02}"


def double_name(rules: Rules, texts: Texts) -> str:
    """Return the name of a double by these rules, for mid-sentence."""
    return texts.t("Super Kem's") if rules.calls.bell else texts.t("double Kem's")


@value
class TableText:
    """The words of a public table.

    - `view`: what everybody sees.
    - `people`: the players by seat.
    - `faces`: how its cards look to the reader.
    """

    view: TableView
    people: Sequence[Player]
    faces: Faces

    @property
    def texts(self) -> Texts:
        """The texts in the reader's language."""
        return self.faces.texts

    def name(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return display_name(self.people[seat])

    def names(self, seats: Iterable[int]) -> str:
        """Return the names of the players on these seats as a list in words."""
        return join_words([self.name(seat) for seat in seats], self.texts)

    def awaited(self, seats: Iterable[int]) -> str:
        """Return a sentence that names the players for whom the table waits."""
        return self.texts.t("Waiting for {names}.", names=self.names(seats))

    def team(self, team: int) -> str:
        """Return a team's name."""
        return team_name(team, self.texts)

    def counter(self, caller: int, team: int, target: int | None, *, is_true: bool) -> str:
        """Return the sentence that a player counters a player or a team.

        Args:
            caller: The seat of the player who counters.
            team: The countered team.
            target: The seat of the countered player; None for the whole team.
            is_true: Whether the counter is right.
        """
        t, values = self.texts.t, {"caller": self.name(caller)}
        if target is None:  # the name of a team has an article in some languages
            values["team"] = self.team(team)
            return (
                t("{caller} counters {team}.", **values)
                if is_true
                else t("{caller} wrongly counters {team}.", **values)
            )
        values["name"] = self.name(target)
        return t("{caller} counters {name}.", **values) if is_true else t("{caller} wrongly counters {name}.", **values)

    def score(self) -> str:
        """Return the points of all teams, and the games they have won if the match has several."""
        return score_line(self.view.scores, self.texts) + self.games()

    def games(self) -> str:
        """Return ` (games 1 – 0)`; empty if the match is one game."""
        if self.view.rules.end.best_of == 1:
            return ""
        return self.texts.t(" (games {games})", games=" – ".join(map(str, self.view.games)))

    def round_name(self) -> str:
        """Return the number of the round, out of how many, or that it is the last one."""
        t, end = self.texts.t, self.view.rules.end
        number = self.view.round or 1  # signs are settled before the first deal
        if self.view.is_time_called and self.view.phase is not Phase.MATCH_OVER:
            return t("Round {number}, the last one ⏳", number=number)
        if end.ends_at is EndsAt.ROUNDS:
            return t("Round {number} of {rounds}", number=number, rounds=end.rounds)
        return t("Round {number}", number=number)

    def heading(self) -> str:
        """Return the round, the score and the dealer in one line."""
        dealer = self.texts.t("{name} deals", name=self.name(self.view.dealer))
        score = f" · {self.score()}" if self.view.round or any(self.view.scores) else ""
        return f"**{self.round_name()}**{score} · {dealer}"

    def pool(self) -> str:
        """Return the open cards, large; each slot keeps its place."""
        slots = self.view.pool or (None,) * _CARDS_IN_LINE
        size = "#" if len(slots) <= 2 * _CARDS_IN_LINE else "###"
        rows = (slots[start : start + _CARDS_IN_LINE] for start in range(0, len(slots), _CARDS_IN_LINE))
        return "\n".join(self._pool_row(row, size) for row in rows)

    def state(self) -> str:
        """Return what is happening at the table, with its deadline."""
        t, view = self.texts.t, self.view
        if view.pause is not None:
            return self.paused(view.pause)
        match view.phase:
            case Phase.SIGNS:
                return t("Each team agrees on its sign, in private.")
            case Phase.DEAL:
                return t("The cards are being dealt.")
            case Phase.READY:
                dealer = self.name(view.dealer)
                if view.ends_at is None:
                    return t("The cards are dealt. {name} opens the hunt.", name=dealer)
                when = countdown(view.ends_at)
                return t("The cards are dealt. {name} opens the hunt {when}.", name=dealer, when=when)
            case Phase.HUNT:
                return t(
                    "**The hunt is open** · stock {stock} · discard {discard}", stock=view.stock, discard=view.discard
                )
            case Phase.SWEEP:
                asker = "" if view.sweep_asker is None else self.name(view.sweep_asker)
                awaited = self.awaited(seat.seat for seat in view.seats if not seat.agreed_sweep)
                line = t("🧹 **{asker} asks for a sweep.**", asker=asker)
                silence = "" if view.ends_at is None else t(" Silence agrees {when}.", when=countdown(view.ends_at))
                return f"{line} {awaited}{silence}"
            case Phase.CHAIN:
                outcome = Outcome.KEMS if view.chain is None else view.chain.outcome
                settled = "" if view.ends_at is None else t(" Settled {when}.", when=countdown(view.ends_at))
                return t(_CHAINS[outcome], double=self.double()) + settled
            case Phase.OVER:
                return t("The round is over.")
            case Phase.MATCH_OVER:
                return t("The match is over.")

    def paused(self, pause: MatchPaused) -> str:
        """Return a line that the match is paused, which says so if the bot has paused it by itself."""
        t = self.texts.t
        if pause.by_itself:
            return t("⏸ **Paused: nobody could go on here.** The clock is stopped until somebody resumes.")
        return t("⏸ **The match is paused.** The clock is stopped.")

    def duties(self) -> str | None:
        """Return lines on what the table waits for; None if for nothing.

        While signs are agreed on, they say which teams are ready; later, which players have to show cards or to
        exchange.
        """
        t, view = self.texts.t, self.view
        if view.phase is Phase.SIGNS:
            settled = ((team, view.seats[team].has_settled_sign) for team in range(view.teams))
            done = " · ".join(f"{self.team(team)} {'✓' if is_settled else '…'}" for team, is_settled in settled)
            by_chance = "" if view.ends_at is None else t(" · picked at random {when}", when=countdown(view.ends_at))
            return done + by_chance
        lines = [
            t("{name} must show cards to {viewer} in private.", name=self.name(seat.seat), viewer=self.name(viewer))
            for seat in view.seats
            if (viewer := seat.must_show_to) is not None
        ]
        for seat in view.seats:
            if seat.must_exchange and view.duty_ends_at is not None:
                values = {"name": self.name(seat.seat), "when": countdown(view.duty_ends_at)}
                lines.append(t("🧹 {when}, unless {name} exchanges", **values))
        if view.game_won:
            lines.append(t("A game is won: the score starts at zero with the next round."))
        if view.phase is Phase.READY:
            lines += (
                t("{name} showed {cards} and drew again.", name=self.name(item.seat), cards=self.cards(item.cards))
                for item in view.excess
            )
        return "\n".join(lines) or None

    def seats(self, opened_hands: Collection[int] | None) -> str:
        """Return all players in seating order with what they owe, and how many have opened their hand.

        `opened_hands`: the seats that have opened it; None if that is not known yet.
        """
        line = " · ".join(self.seat(seat) for seat in range(len(self.people)))
        if opened_hands is None:
            return line
        return f"{line}\n-# " + self._ready(self._opened(opened_hands))

    def still_opening(self, opened_hands: Collection[int]) -> str | None:
        """Return how many players have opened their hand; None once all have."""
        opened = self._opened(opened_hands)
        return None if opened == len(self.people) else "-# " + self._ready(opened)

    def _opened(self, opened_hands: Collection[int]) -> int:
        return sum(seat in opened_hands or player.is_played_by_robot for seat, player in enumerate(self.people))

    def _ready(self, opened: int) -> str:
        return self.texts.t("Ready: {opened} of {seats}", opened=opened, seats=len(self.people))

    def gestures(self) -> str:
        """Return the latest gesture of each player in seating order, the newest one last."""
        lines, most = [], max(1, GESTURES // len(self.people))
        for seat, player in enumerate(self.people):
            made = [shown_gesture(item.kind, item.text) for item in self.view.gestures if item.seat == seat]
            lines.append(f"{escaped_name(player.name)} {' '.join(made[-most:]) or EMPTY_SLOT}")
        return self.texts.t("Gestures: {made}", made=" · ".join(lines))

    def cards(self, cards: Iterable[Card | None]) -> str:
        """Return cards in a row, empty slots as dashes. A row that fits on a phone does not wrap."""
        card_faces = [EMPTY_SLOT if card is None else self.faces.text(card) for card in cards]
        most = self.faces.in_row
        return " ".join(non_breaking(" ".join(card_faces[at : at + most])) for at in range(0, len(card_faces), most))

    def _pool_row(self, cards: Sequence[Card | None], size: str) -> str:
        """Return large pictures, those of characters with their names below, or large suit cards.

        On a phone names are too long to be large.
        """
        labels = [EMPTY_SLOT if card is None else self.faces.label(card) for card in cards]
        pictures = [EMPTY_SLOT if card is None else str(self.faces.picture(card) or "") for card in cards]
        if self.faces.pictures and all(pictures):
            drawn = f"{size} " + "\u2003".join(pictures)
            if self.faces.theme is Theme.FRENCH:
                return drawn
            return drawn + "\n" + " · ".join(EMPTY_SLOT if card is None else self.faces.named(card) for card in cards)
        if self.faces.theme is Theme.FRENCH:
            return f"{size} " + "\u2003".join(labels)
        return "### " + " · ".join(labels)

    def double(self) -> str:
        """Return the name of a double by the table's rules."""
        return double_name(self.view.rules, self.texts)

    def seat(self, seat: int) -> str:
        """Return the mark of the team, the player's name, and what they owe."""
        owes = self.view.seats[seat].owes
        owed = self.texts.n(" (owes {count} card)", " (owes {count} cards)", owes) if owes else ""
        return f"{team_mark(self.view.seats[seat].team)} {self.name(seat)}{owed}"


def latest_of_each(gestures: Sequence[GestureInfo]) -> list[GestureInfo]:
    """Return the latest gesture of each player, the newest first."""
    latest: dict[int, GestureInfo] = {}
    for item in reversed(gestures):
        latest.setdefault(item.seat, item)
    return [*latest.values()]


def elide(line: str, name: str, texts: Texts) -> str:
    """Return the line with French elisions before a `name` that begins with a vowel, such as `la place d'Anatole`."""
    is_elided = texts.locale == "fr" and normalize("NFD", name)[:1].upper() in _VOWELS
    return line.replace(f"de {name}", f"d'{name}").replace(f"que {name}", f"qu'{name}") if is_elided else line


def seated_players(players: Sequence[Player | None]) -> tuple[Player, ...]:
    """Return the players of a match by seat, with names disambiguated; a match has no free seats."""
    return tuple(player for player in disambiguate_players(players) if player is not None)


EXCHANGES: Final = 3  # the latest that are shown
BY_CHANCE: Final = "🎲"


def exchanges_line(table_text: TableText, named: Callable[[int], str] | None = None, room: float = inf) -> str:
    """Return the players' exchanges, newest last: `Ana 10♠ → V♥ · Bruno 7♣ → 🎲 D♦`; empty if there were none.

    Args:
        table_text: The words of the table.
        named: Returns a player's name; by default in full.
        room: Width in ems; the oldest exchanges beyond it are left out.
    """
    label, people = table_text.faces.labels, table_text.people
    lines = []
    for item in table_text.view.exchanges[-EXCHANGES:]:
        name = escaped_name(people[item.seat].name) if named is None else named(item.seat)
        chance = f"{BY_CHANCE} " if item.by_chance else ""
        lines.append(non_breaking(f"{name} {label(item.put)} → {chance}{label(item.taken)}"))
    while len(lines) > 1 and width(" · ".join(lines)) > room:
        del lines[0]
    return truncate_to_width(" · ".join(lines), room)


REPORTS: Final = 3  # the latest that are shown


def reports(table_text: TableText) -> list[str]:
    """Return lines on what was said about other teams' signs in this round, right or wrong, newest last."""
    return [_report(item, table_text) for item in table_text.view.reports[-REPORTS:]]


def known_single(table_text: TableText) -> str | None:
    """Return a line with the teams that kept a single sign after one was found; None if there are none."""
    t, known = table_text.texts.t, table_text.view.known_single
    teams = join_words([table_text.team(team) for team in known], table_text.texts)
    return "-# " + t("{teams}: a single sign for the rest of the match.", teams=teams) if teams else None


def vote_outcome(table_text: TableText) -> str | None:
    """Return a line on what the vote allowed, while the teams agree on signs; None if it allowed nothing."""
    view = table_text.view
    if view.phase is not Phase.SIGNS or not view.strategies:
        return None
    return "-# " + outcome_text(view.strategies, table_text.texts)


def levels_line(lobby: Lobby, texts: Texts) -> str | None:
    """Return a line on whose panel marks more or less than usual; None if all have the default for new players."""
    if len(lobby.people) < 2 or lobby.is_to_be_ranked:
        return None
    named: dict[HelpLevel, list[str]] = {level: [] for level in HelpLevel}
    for seat, player in enumerate(disambiguate_players(lobby.players)):
        if player is not None and not player.is_robot:
            named[lobby.help.of(seat)].append(display_name(player))
    values = {level: names for level, names in named.items() if names}
    if values.keys() == {HelpLevel.GUIDED} or values.keys() == {HelpLevel.NORMAL}:
        return None
    values.pop(HelpLevel.NORMAL, None)
    return "-# " + " · ".join(
        texts.t("{name}: {value}", name=texts.t(level.words), value=", ".join(names)) for level, names in values.items()
    )


def _report(item: SignReport, table_text: TableText) -> str:
    t = table_text.texts.t
    name, team = table_text.name(item.seat), table_text.team(item.team)
    if item.strategy is Strategy.TOTAL:
        sentence = t("{team}, you play total", team=team)
    elif item.strategy is Strategy.PRESIGN:
        sentence = t("{team}, stop pre-sign", team=team)
    elif len(item.signs) == 1:
        sentence = t("{team}, your sign is {sign}", team=team, sign=shown_sign(item.signs[0]))
    else:
        signs = join_words([shown_sign(sign) for sign in item.signs], table_text.texts)
        sentence = t("{team}, your signs are {signs}", team=team, signs=signs)
    if item.is_right:
        return t("📣 {name}: “{said}” — **right**", name=name, said=sentence)
    return t("📣 {name}: “{said}” — wrong", name=name, said=sentence)
