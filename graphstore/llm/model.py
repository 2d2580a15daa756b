"""A model of the agent library whose every call goes through a meter."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from graphstore.extras import require
from graphstore.llm.answers import Shelf, digest
from graphstore.llm.budget import Tokens
from graphstore.llm.meter import Meter
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.settings import Settings

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters
    from pydantic_ai.settings import ModelSettings

_KEPT_OF_A_PART = ("part_kind", "content", "tool_name", "args")  # ids are made up anew each run
_FRAME = 4  # tokens around a message


def open_model(
    settings: Settings, *, meter: Meter | None = None, stage: str = "ask", shelf: Shelf | None = None
) -> Model[Any]:
    """A model for the agent library on the endpoint that the settings name; nothing is sent before its first request.

    :param meter: Shared by all models of a run; one without limits and cache if not given.
    :param stage: Name under which its calls are counted.
    :param shelf: Where its answers are kept, if the meter has a cache: what came of a document goes with the document.
    :raises SettingsError: no endpoint is named.
    :raises MissingExtra: the agent library is not installed.
    """
    require("pydantic_ai", "llm")
    require("openai", "llm")
    meter = meter or Meter.of(settings)
    return metered(endpoint_model(meter), meter, stage=stage, shelf=shelf)


def endpoint_model(meter: Meter) -> Model[Any]:
    """The bare model of a meter's endpoint. It tries nothing again by itself: the meter does, and counts it."""
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.profiles import ModelProfile
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider
    from pydantic_ai.settings import ModelSettings

    endpoint = meter.endpoint
    # What the user says of the endpoint holds, whatever the library knows of models of this name elsewhere.
    known = ModelProfile(supports_json_schema_output=True) if endpoint.output == "schema" else None
    provider = OpenAICompatibleProvider("openai-compatible", base_url=endpoint.url, api_key=endpoint.key, profile=known)
    # Names of the user's account with another service, which the client takes from the environment.
    provider.client.organization = provider.client.project = None
    wanted = ModelSettings(max_tokens=meter.longest_answer, timeout=meter.patience.timeout, max_retries=0)
    model = OpenAIChatModel(endpoint.model, provider=provider)
    if not model.profile.get("openai_supports_reasoning", False):  # those that reason take no temperature
        wanted["temperature"] = 0.0
    return OpenAIChatModel(endpoint.model, provider=provider, settings=wanted)


def metered(model: Model[Any], meter: Meter, *, stage: str, shelf: Shelf | None = None) -> Model[Any]:
    """A model through a meter: as :func:`open_model`, around one that is at hand.

    The result has ``kept``, the keys under which its answers were put in the cache.
    """
    from pydantic_ai.models.wrapper import WrapperModel

    class Metered(WrapperModel):
        """Asks the cache, the budget, then the endpoint."""

        def __init__(self) -> None:
            super().__init__(model)
            self.kept: list[str] = []

        async def request(
            self,
            messages: list[ModelMessage],
            model_settings: ModelSettings | None,
            model_request_parameters: ModelRequestParameters,
        ) -> ModelResponse:
            asked = _asked(messages, model_request_parameters)
            key = digest([meter.endpoint.url, meter.endpoint.model, meter.longest_answer, asked])
            if shelf is not None and (found := _taken(meter, stage, shelf, key)) is not None:
                self.kept.append(key)
                return found
            async with meter.call(stage, _tokens(asked)) as paid:
                response = await meter.patiently(
                    paid, lambda: model.request(messages, model_settings, model_request_parameters)
                )
                paid.answered(_used(response), _written(response))
            if shelf is not None and meter.answers is not None:
                meter.answers.put(shelf, key, _dumped(response))
                self.kept.append(key)
            return response

        @asynccontextmanager
        async def request_stream(
            self,
            messages: list[ModelMessage],
            model_settings: ModelSettings | None,
            model_request_parameters: ModelRequestParameters,
            run_context: Any = None,
        ) -> AsyncIterator[Any]:
            """Streams are not kept: they are for people who wait, and opened again only while nothing has come."""
            asked = _asked(messages, model_request_parameters)
            async with meter.call(stage, _tokens(asked)) as paid:

                async def opened() -> tuple[Any, Any]:
                    context = model.request_stream(messages, model_settings, model_request_parameters, run_context)
                    return context, await context.__aenter__()

                context, stream = await meter.patiently(paid, opened)
                try:
                    yield stream
                except BaseException as error:
                    await context.__aexit__(type(error), error, error.__traceback__)
                    if (fault := meter.told(error)) is not error:
                        raise fault from error
                    raise
                else:
                    await context.__aexit__(None, None, None)
                finally:
                    response = stream.get()
                    paid.answered(_used(response), _written(response))

    return Metered()


def _taken(meter: Meter, stage: str, shelf: Shelf, key: str) -> ModelResponse | None:
    kept = meter.answers.get(shelf, key) if meter.answers else None
    response = _loaded(kept) if kept else None
    if response is not None:
        used = _used(response) or Tokens(0, _written(response))
        meter.ledger.count(stage, cached=1, saved_tokens=used.total)
    return response


def _asked(messages: list[ModelMessage], parameters: ModelRequestParameters) -> dict[str, Any]:
    """All that decides the answer, without times and ids of the run."""
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    dumped = ModelMessagesTypeAdapter.dump_python(messages, mode="json")
    tools = [*parameters.function_tools, *parameters.output_tools]
    return {
        "messages": [
            {
                "kind": message["kind"],
                "instructions": message.get("instructions"),
                "parts": [{name: part[name] for name in _KEPT_OF_A_PART if name in part} for part in message["parts"]],
            }
            for message in dumped
        ],
        "tools": [[tool.name, tool.description, tool.parameters_json_schema] for tool in tools],
        "output": [parameters.output_mode, _schema(parameters)],
    }


def _schema(parameters: ModelRequestParameters) -> Any:
    wanted = parameters.output_object
    return wanted.json_schema if wanted is not None else None


def _tokens(asked: dict[str, Any]) -> int:
    """Tokens of a request, estimated."""
    from json import dumps

    parts = [
        part if isinstance(part, str) else dumps(part, ensure_ascii=False)
        for message in asked["messages"]
        for part in [
            message["instructions"] or "",
            *(held.get("content") or held.get("args") or "" for held in message["parts"]),
        ]
    ]
    tools = [dumps(tool, ensure_ascii=False) for tool in [*asked["tools"], asked["output"]]]
    return sum(map(estimated_tokens, [*parts, *tools])) + _FRAME * len(asked["messages"])


def _used(response: ModelResponse) -> Tokens | None:
    """Tokens as the endpoint counts them; ``None`` where it says nothing."""
    usage = response.usage
    found = Tokens(usage.input_tokens or 0, usage.output_tokens or 0)
    return found if found.total else None


def _written(response: ModelResponse) -> int:
    texts = [str(getattr(part, "content", None) or getattr(part, "args", None) or "") for part in response.parts]
    return sum(map(estimated_tokens, texts))


def _dumped(response: ModelResponse) -> dict[str, Any]:
    from pydantic_ai.messages import ModelMessagesTypeAdapter

    found: dict[str, Any] = ModelMessagesTypeAdapter.dump_python([response], mode="json")[0]
    return found


def _loaded(kept: dict[str, Any]) -> ModelResponse | None:
    from pydantic import ValidationError
    from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse

    try:
        (message,) = ModelMessagesTypeAdapter.validate_python([kept])
    except ValidationError:
        return None  # of another version of the library: it is asked again
    return message if isinstance(message, ModelResponse) else None
