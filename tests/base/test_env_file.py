"""What is written to `.env` is what settings read from it again; all other lines stay."""

import io

import pytest
from dotenv import dotenv_values

from bot.base.env_file import with_values
from bot.base.errors import KemsError
from tests.together import together


@together(
    "value",
    [
        *(
            "plain",
            "with space",
            "a #comment",
            "#first",
            "it's",
            'say "yes"',
            "back\\slash",
            "\\n",
            "'quoted'",
            '"quoted"',
        ),
        "'quoted'",
        *("${HOME}", "$HOME", "a${b:-c}d'e", " edges ", "", "a=b", "é🍀", "two\nlines", "\t", "trailing\\"),
    ],
)
def test_every_value_that_is_written_is_read_back(value: str) -> None:
    text = with_values("# mine\nOTHER='a  b'\n\nexport Token=old\nLAST=1", {"TOKEN": value})
    assert dotenv_values(stream=io.StringIO(text)) == {"OTHER": "a  b", "TOKEN": value, "LAST": "1"}
    assert text.startswith("# mine\nOTHER='a  b'\n\nTOKEN=")
    assert text.endswith("\nLAST=1")
    assert with_values(text, {"TOKEN": value}) == text


def test_plain_values_are_written_as_docker_and_systemd_read_them() -> None:
    values = {"DISCORD_TOKEN": "MTk4.Cl2FMQ.ZnCjm1", "DATABASE_URL": "postgresql://kems:a%20b@host:5432/kems?ssl=1"}
    assert with_values("", values) == "".join(f"{name}={value}\n" for name, value in values.items())


def test_a_new_setting_is_a_new_line() -> None:
    assert with_values("A=1", {"B": "2"}) == "A=1\nB=2\n"
    assert with_values("", {"B": "2"}) == "B=2\n"


def test_a_value_that_no_file_can_hold_is_refused() -> None:
    with pytest.raises(KemsError, match="TOKEN cannot be written"):
        with_values("", {"TOKEN": "a\rb"})
