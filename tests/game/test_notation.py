"""KGN: a line that cannot be read, played or held is named, with what was expected there and what there is."""

import pytest

from bot.game.notation.actions import read_sign, sign_word
from bot.game.notation.document import KgnError, read_document
from bot.game.notation.replay import replay_match, replay_text
from bot.game.notation.writer import write_match
from tests.together import together

DECK = "7S 9S 8S QS 7H TS 9H KH 9D JH TD AD 8C QD JC 9C 7D QH KS AH 7C 8D 8H TH TC JS JD QC KD KC AS AC"
MATCH = f"""\
[Kgn "1"]
[Preset "classic"]
[Rules "target=10 quiet=5"]
[Seats "A B C D"]
[Teams "2"]
[Dealer "D"]
[Signs "#1 👀 / #2 🍀"]
[Deck "{DECK}"]

0 D open
1.5 A put 8C
2 A take 7D
= hand A 7S 7H 9D 7D
"""

CARDS = "a different one of hand word posture mouth eyes idea for each of #1 #2"
A_PLAN = "one sign, 3 to 6, one for each player of the team, or total"
# The line that is put in place of another, then what is expected there and what there is.
BROKEN = {
    "no version": (1, "# a match", '[Kgn "1"]', "no such line"),
    "another version": (1, '[Kgn "2"]', '[Kgn "1"]', "'2'"),
    "a bad tag": (2, '[Preset "classic]', 'a head line such as [Preset "classic"]', "'[Preset \"classic]'"),
    "an unknown preset": (2, '[Preset "bridge"]', "a known preset", "There are no rules named “bridge”"),
    "an unknown axis": (3, '[Rules "goal=10"]', "rules that can be played", "There is no rule named “goal”"),
    "a bad value": (3, '[Rules "target=ten"]', "rules that can be played", "The rule “target” cannot be “ten”"),
    "a bad choice": (3, '[Rules "deck=33"]', "rules that can be played", "The rule “deck” cannot be “33”"),
    "a value out of range": (3, '[Rules "down=5"]', "rules that can be played", "The rule “down” cannot be “5”"),
    "no value": (3, '[Rules "target"]', "rules that can be played", "I cannot read “target”: write"),
    "a rule twice": (3, '[Rules "target=2 target=3"]', "rules that can be played", "The rule “target” is given twice"),
    "a rule without effect": (3, '[Rules "chain=4"]', "rules that can be played", "“chain” changes nothing"),
    "a seat twice": (4, '[Seats "A B A D"]', "a different name for each seat", "'A B A D'"),
    "too few seats": (4, '[Seats "A B D"]', "a table that can be played", "These rules are for 2, 4,"),
    "too small a deck": (4, '[Seats "A B C D E F G H"]', "a table that can be played", "8 players need 36 cards"),
    "unequal teams": (5, '[Teams "3"]', "a number of equal teams of 4 players", "'3'"),
    "an unknown dealer": (6, '[Dealer "Z"]', "one of the seats A B C D", "'Z'"),
    "a team without a sign": (7, '[Signs "#1 👀"]', "a sign for each of #1 #2", "'#1 👀'"),
    "a team with two signs": (7, '[Signs "#1 👀 🎲 / #2 🍀"]', A_PLAN, "'👀 🎲'"),
    "a team named twice": (7, '[Signs "#1 👀 / #1 🎲 / #2 🍀"]', "a sign for each of #1 #2", "'#1 👀 / #1 🎲"),
    "a stranger's sign": (7, '[Signs "Z 👀 / #2 🍀"]', "a sign for each of #1 #2", "'Z 👀 / #2 🍀'"),
    "signs without a vote": (7, '[Signs "#1 total / #2 🍀"]', "signs that the rules and the vote allow", "#1 refused"),
    "an unknown strategy": (3, '[Strategies "triple"]', "any of double intermediate total presign spoken", "'triple'"),
    "cards by other rules": (3, '[Cards "#1 eyes / #2 hand"]', "no cards by these rules", "'#1 eyes / #2 hand'"),
    "one card for two": (3, '[Rules "sign_cards=yes"]\n[Cards "#1 eyes / #2 eyes"]', CARDS, "'#1 eyes"),
    "a strange card": (3, '[Rules "sign_cards=yes"]\n[Cards "#1 eyes / #2 nose"]', CARDS, "'#1 eyes"),
    "an unknown card in the deck": (8, f'[Deck "{DECK[:-2]}1C"]', "a card such as 7S", "unknown card '1C'"),
    "a card twice": (8, f'[Deck "{DECK[:-2]}AS"]', "the 32 cards of the deck, each once", "32 cards"),
    "a short deck": (8, '[Deck "7S 9S"]', "the 32 cards of the deck, each once", "2 cards"),
    "redrawn without a deck": (8, '[Redrawn "7S"]', "a [Deck] as well", "no such line"),
    "an unknown seat": (11, "1.5 Z put 8C", "one of the seats A B C D", "'Z'"),
    "an unknown verb": (11, "1.5 A fold 8C", "a verb of the notation with its words", "'fold 8C'"),
    "a verb short of words": (11, "1.5 A put", "a verb of the notation with its words", "'put'"),
    "an unknown card": (11, "1.5 A put 1C", "a card such as 7S", "unknown card '1C'"),
    "no move": (11, "1.5 A", "TIME WHO VERB, such as 1.5 B take KD", "'1.5 A'"),
    "no time": (11, "A put 8C", "a time in seconds such as 1.5", "'A'"),
    "an endless time": (11, "inf A put 8C", "a time in seconds such as 1.5", "'inf'"),
    "time going back": (12, "1.4 A take 7D", "a time not before 1.5", "1.4"),
    "nobody doing something": (11, "1.5 - put 8C", "- next, - chance, TIME - time or TIME - tick", "'- put'"),
    "an unknown player": (11, "1.5 A counter Z", "the move to be taken", "refused unknown_player"),
    "a team zero": (11, "1.5 A counter #0", "a team such as #1", "'#0'"),
    "two signs": (11, "1.5 A sign 👀 🎲", A_PLAN, "'👀 🎲'"),
    "a refusal unforeseen": (12, "2 A take 7C", "the move to be taken", "refused not_in_pool"),
    "no refusal": (13, "= refused hand_full", "refused hand_full", "refused nothing"),
    "another refusal": (12, "2 A take 7C\n= refused hand_full", "refused hand_full", "refused not_in_pool"),
    "an unknown expectation": (13, "= weather fine", "an expectation such as = score 1 0", "'= weather'"),
    "an empty expectation": (13, "=", "an expectation such as = score 1 0", "'= '"),
    "an expectation of nobody": (13, "= hand", "hand WHO CARDS", "nothing"),
    "an unknown hand": (13, "= hand Z 7S", "one of the seats A B C D", "'Z'"),
    "an expected card unknown": (13, "= pool 7S 1C", "a card such as 7S", "unknown card '1C'"),
    "cards that nobody was shown": (13, "= shown A 7S", "shown A 7S", "shown nobody"),
    "half a debt": (13, "= owes A", "owes WHO NUMBER", "'A'"),
}


@together("what", BROKEN)
def test_a_wrong_line_is_reported_with_its_number(what: str) -> None:
    number, line, expected, got = BROKEN[what]
    broken = _with_line(number, line)
    place = number + line.count("\n")
    failures = replay_text("m.kgn", broken)
    assert failures, "the line was taken"
    assert failures[0].startswith(f"m.kgn:{place}: expected {expected}, got {got}")


def test_a_match_without_a_mistake_replays() -> None:
    assert replay_text("m.kgn", MATCH) == []


def test_an_impossible_deal_is_reported() -> None:
    threes = DECK.replace("9D", "XX").replace("7D", "9D").replace("XX", "7D")  # A is dealt 7S 7H 7D
    broken = MATCH.replace(DECK, threes).replace("\n\n", '\n[Redrawn "7S 7H"]\n\n')
    assert replay_text("m.kgn", broken)[0].startswith(
        "m.kgn:9: expected the 19 cards that are shuffled, each once, got "
    )


def test_an_impossible_draw_is_reported() -> None:
    shuffle = f"{MATCH}3 A kems\n- chance 7S 8S\n- next\n"
    assert replay_text("m.kgn", shuffle) == [
        "m.kgn:16: expected the 32 cards that are shuffled, each once, got another outcome written down"
    ]
    draw = f"{MATCH}3 B counter A\n- chance 7S AC\n23 - tick\n"
    assert replay_text("m.kgn", draw) == [
        "m.kgn:16: expected one of the outcomes that are possible here, got another outcome written down"
    ]


def test_a_malformed_text_is_refused_when_a_match_is_read() -> None:
    with pytest.raises(KgnError, match="line 11: expected a verb") as caught:
        replay_match(_with_line(11, "1.5 A fold 8C"))
    assert (caught.value.line, caught.value.got) == (11, "'fold 8C'")


def test_the_head_names_the_pool_when_it_is_reshuffled_at_the_first_deal() -> None:
    ranks = "23456789TJQKA"
    hands = [rank + suit for suit in "SHDC" for rank in ranks if rank != "7" and rank + suit != "AH"]
    hands.insert(0, "7C")
    text = "\n".join(
        [
            '[Kgn "1"]',
            '[Rules "deck=52 three_alike=sweeps"]',  # and no stock: only the swept cards can be turned up
            '[Seats "A B C D E F G H I J K L"]',
            '[Signs "#1 👀 / #2 🍀 / #3 🎲 / #4 ☕ / #5 🎩 / #6 🦊"]',
            '[Seed "9"]',
            f'[Deck "{" ".join([*hands, "7S", "7H", "7D", "AH"])}"]',
        ]
    )
    replay, log = replay_match(text)
    again, written = replay_match(write_match(log, replay.head.names))
    assert written == log
    assert again.state.pool == replay.state.pool


def test_comments_quotes_and_teams_are_distinguished() -> None:
    document = read_document(f'{MATCH}3 A counter #2 # a team\n4 A say "what # weather"#1 said\n')
    counter, said = document.body[-2:]
    assert counter.words == ("#2",)
    assert said.words == ("what # weather", "#1", "said")


def _with_line(number: int, line: str) -> str:
    lines = MATCH.splitlines()
    return "\n".join([*lines[: number - 1], line, *lines[number:], ""])


def test_a_line_that_begins_with_a_hash_is_a_comment_whatever_follows() -> None:
    assert replay_text("m.kgn", f"#1 is the first team\n{MATCH}") == []


def test_a_sign_that_is_both_seen_and_spoken_is_written_as_one_word() -> None:
    sign = read_sign("👀+say:what_weather")
    assert (sign.text, sign.words, sign.is_spoken) == ("👀", "what weather", False)
    assert sign_word(sign) == "👀+say:what_weather"
