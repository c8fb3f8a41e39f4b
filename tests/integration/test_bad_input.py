"""Whatever people do wrong is answered with a sentence, and changes nothing."""

import asyncio
from pathlib import Path

import discord
import pytest

from bot.base.errors import KemsError, StoreError
from bot.operating import operations
from tests.integration.harness import COMMAND, PEOPLE, Harness
from tests.integration.table import Table, begun, settings_for


@pytest.mark.kems(table_threads=True)
async def test_a_missing_permission_for_threads_is_named_and_the_channel_takes_the_table(harness: Harness) -> None:
    no_threads = discord.PermissionOverwrite(create_public_threads=False)
    harness.channel = harness.guild.create_text_channel("plat", overwrites={harness.bot.user: no_threads})
    await harness["Léa"].slash("kems start", thread=True)
    assert "Créer des fils publics" in harness["Léa"].last().text
    await harness["Léa"].slash("kems start")
    lobby = harness["Léa"].last()
    assert (lobby.channel_id, lobby.ephemeral) == (harness.channel.id, False)
    assert lobby.control("Rejoindre") is not None


async def test_a_table_that_cannot_be_played_is_refused(harness: Harness) -> None:
    for options, sentence in (
        ({"players": 12, "deck": "32"}, "il faut au moins 52 cartes"),
        ({"rules": "classic players=5"}, "2, 4, 6, 8, 9, 10, 12"),
    ):
        await harness["Léa"].slash("kems start", **options)
        answer = harness["Léa"].last()
        assert answer.ephemeral
        assert sentence in answer.text


async def test_forged_and_outdated_presses_are_refused(table: Table) -> None:
    hands = {name: table.hand(name) for name in PEOPLE}
    gone = next(card for card in ("7S", "7H", "7D", "7C", "8S") if card not in (*table.pool(), *hands["Léa"]))
    for forged in ("k1", "k1:1:fly", "k1:1:put:ZZ", "k1:1:put:x" * 9, "k9:1:kems", "k1:1:counter_at:x", "🍀"):
        assert "a été remplacé" in await table.forge("Léa", forged)
    assert "</kems start:" in await table.forge("Léa", "k1:99:kems")
    assert "dans votre main" in await table.forge("Léa", f"k1:{table.id}:put:{gone}")
    assert await table.forge("Léa", f"k1:{table.id}:counter_at:2")
    assert await table.forge("Léa", f"k1:{table.id}:counter_at:77")
    assert await table.forge("Léa", f"k1:{table.id}:gesture:bonjour")
    assert {name: table.hand(name) for name in PEOPLE[1:]} == {name: hands[name] for name in PEOPLE[1:]}
    assert table.score() == (0, 0)


async def test_a_player_is_told_when_somebody_else_took_the_card_first(harness: Harness, table: Table) -> None:
    card = table.pool()[0]
    for name in ("Bruno", "Bruno", "Dora"):
        await table.press(name, f"put:{table.hand(name)[-1]}")
    await harness.together(lambda: table.press("Bruno", f"take:{card}"), lambda: table.press("Dora", f"take:{card}"))
    assert "Trop tard : Bruno vient de prendre" in table.panel("Dora").text
    assert card in table.hand("Bruno")
    assert len(table.hand("Dora")) == 3
    assert "Vous avez déjà pris" in await table.forge("Bruno", f"k1:{table.id}:take:{card}")


async def test_words_are_refused_as_a_sign(harness: Harness) -> None:
    table = await begun(harness)
    await table.press("Léa", "sign_panel")
    form = await harness["Léa"].click("Autre…")
    await harness["Léa"].submit(form, "bonjour")
    assert "rien d'autre" in table.panel("Léa").text
    await table.agree()
    await table.open_hunt()
    assert "seuls les emojis comptent comme gestes" in await harness["Léa"].ask("kems sign", gesture="j'ai le carré")
    assert "carré" not in await table.after(harness["Léa"].say(f"<@{harness.bot.user.id}> j'ai le carré"))


async def test_only_the_host_closes_the_table(harness: Harness) -> None:
    table = await begun(harness)
    assert "Réservé à l'hôte" in await harness["Dora"].agree("kems table end")
    await table.after(harness["Léa"].agree("kems table end"))
    assert table.message().controls == ()
    assert "pas de table" in await harness["Léa"].agree("kems table end")


async def test_an_unreachable_database_stops_the_start(tmp_path: Path) -> None:
    settings = settings_for(tmp_path / "missing")
    with pytest.raises(StoreError, match="is missing: make it"):
        await operations.migrate(settings)
    await asyncio.sleep(0.1)  # aiosqlite's thread reports its end to this loop


def closed(code: int) -> discord.ConnectionClosed:
    return discord.ConnectionClosed(None, shard_id=None, code=code)  # type: ignore[arg-type]  # no socket is asked


@pytest.mark.parametrize(
    ("problem", "sentence", "status"),
    [
        (discord.LoginFailure("401"), "refused DISCORD_TOKEN", 78),
        (discord.PrivilegedIntentsRequired(None), "MESSAGE_CONTENT=0", 78),
        (closed(4004), "refused DISCORD_TOKEN: copy", 78),
        (closed(4011), "too many servers for its shards", 1),
        (closed(4013), "does not know the intents", 78),
        (closed(4014), "MESSAGE_CONTENT=0", 78),
        (closed(4009), r"closed the connection \(code 4009\)", 1),
        (ConnectionRefusedError(), "cannot be reached", 1),
    ],
)
async def test_a_refusal_of_discord_at_the_start_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception, sentence: str, status: int
) -> None:
    async def login(_client: discord.Client, _token: str) -> None:
        raise problem

    async def reach() -> None:
        """Somebody answers."""

    monkeypatch.setattr(discord.Client, "login", login)
    monkeypatch.setattr("bot.operating.startup.reach_discord", reach)
    with pytest.raises(KemsError, match=sentence) as refused:
        await operations.run_bot(settings_for(tmp_path, discord_token=f"{'a' * 24}.{'b' * 6}.{'c' * 27}"))
    assert refused.value.status == status


async def test_the_start_asks_for_a_token_when_there_is_none(tmp_path: Path) -> None:
    with pytest.raises(KemsError, match="DISCORD_TOKEN is missing"):
        await operations.run_bot(settings_for(tmp_path))


async def test_an_option_out_of_its_bounds_is_reported(harness: Harness) -> None:
    """A client checks them, by what it knew of the command."""
    for given, said in (
        ({"name": "round", "type": 4, "value": 10_000}, "« manche » va de 1 à 9999 : retapez la commande."),
        ({"name": "round", "type": 3, "value": "x"}, "Cette commande a changé"),
        ({"name": "round", "type": 4, "value": 0}, "« manche » va de 1 à 9999 : retapez la commande."),
    ):
        leaf = {"name": "replay", "type": 1, "options": [given]}
        data = {"id": "1", "name": "kems", "type": 1, "options": [{"name": "records", "type": 2, "options": [leaf]}]}
        await harness.send(harness["Léa"].id, COMMAND, data)
        assert said in harness["Léa"].told.replace("\u202f", " ").replace("\u00a0", " ")
