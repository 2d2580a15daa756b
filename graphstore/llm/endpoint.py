"""Which model answers, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import unquote, urlsplit

from graphstore.errors import SettingsError
from graphstore.settings import Settings

_TOKEN = 8  # characters from which on what stands as a user may be a token
_HINT = "GRAPHSTORE_LLM_URL=http://localhost:11434/v1 GRAPHSTORE_LLM_MODEL=NAME, and GRAPHSTORE_LLM_KEY if it wants one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible endpoint and a model of it.

    :param url: Base address, the part before ``/chat/completions``.
    :param key: Sent as a bearer token; never shown.
    :param output: How records are asked of it, as the setting ``llm_output``.
    """

    url: str
    model: str
    key: str | None = field(default=None, repr=False)
    output: Literal["tool", "schema", "prompt"] = "tool"

    @classmethod
    def of(cls, settings: Settings) -> Endpoint:
        """The endpoint that the settings name.

        :raises SettingsError: they name none; the message says how to.
        """
        missing = [name for name in ("llm_url", "llm_model") if not getattr(settings, name)]
        if missing:
            raise SettingsError(f"no language model is named (without {' and '.join(missing)}): set {_HINT}")
        return cls(
            url=str(settings.llm_url).rstrip("/"),
            model=str(settings.llm_model),
            key=settings.llm_key,
            output=settings.llm_output,
        )

    @property
    def shown(self) -> str:
        """The address without user, password and query, for messages."""
        parts = urlsplit(self.url)
        host = parts.hostname or ""
        port = f":{parts.port}" if parts.port else ""
        return f"{parts.scheme}://{host}{port}{parts.path}"

    def redacted(self, text: str) -> str:
        """A text on one line in which the key, and what stands before the host, is blotted out."""
        flat = " ".join(text.split())
        parts = urlsplit(self.url)
        before, _, _ = parts.netloc.rpartition("@")
        secrets = {self.key, before, parts.password, parts.query}
        if len(parts.username or "") >= _TOKEN:  # a shorter one is a name, and may stand in any word
            secrets.add(parts.username)
        for secret in sorted(filter(None, {*secrets, *(unquote(each) for each in secrets if each)}), key=len)[::-1]:
            flat = flat.replace(secret, "***")
        return flat
