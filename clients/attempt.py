"""What the scripts of Python clients share: as attempt.mjs, for a client written in Python."""

import json
import os
import urllib.request

BASE_URL = os.environ["BASE_URL"]
API_KEY = os.environ["API_KEY"]
QUESTION = "Is a tomato a fruit?"
WEATHER_QUESTION = "What is the weather where I am?"


def where_am_i() -> str:
    """Names the town."""
    return "Bergen"


def weather(town: str) -> str:
    """Tells the weather of a town."""
    return f"rain in {town}"


def attempt(tried, kind, ask, calls=None):
    before = calls_so_far()
    try:
        outcome = ask()
    except Exception as error:  # what a client throws is what is to be seen
        outcome = f"{type(error).__name__}: {error}"
    line = {"tried": tried, "kind": kind, "outcome": outcome}
    if calls is not None:
        line |= {"calls": calls, "made": calls_so_far() - before}
    print(json.dumps(line), flush=True)


def calls_so_far():
    with urllib.request.urlopen(os.environ["CALLS_URL"]) as reply:
        return json.load(reply)["calls"]
