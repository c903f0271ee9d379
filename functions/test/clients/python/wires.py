"""Results of Python clients of the Responses protocol, of Messages and of MCP, with nothing set but address and key, as JSON.

Started by wires.test.ts: ORIGIN and API_KEY say where to ask.
"""

import asyncio
import json
import os

import httpx2
from agents import Agent, Runner, set_default_openai_client, set_tracing_disabled
from anthropic import Anthropic
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

ORIGIN = os.environ["ORIGIN"]
KEY = os.environ["API_KEY"]
OPENAI = {"base_url": f"{ORIGIN}/openai/v1", "api_key": KEY, "max_retries": 0}
CLIENT = OpenAI(**OPENAI)
ANTHROPIC = Anthropic(base_url=f"{ORIGIN}/anthropic", api_key=KEY, max_retries=0)
FRUIT = "Is a tomato a fruit?"
MESSAGES = [{"role": "user", "content": FRUIT}]

set_tracing_disabled(True)


class Verdict(BaseModel):
    fruit: bool
    why: str


def agent(model, **more):
    # Each run has an event loop of its own, and connections stay with theirs.
    set_default_openai_client(AsyncOpenAI(**OPENAI))
    return Agent(name="Panel", instructions="Be brief.", model=model, **more)


def openai_chat_streamed():
    """As loops are written that never meet a chunk without a choice."""
    chunks = CLIENT.chat.completions.create(model="ensemble", messages=MESSAGES, stream=True)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks)


def openai_responses_final(model, **more):
    with CLIENT.responses.stream(model=model, input=FRUIT, **more) as stream:
        return stream.get_final_response()


async def agents_sdk_streamed():
    result = Runner.run_streamed(agent("ensemble"), FRUIT)
    async for _ in result.stream_events():
        pass
    return result.final_output


def ask_anthropic(model):
    return {"model": model, "max_tokens": 1000, "messages": MESSAGES}


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


def anthropic_streamed():
    with ANTHROPIC.messages.stream(**ask_anthropic("ensemble")) as stream:
        return text_of(stream.get_final_message())


async def in_mcp(work):
    async with httpx2.AsyncClient(headers={"authorization": f"Bearer {KEY}"}) as http:
        async with streamable_http_client(f"{ORIGIN}/mcp", http_client=http) as streams:
            async with ClientSession(streams[0], streams[1]) as session:
                await session.initialize()
                return await work(session)


async def mcp_ask(session):
    # The other parts say what it cost and how far the models agree.
    return (await session.call_tool("ask", {"question": FRUIT})).content[0].text


async def mcp_tools(session):
    return sorted(tool.name for tool in (await session.list_tools()).tools)


TEXT = {
    "openai_chat_streamed": openai_chat_streamed,
    "openai_responses": lambda: CLIENT.responses.create(model="ensemble", input=FRUIT).output_text,
    "openai_responses_streamed": lambda: openai_responses_final("ensemble").output_text,
    "agents_sdk": lambda: Runner.run_sync(agent("ensemble"), FRUIT).final_output,
    "agents_sdk_streamed": lambda: asyncio.run(agents_sdk_streamed()),
    "anthropic": lambda: text_of(ANTHROPIC.messages.create(**ask_anthropic("ensemble"))),
    "anthropic_streamed": anthropic_streamed,
    "mcp": lambda: asyncio.run(in_mcp(mcp_ask)),
}

LISTS = {
    "openai_models": lambda: any(model.id == "ensemble" for model in CLIENT.models.list()),
    "openai_model": lambda: CLIENT.models.retrieve("ensemble").id,
    "anthropic_models": lambda: any(model.id == "ensemble" for model in ANTHROPIC.models.list()),
    "anthropic_model": lambda: ANTHROPIC.models.retrieve("ensemble").id,
    "anthropic_tokens": lambda: ANTHROPIC.messages.count_tokens(model="ensemble", messages=MESSAGES).input_tokens > 0,
    "mcp_tools": lambda: asyncio.run(in_mcp(mcp_tools)),
}

OBJECT = {
    "openai_responses": lambda model: CLIENT.responses.parse(model=model, input=FRUIT, text_format=Verdict).output_parsed,
    "openai_responses_streamed": lambda model: openai_responses_final(model, text_format=Verdict).output_parsed,
    "agents_sdk": lambda model: Runner.run_sync(agent(model, output_type=Verdict), FRUIT).final_output,
    "anthropic": lambda model: ANTHROPIC.messages.parse(**ask_anthropic(model), output_format=Verdict).parsed_output,
}


def outcome_of(ask, *given):
    try:
        outcome = ask(*given)
        return outcome.model_dump() if isinstance(outcome, Verdict) else outcome
    except Exception as error:  # what a library throws is what is tested
        return f"{type(error).__name__}: {error}"


outcomes = {
    "text": {name: outcome_of(ask) for name, ask in TEXT.items()},
    "lists": {name: outcome_of(ask) for name, ask in LISTS.items()},
    "of one model": {name: outcome_of(ask, "demo-ada") for name, ask in OBJECT.items()},
    "of an ensemble": {name: outcome_of(ask, "ensemble") for name, ask in OBJECT.items()},
}
print(json.dumps(outcomes))
