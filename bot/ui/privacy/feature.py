"""What is stored about a person, and its deletion."""

from bot.records.personal_data import PersonalData
from bot.tables.erasure import Erasure
from bot.ui.feature import Feature
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.privacy.commands import PrivacyCommands
from bot.ui.privacy.presses import PrivacyPresses


def privacy_feature(personal_data: PersonalData, erasure: Erasure, champion_role: ChampionRole) -> Feature:
    """Everybody's own data, in all servers."""
    return Feature(
        presses=(PrivacyPresses(erasure, champion_role),),
        commands=(PrivacyCommands(personal_data, erasure),),
    )
