"""LlamaIndex with its class for servers that speak OpenAI's protocol."""

import asyncio

from attempt import API_KEY, BASE_URL, QUESTION, WEATHER_QUESTION, attempt, weather, where_am_i
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.llms import ChatMessage
from llama_index.llms.openai_like import OpenAILike
from pydantic import BaseModel


class Verdict(BaseModel):
    fruit: bool
    why: str


def model(name, **more):
    return OpenAILike(model=name, api_base=BASE_URL, api_key=API_KEY, is_chat_model=True, **more)


def streamed():
    return "".join(part.delta for part in model("ensemble").stream_complete(QUESTION))


def agent(name):
    llm = model(name, is_function_calling_model=True)

    async def run():
        return str(await FunctionAgent(tools=[where_am_i, weather], llm=llm).run(WEATHER_QUESTION))

    return asyncio.run(run())


def structured():
    llm = model("ensemble", should_use_structured_outputs=True)
    return llm.as_structured_llm(Verdict).chat([ChatMessage(QUESTION)]).raw.model_dump()


def forced_tool():
    llm = model("ensemble", is_function_calling_model=True)
    return llm.as_structured_llm(Verdict).chat([ChatMessage(QUESTION)]).raw.model_dump()


attempt("complete", "text", lambda: model("ensemble").complete(QUESTION).text)
attempt("stream_complete", "text", streamed)
attempt("as_structured_llm", "object", structured)
attempt("as_structured_llm by a forced tool", "object", forced_tool)
attempt("FunctionAgent with one model", "tools", lambda: agent("scripted"), calls=3)
attempt("FunctionAgent with an ensemble", "tools", lambda: agent("ensemble"), calls=5)
