"""What is stored about a person, and its deletion."""

from bot.records.personal_data import PersonalData
from bot.tables.erasure import Erasure
from bot.ui.feature import Feature
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.privacy.commands import PrivacyCommands


def privacy_feature(erasure: Erasure, personal_data: PersonalData, champion_role: ChampionRole) -> Feature:
    """Everybody's own data, in all servers."""
    commands = PrivacyCommands(personal_data, erasure, champion_role)
    return Feature(presses=(commands,), commands=(commands,))
