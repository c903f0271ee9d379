"""What the Python libraries make of an ensemble's answer: one line of JSON for each.

Started by chat-libraries.test.ts: BASE_URL and API_KEY say where to ask.
"""

import json
import os

import llm as llm_package
from agents import Agent as OpenAIAgent
from agents import OpenAIChatCompletionsModel, Runner, set_tracing_disabled
from langchain_openai import ChatOpenAI
from openai import AsyncOpenAI, OpenAI
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
MODEL = "ensemble"
QUESTION = "Is a tomato a fruit?"
MESSAGES = [{"role": "user", "content": QUESTION}]


def openai():
    client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    return client.chat.completions.create(model=MODEL, messages=MESSAGES).choices[0].message.content


def openai_streamed():
    client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    chunks = client.chat.completions.create(model=MODEL, messages=MESSAGES, stream=True)
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def langchain():
    return ChatOpenAI(base_url=URL, api_key=KEY, model=MODEL, max_retries=0).invoke(QUESTION).content


def langchain_streamed():
    model = ChatOpenAI(base_url=URL, api_key=KEY, model=MODEL, max_retries=0)
    return "".join(chunk.content for chunk in model.stream(QUESTION))


def pydantic_ai():
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    return Agent(OpenAIChatModel(MODEL, provider=provider)).run_sync(QUESTION).output


def agents_sdk():
    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=URL, api_key=KEY, max_retries=0)
    model = OpenAIChatCompletionsModel(model=MODEL, openai_client=client)
    return Runner.run_sync(OpenAIAgent(name="Panel", model=model), QUESTION).final_output


def llm(streamed=False):
    """With the model as extra-openai-models.yaml in the directory of `llm` declares it."""
    declared = [{"model_id": "panel", "model_name": MODEL, "api_base": URL, "api_key_name": "ensemble"}]
    (llm_package.user_dir() / "extra-openai-models.yaml").write_text(json.dumps(declared))
    return llm_package.get_model("panel").prompt(QUESTION, key=KEY, stream=streamed).text()


def llm_streamed():
    return llm(streamed=True)


LIBRARIES = (
    openai,
    openai_streamed,
    langchain,
    langchain_streamed,
    pydantic_ai,
    agents_sdk,
    llm,
    llm_streamed,
)

for ask in LIBRARIES:
    try:
        outcome = ask()
    except Exception as error:  # what a library throws is what is tested
        outcome = f"{type(error).__name__}: {error}"
    print(json.dumps({"library": ask.__name__, "outcome": outcome}))
