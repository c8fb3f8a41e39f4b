"""Labels and lines that are cut to a width."""

from bot.ui.kit.text_width import clipped


def test_a_name_that_is_cut_ends_where_its_direction_does() -> None:
    assert clipped("\u2068" + "ماريا" * 4 + "\u2069 x", 6).endswith("…\u2069")


def test_an_escape_is_not_parted_from_what_it_escapes() -> None:
    for ems in range(2, 12):
        assert "\\…" not in clipped(r"\*" * 20, ems)
