"""What the Python libraries make of an answer that is held to a schema: one line of JSON for each, of one model and of an ensemble.

Started by structured-output.test.ts: BASE_URL and API_KEY say where to ask.
"""

import json
import os

import instructor
from langchain_openai import ChatOpenAI
from openai import OpenAI
from pydantic import BaseModel
from pydantic_ai import Agent, NativeOutput
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

URL = os.environ["BASE_URL"]
KEY = os.environ["API_KEY"]
MODEL = "demo-ada"
PANEL = {"strategy": "debate_tournament", "models": ["demo-blaise", "demo-curie"]}
QUESTION = "Is a tomato a fruit?"
MESSAGES = [{"role": "user", "content": QUESTION}]


class Verdict(BaseModel):
    fruit: bool
    why: str


def openai_parse(extra):
    client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    completion = client.chat.completions.parse(
        model=MODEL, messages=MESSAGES, response_format=Verdict, extra_body=extra
    )
    return completion.choices[0].message.parsed


def openai_stream(extra):
    client = OpenAI(base_url=URL, api_key=KEY, max_retries=0)
    with client.chat.completions.stream(
        model=MODEL, messages=MESSAGES, response_format=Verdict, extra_body=extra
    ) as stream:
        return stream.get_final_completion().choices[0].message.parsed


def langchain(extra):
    model = ChatOpenAI(base_url=URL, api_key=KEY, model=MODEL, max_retries=0, extra_body=extra)
    return model.with_structured_output(Verdict).invoke(QUESTION)


def instructor_json_schema(extra):
    client = instructor.from_openai(
        OpenAI(base_url=URL, api_key=KEY, max_retries=0), mode=instructor.Mode.JSON_SCHEMA
    )
    return client.chat.completions.create(
        model=MODEL, messages=MESSAGES, response_model=Verdict, max_retries=0, extra_body=extra
    )


def pydantic_ai_native(extra):
    provider = OpenAIProvider(base_url=URL, api_key=KEY)
    model = OpenAIChatModel(MODEL, provider=provider)
    agent = Agent(model, output_type=NativeOutput(Verdict), model_settings={"extra_body": extra})
    return agent.run_sync(QUESTION).output


LIBRARIES = (openai_parse, openai_stream, langchain, instructor_json_schema, pydantic_ai_native)

for of, options in (("one model", {}), ("an ensemble", PANEL)):
    for ask in LIBRARIES:
        try:
            outcome = ask({"ai_ensemble": options}).model_dump()
        except Exception as error:  # what a library throws is what is tested
            outcome = f"{type(error).__name__}: {error}"
        print(json.dumps({"of": of, "library": ask.__name__, "outcome": outcome}))
