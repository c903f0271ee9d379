"""What Python libraries make of tools that have to be called, by an ensemble: one line of JSON.

Started by forced-tools.test.ts: BASE_URL and API_KEY say where to ask. Each asks as it does by itself.
"""

import json
import os

import instructor
from agents import Agent as OpenAIAgent
from agents import ModelSettings, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, OpenAI, pydantic_function_tool
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
FRUIT = "Is a tomato a fruit?"
CLIENT = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
MESSAGES = [{"role": "user", "content": FRUIT}]
REQUEST = {"model": "ensemble", "messages": MESSAGES}
# What is called here with arguments out of form is called again once the library has said so.
HARD = "Is a cucumber a fruit?"


class Verdict(BaseModel):
    """Records what a tomato is."""

    fruit: bool
    why: str


NAMED = {"tools": [pydantic_function_tool(Verdict)], "tool_choice": {"type": "function", "function": {"name": "Verdict"}}}


def openai_create():
    message = CLIENT.chat.completions.create(**REQUEST, **NAMED).choices[0].message
    return json.loads(message.tool_calls[0].function.arguments)


def openai_parse():
    message = CLIENT.chat.completions.parse(**REQUEST, **NAMED).choices[0].message
    return message.tool_calls[0].function.parsed_arguments


def openai_stream():
    with CLIENT.chat.completions.stream(**REQUEST, **NAMED) as stream:
        return stream.get_final_completion().choices[0].message.tool_calls[0].function.parsed_arguments


def instructor_default(messages):
    return instructor.from_openai(CLIENT).chat.completions.create(
        model="ensemble", messages=messages, response_model=Verdict, max_retries=1
    )


def instructor_partial():
    *_, last = instructor.from_openai(CLIENT).chat.completions.create_partial(**REQUEST, response_model=Verdict)
    return last.model_dump()


def pydantic_agent():
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    return Agent(OpenAIChatModel("ensemble", provider=provider), output_type=Verdict)


def chain(**more):
    return ChatOpenAI(base_url=URL, api_key=KEY, model="ensemble", max_retries=0, **more)


def langchain_any(streamed):
    return chain(streaming=streamed).bind_tools([Verdict], tool_choice="any").invoke(FRUIT).tool_calls[0]["args"]


def langchain_structured(streamed):
    return chain(streaming=streamed).with_structured_output(Verdict, method="function_calling").invoke(FRUIT)


def agents_sdk():
    """The tool's result is the run's."""
    set_tracing_disabled(True)
    model = OpenAIChatCompletionsModel("ensemble", AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0))

    def record(fruit: bool, why: str) -> str:
        return json.dumps({"fruit": fruit, "why": why})

    agent = OpenAIAgent(
        name="Judge",
        model=model,
        tools=[function_tool(record)],
        model_settings=ModelSettings(tool_choice="required"),
        tool_use_behavior="stop_on_first_tool",
    )
    return json.loads(Runner.run_sync(agent, FRUIT).final_output)


FORCED = {
    "openai_create": openai_create,
    "openai_parse": openai_parse,
    "openai_stream": openai_stream,
    "instructor": lambda: instructor_default([*MESSAGES]),
    "instructor_corrected": lambda: instructor_default([{"role": "user", "content": HARD}]),
    "instructor_partial": instructor_partial,
    "pydantic_ai": lambda: pydantic_agent().run_sync(FRUIT).output,
    "pydantic_ai_corrected": lambda: pydantic_agent().run_sync(HARD).output,
    "pydantic_ai_streamed": lambda: pydantic_agent().run_stream_sync(FRUIT).get_output(),
    "langchain_any": lambda: langchain_any(False),
    "langchain_any_streamed": lambda: langchain_any(True),
    "langchain_function_calling": lambda: langchain_structured(False),
    "langchain_function_calling_streamed": lambda: langchain_structured(True),
    "agents_sdk_required": agents_sdk,
}


def outcome_of(ask):
    try:
        outcome = ask()
        return outcome.model_dump() if isinstance(outcome, Verdict) else outcome
    except Exception as error:  # what a library throws is what is tested
        return f"{type(error).__name__}: {error}"


print(json.dumps({name: outcome_of(ask) for name, ask in FORCED.items()}))
