"""What is stored about a person, and its deletion."""

from bot.records.personal_data import PersonalData
from bot.tables.directory import TableDirectory
from bot.tables.erasure import Erasure
from bot.tables.nights.live_nights import LiveNights
from bot.ui.feature import Feature
from bot.ui.ladder.champion_role import ChampionRole
from bot.ui.messages.presenter import Presenter
from bot.ui.privacy.commands import PrivacyCommands


def privacy_feature(
    directory: TableDirectory,
    nights: LiveNights,
    personal_data: PersonalData,
    presenter: Presenter,
    champion_role: ChampionRole,
) -> Feature:
    """Everybody's own data, in all servers."""
    erasure = Erasure(directory, personal_data, presenter.caught_up, also=[nights.forget])
    commands = PrivacyCommands(personal_data, erasure, champion_role)
    return Feature(presses=(commands,), commands=(commands,))
