"""A small bot for the browser tests: a counter, a private panel, a form, a timer, a thread, an invitation."""

import asyncio
from functools import partial

import discord
from discord import app_commands, ui

TIMER_SECONDS = 0.3


class SignForm(ui.Modal, title="Sign"):
    """A form with one field."""

    phrase: "ui.TextInput[SignForm]" = ui.TextInput(label="Phrase")

    async def on_submit(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(f"sign {self.phrase.value}", ephemeral=True)


class Panel(ui.LayoutView):
    """What only its owner sees; its button counts on the same message."""

    def __init__(self, owner: str, presses: int = 0) -> None:
        super().__init__(timeout=None)
        self.presses, self.owner = presses, owner
        put = ui.Button[Panel](label="Put 9♦", style=discord.ButtonStyle.primary)
        put.callback = self.put  # type: ignore[method-assign]  # as discord.py's own examples do
        self.add_item(ui.TextDisplay(f"**Hand of {owner}**\n7♠ 7♥ 9♦ 9♣ put {presses}"))
        self.add_item(ui.ActionRow(put))

    async def put(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Panel(self.owner, self.presses + 1))


class Table(ui.LayoutView):
    """What everybody sees."""

    def __init__(self, count: int = 0, note: str = "closed") -> None:
        super().__init__(timeout=None)
        self.count = count
        box = ui.Container[Table](accent_colour=0x3BA55D)
        box.add_item(ui.TextDisplay(f"## Manche 3 · Équipe 1  4 – 2  Équipe 2\nhunt {note} · <t:1900000000:R>"))
        box.add_item(ui.TextDisplay(f"# 8♣  D♥  R♠  A♦\ncount {count}"))
        styles, row, calls = discord.ButtonStyle, ui.ActionRow[Table](), ui.ActionRow[Table]()
        for label in ("8♣", "D♥", "R♠", "A♦"):
            row.add_item(_button(label, styles.secondary, self.add))
        calls.add_item(_button("Hand", styles.primary, self.hand))
        calls.add_item(_button("Sign…", styles.success, self.sign))
        calls.add_item(_button("Later", styles.danger, self.later))
        choice = ui.Select[Table](placeholder="Teams", options=[discord.SelectOption(label=n) for n in ("red", "blue")])
        choice.callback = self.choose  # type: ignore[method-assign]
        for item in (row, calls, ui.ActionRow(choice)):
            box.add_item(item)
        self.add_item(box)
        self._choice = choice

    async def add(self, interaction: discord.Interaction) -> None:
        await interaction.response.edit_message(view=Table(self.count + 1))

    async def hand(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Panel(interaction.user.display_name), ephemeral=True)

    async def sign(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_modal(SignForm())

    async def choose(self, interaction: discord.Interaction) -> None:
        chosen = self._choice.values[0]
        told = f"{chosen} {interaction.locale}/{interaction.guild_locale}"
        await interaction.response.send_message(told, ephemeral=True)

    async def later(self, interaction: discord.Interaction) -> None:
        await interaction.response.defer()
        assert interaction.message is not None
        message = interaction.message

        def edit() -> None:
            self.editing = asyncio.create_task(message.edit(view=Table(self.count, "opened by itself")))

        asyncio.get_running_loop().call_later(TIMER_SECONDS, edit)


class Invitation(ui.LayoutView):
    """Whom to invite: members, a role, a channel to play in; the choice is posted with its mentions."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        selects: tuple[ui.BaseSelect[Invitation], ...] = (
            ui.UserSelect(placeholder="Members", max_values=3),
            ui.RoleSelect(placeholder="Role"),
            ui.ChannelSelect(placeholder="Channel"),
        )
        for select in selects:
            select.callback = partial(self.invite, select)  # type: ignore[method-assign]
            self.add_item(ui.ActionRow(select))

    async def invite(self, select: "ui.BaseSelect[Invitation]", interaction: discord.Interaction) -> None:
        mentions = " ".join(chosen.mention for chosen in select.values)
        await interaction.response.send_message(
            f"invited {mentions}", allowed_mentions=discord.AllowedMentions(users=True, roles=True)
        )


def _button(label: str, style: discord.ButtonStyle, callback: object) -> ui.Button[Table]:
    button = ui.Button[Table](label=label, style=style, custom_id=f"demo:{label}")  # the same after an edit
    button.callback = callback  # type: ignore[assignment,method-assign]
    return button


class DemoBot(discord.Client):
    """Slash commands ``/table``, ``/thread``, ``/invite`` and ``/silent``, and an echo of reactions and mentions."""

    def __init__(self) -> None:
        intents = discord.Intents(guilds=True, guild_messages=True, guild_reactions=True)
        super().__init__(intents=intents)
        self.tree = app_commands.CommandTree(self)
        self.heard: list[str] = []
        self.pressed_at: list[int] = []  # interaction ids

    async def setup_hook(self) -> None:
        self.tree.add_command(app_commands.Command(name="table", description="Open a table", callback=self._table))
        self.tree.add_command(app_commands.Command(name="thread", description="In a thread", callback=self._thread))
        self.tree.add_command(app_commands.Command(name="silent", description="No answer", callback=self._silent))
        self.tree.add_command(app_commands.Command(name="invite", description="Invite", callback=self._invite))
        await self.tree.sync()

    async def _table(
        self, interaction: discord.Interaction, count: app_commands.Range[int, 0, 99] = 0, is_open: bool = False
    ) -> None:
        await interaction.response.send_message(view=Table(count, "open" if is_open else "closed"))

    async def _thread(self, interaction: discord.Interaction) -> None:
        assert isinstance(interaction.channel, discord.TextChannel)
        announced = await interaction.channel.send("a table opens")
        thread = await announced.create_thread(name="table-1")
        table = await thread.send(view=Table(50))
        view = ui.LayoutView()
        view.add_item(ui.TextDisplay(f"see {thread.mention}"))
        view.add_item(ui.ActionRow(ui.Button(label="To the table", url=table.jump_url)))
        await interaction.response.send_message(view=view, ephemeral=True)

    async def _invite(self, interaction: discord.Interaction) -> None:
        await interaction.response.send_message(view=Invitation(), ephemeral=True)

    async def _silent(self, interaction: discord.Interaction) -> None:
        """Leaves the interaction without an answer."""

    async def on_interaction(self, interaction: discord.Interaction) -> None:
        self.pressed_at.append(interaction.id)

    async def on_raw_reaction_add(self, payload: discord.RawReactionActionEvent) -> None:
        self.heard.append(f"{payload.user_id} {payload.emoji}")

    async def on_message(self, message: discord.Message) -> None:
        if not message.author.bot:
            self.heard.append(f"{message.author.display_name}: {message.content}")
