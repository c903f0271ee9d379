"""What the Python libraries make of tools: each answers with what two tools said, one line of JSON for each.

Started by tool-loops.test.ts: BASE_URL and API_KEY say where to ask.
"""

import asyncio
import json
import os

from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from llm.default_plugins.openai_models import Chat
from openai import AsyncOpenAI, OpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
MODEL = "demo-ada"
QUESTION = "What is the weather where I am?"


def where_am_i() -> str:
    """Names the town."""
    return "Bergen"


def weather(town: str) -> str:
    """Tells the weather of a town."""
    return f"rain in {town}"


def openai_loop():
    client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    known = {"where_am_i": where_am_i, "weather": weather}
    town = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}
    tools = [
        {"type": "function", "function": {"name": "where_am_i"}},
        {"type": "function", "function": {"name": "weather", "parameters": town}},
    ]
    messages = [{"role": "user", "content": QUESTION}]
    while True:
        choice = client.chat.completions.create(model=MODEL, messages=messages, tools=tools).choices[0]
        if choice.finish_reason != "tool_calls":
            return choice.message.content
        messages.append(choice.message)
        for call in choice.message.tool_calls:
            content = known[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def langchain(streamed=False):
    tools = {each.name: each for each in (tool(where_am_i), tool(weather))}
    model = ChatOpenAI(base_url=URL, api_key=KEY, model=MODEL, max_retries=0, streaming=streamed)
    bound = model.bind_tools(list(tools.values()))
    messages = [HumanMessage(QUESTION)]
    while True:
        reply = bound.invoke(messages)
        if not reply.tool_calls:
            return reply.content
        messages.append(reply)
        messages.extend(tools[call["name"]].invoke(call) for call in reply.tool_calls)


def langchain_streamed():
    return langchain(streamed=True)


def pydantic_ai():
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    agent = Agent(OpenAIChatModel(MODEL, provider=provider), tools=[where_am_i, weather])
    return agent.run_sync(QUESTION).output


def pydantic_ai_streamed():
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    agent = Agent(OpenAIChatModel(MODEL, provider=provider), tools=[where_am_i, weather])
    return agent.run_stream_sync(QUESTION).get_output()


def agents_sdk_agent():
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0)
    model = OpenAIChatCompletionsModel(model=MODEL, openai_client=client)
    tools = [function_tool(where_am_i), function_tool(weather)]
    return OpenAIAgent(name="Guide", model=model, tools=tools)


def agents_sdk():
    return Runner.run_sync(agents_sdk_agent(), QUESTION).final_output


def agents_sdk_streamed():
    async def run():
        result = Runner.run_streamed(agents_sdk_agent(), QUESTION)
        async for _ in result.stream_events():
            pass
        return result.final_output

    return asyncio.run(run())


def llm(streamed=False):
    model = Chat(MODEL, key=KEY, api_base=URL, supports_tools=True)
    return model.chain(QUESTION, tools=[where_am_i, weather], stream=streamed).text()


def llm_streamed():
    return llm(streamed=True)


LIBRARIES = (
    openai_loop,
    langchain,
    langchain_streamed,
    pydantic_ai,
    pydantic_ai_streamed,
    agents_sdk,
    agents_sdk_streamed,
    llm,
    llm_streamed,
)

for ask in LIBRARIES:
    try:
        outcome = ask()
    except Exception as error:  # what a library throws is what is tested
        outcome = f"{type(error).__name__}: {error}"
    print(json.dumps({"library": ask.__name__, "outcome": outcome}))
