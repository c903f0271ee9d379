"""What Python libraries make of answers, and of answers held to a schema: one line of JSON for each.

Started by libraries.test.ts: BASE_URL and API_KEY say where to ask.
"""

import json
import os

import instructor
import llm as llm_package
from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
PANEL = {"strategy": "debate_tournament", "models": ["demo-blaise", "demo-curie"]}
FRUIT = "Is a tomato a fruit?"
MESSAGES = [{"role": "user", "content": FRUIT}]
CLIENT = OpenAI(base_url=URL, api_key=KEY, max_retries=0)


class Verdict(BaseModel):
    fruit: bool
    why: str


def chain(model, **more):
    return ChatOpenAI(base_url=URL, api_key=KEY, model=model, max_retries=0, **more)


def pydantic_agent(model, **more):
    return Agent(OpenAIChatModel(model, provider=OpenAIProvider(base_url=URL, api_key=KEY)), **more)


def agents_sdk(model, **more):
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0)
    return OpenAIAgent(name="Panel", model=OpenAIChatCompletionsModel(model=model, openai_client=client), **more)


def openai_streamed():
    chunks = CLIENT.chat.completions.create(model="ensemble", messages=MESSAGES, stream=True)
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def llm_chat(streamed):
    """With the model as extra-openai-models.yaml in the directory of `llm` declares it."""
    declared = [{"model_id": "panel", "model_name": "ensemble", "api_base": URL, "api_key_name": "ensemble"}]
    (llm_package.user_dir() / "extra-openai-models.yaml").write_text(json.dumps(declared))
    return llm_package.get_model("panel").prompt(FRUIT, key=KEY, stream=streamed).text()


CHAT = {
    "openai": lambda: CLIENT.chat.completions.create(model="ensemble", messages=MESSAGES).choices[0].message.content,
    "openai_streamed": openai_streamed,
    "langchain": lambda: chain("ensemble").invoke(FRUIT).content,
    "langchain_streamed": lambda: "".join(chunk.content for chunk in chain("ensemble").stream(FRUIT)),
    "pydantic_ai": lambda: pydantic_agent("ensemble").run_sync(FRUIT).output,
    "agents_sdk": lambda: Runner.run_sync(agents_sdk("ensemble"), FRUIT).final_output,
    "llm": lambda: llm_chat(False),
    "llm_streamed": lambda: llm_chat(True),
}


def openai_stream_parsed(extra):
    request = {"model": "demo-ada", "messages": MESSAGES, "response_format": Verdict, "extra_body": extra}
    with CLIENT.chat.completions.stream(**request) as stream:
        return stream.get_final_completion().choices[0].message.parsed


def openai_parse(extra):
    request = {"model": "demo-ada", "messages": MESSAGES, "response_format": Verdict, "extra_body": extra}
    return CLIENT.chat.completions.parse(**request).choices[0].message.parsed


def instructor_json_schema(extra):
    client = instructor.from_openai(CLIENT, mode=instructor.Mode.JSON_SCHEMA)
    request = {"model": "demo-ada", "messages": MESSAGES, "max_retries": 0, "extra_body": extra}
    return client.chat.completions.create(**request, response_model=Verdict)


def pydantic_ai_native(extra):
    agent = pydantic_agent("demo-ada", output_type=NativeOutput(Verdict), model_settings={"extra_body": extra})
    return agent.run_sync(FRUIT).output


STRUCTURED = {
    "openai_parse": openai_parse,
    "openai_stream": openai_stream_parsed,
    "langchain": lambda extra: chain("demo-ada", extra_body=extra).with_structured_output(Verdict).invoke(FRUIT),
    "instructor_json_schema": instructor_json_schema,
    "pydantic_ai_native": pydantic_ai_native,
}


def outcome_of(ask, *given):
    try:
        outcome = ask(*given)
        return outcome.model_dump() if isinstance(outcome, Verdict) else outcome
    except Exception as error:  # what a library throws is what is tested
        return f"{type(error).__name__}: {error}"


outcomes = {
    "chat": {name: outcome_of(ask) for name, ask in CHAT.items()},
    "of one model": {name: outcome_of(ask, {}) for name, ask in STRUCTURED.items()},
    "of an ensemble": {name: outcome_of(ask, {"ai_ensemble": PANEL}) for name, ask in STRUCTURED.items()},
}
print(json.dumps(outcomes))
