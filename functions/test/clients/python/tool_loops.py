"""Agents as they are written with Python libraries, each with the same three tools: what each ends with, as JSON.

Started by tool-loops.test.ts: BASE_URL and API_KEY say where to ask, MODELS with which models.
"""

import asyncio
import json
import os

from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
from langchain_core.messages import HumanMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.prebuilt import create_react_agent
from llm.default_plugins.openai_models import Chat
from openai import AsyncOpenAI, OpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
CLIENT = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
BRIEF = "Be brief."

set_tracing_disabled(True)


def where_am_i() -> str:
    """Names the town."""
    return "Bergen"


def today() -> str:
    """Names the day of the week."""
    return "Monday"


def weather(town: str, day: str) -> str:
    """Tells the weather of a town on a day."""
    return f"rain in {town} on {day}"


TOOLS = [where_am_i, today, weather]
BY_NAME = {each.__name__: each for each in TOOLS}


def schema(**properties):
    described = {name: {"type": kind} for name, kind in properties.items()}
    return {"type": "object", "properties": described, "required": list(properties)}


def described(name, parameters):
    return {"type": "function", "function": {"name": name, "description": BY_NAME[name].__doc__, "parameters": parameters}}


OPENAI_TOOLS = [
    described("where_am_i", schema()),
    described("today", schema()),
    described("weather", schema(town="string", day="string")),
]


def openai_reply(request):
    return CLIENT.chat.completions.create(**request).choices[0].message


def openai_streamed_reply(request):
    with CLIENT.chat.completions.stream(**request) as stream:
        return stream.get_final_completion().choices[0].message


def openai_loop(model, question, reply_to):
    messages = [{"role": "system", "content": BRIEF}, {"role": "user", "content": question}]
    while True:
        message = reply_to({"model": model, "messages": messages, "tools": OPENAI_TOOLS})
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            content = BY_NAME[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})


def chain(model, **more):
    return ChatOpenAI(base_url=URL, api_key=KEY, model=model, max_retries=0, **more)


def langchain_loop(model, question, streamed):
    tools = {each.name: each for each in map(tool, TOOLS)}
    bound = chain(model, streaming=streamed).bind_tools(list(tools.values()))
    messages = [HumanMessage(question)]
    while True:
        reply = bound.invoke(messages)
        if not reply.tool_calls:
            return reply.content
        messages.append(reply)
        messages.extend(tools[call["name"]].invoke(call) for call in reply.tool_calls)


def langgraph_agent(model):
    return create_react_agent(chain(model), tools=TOOLS, prompt=BRIEF)


def langgraph(model, question):
    return langgraph_agent(model).invoke({"messages": [("user", question)]})["messages"][-1].content


def langgraph_streamed(model, question):
    """With the messages as they are written, of which those of the last step are the answer."""
    asked = {"messages": [("user", question)]}
    pieces = langgraph_agent(model).stream(asked, stream_mode="messages")
    spoken = [(where["langgraph_step"], piece.content) for piece, where in pieces if piece.type == "AIMessageChunk"]
    return "".join(text for step, text in spoken if step == spoken[-1][0])


def agents_sdk(model):
    """A front desk that hands over to the one who has the tools."""
    client = AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0)
    asked = OpenAIChatCompletionsModel(model=model, openai_client=client)
    guide = OpenAIAgent(name="Guide", instructions=BRIEF, model=asked, tools=[function_tool(each) for each in TOOLS])
    return OpenAIAgent(name="Desk", instructions="Hand over to the guide.", model=asked, handoffs=[guide])


async def agents_sdk_streamed(model, question):
    result = Runner.run_streamed(agents_sdk(model), question)
    async for _ in result.stream_events():
        pass
    return result.final_output


def pydantic_agent(model):
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    return Agent(OpenAIChatModel(model, provider=provider), instructions=BRIEF, tools=TOOLS)


def llm_loop(model, question, streamed):
    asked = Chat(model, key=KEY, api_base=URL, supports_tools=True)
    return asked.chain(question, tools=TOOLS, stream=streamed).text()


AGENTS = {
    "openai": lambda model, question: openai_loop(model, question, openai_reply),
    "openai_streamed": lambda model, question: openai_loop(model, question, openai_streamed_reply),
    "langchain": lambda model, question: langchain_loop(model, question, False),
    "langchain_streamed": lambda model, question: langchain_loop(model, question, True),
    "langgraph": langgraph,
    "langgraph_streamed": langgraph_streamed,
    "agents_sdk_handoff": lambda model, question: Runner.run_sync(agents_sdk(model), question).final_output,
    "agents_sdk_handoff_streamed": lambda model, question: asyncio.run(agents_sdk_streamed(model, question)),
    "pydantic_ai": lambda model, question: pydantic_agent(model).run_sync(question).output,
    "pydantic_ai_streamed": lambda model, question: pydantic_agent(model).run_stream_sync(question).get_output(),
    "llm": lambda model, question: llm_loop(model, question, False),
    "llm_streamed": lambda model, question: llm_loop(model, question, True),
}


def outcome_of(agent, client, model):
    try:
        return agent(model, f"What is the weather here today? Asked by {client}.")
    except Exception as error:  # what a library throws is what is tested
        return f"{type(error).__name__}: {error}"


outcomes = {}
for model in os.environ["MODELS"].split():
    for name, agent in AGENTS.items():
        client = f"{name} of {model}"
        outcomes[client] = outcome_of(agent, client, model)
print(json.dumps(outcomes))
