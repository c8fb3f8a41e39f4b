"""Entry requirements of nights and ranked matches: their words, and the controls by which a host sets them."""

from typing import Any

import discord

from bot.conditions import Candidate, Condition, EntryRules
from bot.discord.interactions.setting import ChoiceSetting, RoleSetting, Setting
from bot.discord.places.permissions import everybody_refusal
from bot.discord.text.texts import Texts


def condition_words(condition: Condition, value: int, texts: Texts, role: str | None = None) -> str:
    """Return a requirement, such as `10 matches played` or the mention of a role.

    Args:
        condition: The requirement.
        value: How many matches or days, or the id of a role.
        texts: The reader's texts.
        role: Replaces the mention in texts that cannot show mentions.
    """
    return texts.n(*condition.public_text, value) if condition.public_text else role or f"<@&{value}>"


def asked_words(entry: EntryRules, texts: Texts, role: str | None = None) -> str:
    """Return all requirements, such as `@Regulars · 10 matches played`; empty if everybody may come.

    `role` replaces the mention in texts that cannot show mentions.
    """
    return " · ".join(condition_words(*each, texts, role) for each in entry.requirements.items())


def entry_words(requirements: str, texts: Texts) -> str:
    """Return requirements as a line: `Entry: 10 matches played`."""
    return texts.t("Entry: {conditions}", conditions=requirements)


def lacked_line(entry: EntryRules, candidate: Candidate, texts: Texts) -> str:
    """Return the requirements that a person does not meet, such as `You lack 3 matches of 10.`; empty if none."""
    required = entry.requirements
    return " ".join(
        texts.n(*condition.refusal, count, asked=required[condition], role=f"<@&{required[condition]}>")
        for condition, count in entry.shortfalls(candidate).items()
    )


def condition_setting(condition: Condition, path: str, title: str = "", **more: Any) -> Setting[Any]:
    """Return the control by which a host sets a requirement: a menu of roles, or of its choices.

    Args:
        condition: The requirement.
        path: Where the `EntryRules` are in the state of the settings.
        title: The setting's title; by default the requirement's.
        **more: Further fields of the setting.
    """
    more |= {
        "name": condition.name,
        "path": f"{path}.{condition.name}",
        "title": title or condition.title,
        "empty": condition.title,
    }

    def options(_state: object, texts: Texts) -> dict[int, str]:
        words = {choice: condition_words(condition, choice, texts) for choice in condition.choices}
        return {
            choice: entry_words(phrase, texts) if choice else texts.t(condition.title)
            for choice, phrase in words.items()
        }

    return ChoiceSetting(options=options, **more) if condition.choices else RoleSetting(refusal=_nobody_has, **more)


def _nobody_has(member: discord.Member, role: discord.Role, texts: Texts) -> str | None:
    """Return why a role cannot be required: everybody has it, or only a bot; None if it can."""
    if role.is_bot_managed():
        return texts.t("{role} cannot be given to anybody: choose another role.", role=role.mention)
    return everybody_refusal(member, role, texts)
