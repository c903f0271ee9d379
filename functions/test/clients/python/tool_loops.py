"""Agents as they are written with Python libraries, each with the same three tools: what each ends with, as JSON.

Started by tool-loops.test.ts: BASE_URL and API_KEY say where to ask, MODELS with which models.
"""

import asyncio
import json
import os
from urllib.parse import urljoin

from agents import Agent as OpenAIAgent
from agents import (
    OpenAIChatCompletionsModel,
    Runner,
    function_tool,
    set_default_openai_client,
    set_tracing_disabled,
)
from anthropic import Anthropic, beta_tool
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
STRICT_URL = urljoin(URL, "/openai/v1")
STRICT_CLIENT = OpenAI(base_url=STRICT_URL, api_key=KEY, max_retries=0)
ANTHROPIC = Anthropic(base_url=urljoin(URL, "/anthropic"), api_key=KEY, max_retries=0)
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


def responses_reply(request):
    return STRICT_CLIENT.responses.create(**request)


def responses_streamed_reply(request):
    with STRICT_CLIENT.responses.stream(**request) as stream:
        return stream.get_final_response()


def responses_loop(model, question, reply_to):
    tools = [{"type": "function", **each["function"], "strict": False} for each in OPENAI_TOOLS]
    given = [{"role": "user", "content": question}]
    while True:
        request = {"model": model, "instructions": BRIEF, "input": given, "tools": tools, "store": False}
        response = reply_to(request)
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            return response.output_text
        given.extend(response.output)
        for call in calls:
            output = BY_NAME[call.name](**json.loads(call.arguments))
            given.append({"type": "function_call_output", "call_id": call.call_id, "output": output})


def anthropic_runner(model, question, **more):
    tools = [beta_tool(each) for each in TOOLS]
    request = {"model": model, "max_tokens": 1000, "system": BRIEF, "tools": tools, **more}
    return ANTHROPIC.beta.messages.tool_runner(messages=[{"role": "user", "content": question}], **request)


def anthropic_streamed(model, question):
    for stream in anthropic_runner(model, question, stream=True):
        last = stream.get_final_message()
    return text_of(last)


def text_of(message):
    return "".join(block.text for block in message.content if block.type == "text")


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


def chat_model(model):
    client = AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0)
    return OpenAIChatCompletionsModel(model=model, openai_client=client)


def responses_model(model):
    """The model of a name alone. Each run has an event loop of its own, and connections stay with theirs."""
    set_default_openai_client(AsyncOpenAI(base_url=STRICT_URL, api_key=KEY, max_retries=0))
    return model


def agents_sdk(asked):
    """A front desk that hands over to the one who has the tools."""
    guide = OpenAIAgent(name="Guide", instructions=BRIEF, model=asked, tools=[function_tool(each) for each in TOOLS])
    return OpenAIAgent(name="Desk", instructions="Hand over to the guide.", model=asked, handoffs=[guide])


def handoff(asked, question):
    return Runner.run_sync(agents_sdk(asked), question).final_output


async def handoff_streamed(asked, question):
    result = Runner.run_streamed(agents_sdk(asked), question)
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
    "agents_sdk_handoff": lambda model, question: handoff(chat_model(model), question),
    "agents_sdk_handoff_streamed": lambda model, question: asyncio.run(handoff_streamed(chat_model(model), question)),
    "openai_responses": lambda model, question: responses_loop(model, question, responses_reply),
    "openai_responses_streamed": lambda model, question: responses_loop(model, question, responses_streamed_reply),
    "agents_sdk_responses_handoff": lambda model, question: handoff(responses_model(model), question),
    "agents_sdk_responses_handoff_streamed": lambda model, question: asyncio.run(
        handoff_streamed(responses_model(model), question)
    ),
    "anthropic_runner": lambda model, question: text_of(anthropic_runner(model, question).until_done()),
    "anthropic_runner_streamed": anthropic_streamed,
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
