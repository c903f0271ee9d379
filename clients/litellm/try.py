"""LiteLLM as a client: `openai/` before the model's id says which protocol is spoken."""

import json
import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # its list of prices is fetched from elsewhere otherwise

import litellm
from attempt import API_KEY, BASE_URL, QUESTION, WEATHER_QUESTION, attempt, weather, where_am_i
from pydantic import BaseModel

SERVICE = {"api_base": BASE_URL, "api_key": API_KEY}
MESSAGES = [{"role": "user", "content": QUESTION}]
KNOWN = {"where_am_i": where_am_i, "weather": weather}
TOWN = {"type": "object", "properties": {"town": {"type": "string"}}, "required": ["town"]}
TOOLS = [
    {"type": "function", "function": {"name": "where_am_i", "parameters": {"type": "object", "properties": {}}}},
    {"type": "function", "function": {"name": "weather", "parameters": TOWN}},
]


class Verdict(BaseModel):
    fruit: bool
    why: str


def ask(**more):
    return litellm.completion(model="openai/ensemble", messages=MESSAGES, **SERVICE, **more)


def content(completion):
    return completion.choices[0].message.content


def streamed():
    chunks = ask(stream=True, stream_options={"include_usage": True})
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def tool_loop(model):
    messages = [{"role": "user", "content": WEATHER_QUESTION}]
    while True:
        message = litellm.completion(model=f"openai/{model}", messages=messages, tools=TOOLS, **SERVICE).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            said = KNOWN[call.function.name](**json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": said})


VERDICT_TOOL = {"type": "function", "function": {"name": "verdict", "parameters": Verdict.model_json_schema()}}


def forced_tool():
    message = ask(tools=[VERDICT_TOOL], tool_choice="required").choices[0].message
    return json.loads(message.tool_calls[0].function.arguments)


def forced_tool_streamed():
    named = {"type": "function", "function": {"name": "verdict"}}
    chunks = list(ask(tools=[VERDICT_TOOL], tool_choice=named, stream=True))
    message = litellm.stream_chunk_builder(chunks).choices[0].message
    return json.loads(message.tool_calls[0].function.arguments)


attempt("completion", "text", lambda: content(ask()))
attempt("completion, streamed", "text", streamed)
attempt("response_format", "object", lambda: json.loads(content(ask(response_format=Verdict))))
attempt("a forced tool", "object", forced_tool)
attempt("a forced tool, streamed", "object", forced_tool_streamed)
attempt(
    "ensemble options in extra_body",
    "text",
    lambda: content(ask(extra_body={"ai_ensemble": {"models": ["scripted", "scripted"]}})),
    calls=3,
)
attempt("a loop of two tools with one model", "tools", lambda: tool_loop("scripted"), calls=3)
attempt("a loop of two tools with an ensemble", "tools", lambda: tool_loop("ensemble"), calls=5)
