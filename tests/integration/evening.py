"""One night of a server in the simulated Discord: planned, signed up for and led by its host."""

from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from bot.discord.interactions.setting import ChoiceSetting
from bot.discord.text.texts import texts_for
from bot.game.rules.presets import PRESETS
from bot.nights.night import Night
from bot.nights.people import sign_up
from bot.nights.planning.draft import NightDraft, first_plan
from bot.ui.night.plan.settings import SETTINGS, PlanState
from tests.integration.harness import EVERYBODY, LEA, Harness, Member, Seen
from tests.integration.simcord_patches import as_bot
from tests.seen import walk

EIGHT = EVERYBODY[:8]
MINUTE = 60
_ZONE = "Europe/Paris"


class Evening:
    """One night of a server, as its host plans it by the panel."""

    def __init__(self, harness: Harness) -> None:
        self.harness = harness
        self.host: Member = harness[LEA]

    async def opened(self, when: str = "samedi 21h", **chosen: str) -> Seen:
        """The panel with a title, a time, and some choices by their field."""
        await self.host.slash("kems-admin night create")
        panel = self.host.last(ephemeral=True)
        form = await self.host.click(part_id(panel, "night_text"), panel)
        await self.host.submit(form, "Soirée d'essai", when, "", "")
        for field, value in chosen.items():
            panel = await self.page_of(field)
            control = part_id(panel, f":{field}")
            if value in ("on", "off"):
                await self.host.click(control, panel)
            else:
                await self.host.choose(control, value, message=panel)
        return self.panel()

    async def page_of(self, field: str) -> Seen:
        """The plan's page that has the control of a field."""
        if not any(f":{field}" in one.plain_id for one in self.panel().controls):
            await self.press("night_more", self.panel())
        return self.panel()

    async def edit(self, when: str, most: str = "", *, save: str = "night_publish", **chosen: str) -> Seen:
        """What the host reads who has edited the night; the end of its sign-up is left as it stands in the form."""
        await self.host.slash("kems-admin night edit")
        for field, value in chosen.items():
            await self.host.choose(part_id(await self.page_of(field), f":{field}"), value, message=self.panel())
        form = await self.host.click(part_id(self.panel(), "night_text"), self.panel())
        assert form.modal is not None
        title, _, until, _ = (part.get("value", "") for part in walk(form.modal["components"]) if "custom_id" in part)
        await self.host.submit(form, title, when, until, most)
        return await self.press(save, self.panel())

    def questions(self) -> list[Seen]:
        """The messages that ask who comes."""
        return [seen for seen in self.host.messages() if "night_ready" in str(seen.controls)]

    def news(self) -> list[Seen]:
        """The posts that call people to what is new for them."""
        return [
            seen for seen in self.host.messages() if "Il y a du nouveau pour vous" in seen.text and not seen.ephemeral
        ]

    def panel(self) -> Seen:
        return self.host.last(ephemeral=True)

    async def published(self, minutes: int = 60, *, by_press: bool = False, **chosen: str) -> Seen:
        """The sign-up message of a night that begins in so many minutes; it is planned without a press."""
        begins = (self.harness.now().timestamp() + minutes * MINUTE) // 60 * 60
        if by_press:
            await self.press("night_publish", await self.opened(in_paris(begins), **chosen))
            return self.message()
        plan = first_plan("Soirée d'essai", self.harness.channel.id, _ZONE, self.harness.milliseconds())
        plan = replace(plan, starts_at=int(begins) * 1000)
        state = PlanState(NightDraft(_ZONE, plan), PRESETS.__getitem__)
        for name, value in chosen.items():
            state = _with_choice(state, name, value)
        with as_bot(self.harness.env):
            await self.harness.bot.rooms.nights.plan(
                guild_id=self.harness.guild.id, host_id=self.host.id, locale="fr", plan=state.draft.full_plan
            )
        await self.harness.settle()
        return self.message()

    def night(self) -> Night:
        (night,) = self.harness.bot.rooms.nights.nights_in(self.harness.guild.id)
        return night

    def message(self) -> Seen:
        """The public message of the night."""
        wanted = ("night_join", "night_standings")
        public = [seen for seen in self.host.messages() if not seen.ephemeral]
        return next(seen for seen in public if any(verb in str(seen.controls) for verb in wanted))

    def again(self, message: Seen) -> Seen:
        """A message as it is now."""
        return next(seen for seen in self.host.messages() if seen.id == message.id)

    async def delete(self, message: Seen) -> None:
        """Somebody deletes a message."""
        channel = self.harness.bot.get_partial_messageable(message.channel_id)
        await channel.get_partial_message(message.id).delete()

    def sign_ups(self) -> list[Seen]:
        """The public messages on which people sign up."""
        return [seen for seen in self.host.messages() if "night_join" in str(seen.controls) and not seen.ephemeral]

    async def press(self, part: str, shown: Seen, name: str = LEA) -> Seen:
        """What the presser, by default the host, reads in private after a press on a button with that in its id."""
        await self.harness[name].click(part_id(shown, part), shown)
        return self.harness[name].last(ephemeral=True)

    async def join(self, *names: str) -> None:
        """They sign up, all at once and without a press where they are several; who is signed up already stays so."""
        if len(names) == 1:
            await self.press("night_join", self.message(), *names)
            return

        def joined(night: Night) -> Night:
            for name in (name for name in names if not night.is_in(self.harness[name].id)):
                night = sign_up.join(night, self.harness[name].id, name, self.harness.milliseconds())
            return night

        with as_bot(self.harness.env):
            assert isinstance(await self.harness.bot.rooms.nights.update(self.night().id, joined), Night)
        await self.harness.settle()

    async def begun(self, **chosen: str) -> Seen:
        """The message of a night that eight people have just begun to play."""
        message = await self.published(**chosen)
        await self.join(*EIGHT)
        await self.harness.advance(60 * MINUTE + 20)
        return message

    async def lead(self, label: str) -> Seen:
        """The host's panel after a press on it, which may be a question."""
        await self.host.click(label, await self.press("night_host", self.message()))
        return self.panel()

    async def cancel(self, label: str, reason: str = "") -> None:
        await self.host.slash("kems-admin night cancel")
        form = await self.host.click(label, self.panel())
        await self.host.submit(form, reason)

    async def enter(self, table: int, scores: str) -> None:
        panel = await self.press("night_host", self.message())
        await self.host.choose(part_id(panel, "night_table"), str(table), message=panel)
        form = await self.host.click(part_id(self.panel(), "night_result"), self.panel())
        await self.host.submit(form, scores)
        await self.press("night_step", self.panel())


def in_paris(timestamp: float) -> str:
    return datetime.fromtimestamp(timestamp, ZoneInfo(_ZONE)).strftime("%Y-%m-%d %H:%M")


def _with_choice(state: PlanState, name: str, value: str) -> PlanState:
    """What a host has set after one choice more; a tick is on or off."""
    setting = next(one for one in SETTINGS if one.name == name)
    if not isinstance(setting, ChoiceSetting):
        return setting.with_value(state, value == "on")
    return setting.with_value(state, next(one for one in setting.options(state, texts_for("fr")) if str(one) == value))


def part_id(seen: Seen, part: str) -> str:
    custom_ids = [control.custom_id for control in seen.controls if part in control.custom_id]
    assert custom_ids, f"no control of this message has {part} in its custom id"
    return custom_ids[0]
