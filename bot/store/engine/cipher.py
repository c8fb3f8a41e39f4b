"""Encrypts interaction tokens, so that the database alone does not give them away.

The key is derived from the bot's token. After a change of that token, older texts cannot be decrypted.
"""

from base64 import urlsafe_b64encode
from typing import Final

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

_PURPOSE: Final = b"kems-bot: interaction tokens, 1"


class Cipher:
    """Fernet (AES-128-CBC with HMAC-SHA256), its key derived by HKDF from a random secret."""

    def __init__(self, secret: str) -> None:
        key = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE).derive(secret.encode())
        self._fernet = Fernet(urlsafe_b64encode(key))

    def encrypt(self, text: str) -> str:
        """The encrypted text, different each time."""
        return self._fernet.encrypt(text.encode()).decode()

    def decrypt(self, encrypted: str) -> str | None:
        """The text; None if another secret encrypted it or it was changed."""
        try:
            return self._fernet.decrypt(encrypted.encode()).decode()
        except InvalidToken:
            return None
