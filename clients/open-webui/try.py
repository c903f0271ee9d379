"""Open WebUI as a server of its own, with the service as its one connection, asked as its page asks it."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from attempt import API_KEY, BASE_URL, QUESTION, attempt

# What is set where people run it, and what keeps it from loading models for embeddings or asking for updates.
CONNECTION = {"OPENAI_API_BASE_URL": BASE_URL, "OPENAI_API_KEY": API_KEY, "ENABLE_OLLAMA_API": "False"}
ALONE = {"OFFLINE_MODE": "true", "HF_HUB_OFFLINE": "1", "RAG_EMBEDDING_ENGINE": "openai", "WEBUI_AUTH": "False"}
QUIET = {"ANONYMIZED_TELEMETRY": "false", "DO_NOT_TRACK": "true", "SCARF_NO_ANALYTICS": "true"}
START_SECONDS = 300
CHAT = [{"role": "user", "content": QUESTION}]
HISTORY = [*CHAT, {"role": "assistant", "content": "Yes."}]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def request(path, body=None, token=""):
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(ORIGIN + path, data, headers)) as reply:
        return reply.read().decode()


def wait_until_ready(server):
    for _ in range(START_SECONDS):
        if server.poll() is not None:
            sys.exit(f"open-webui ended with code {server.returncode}")
        try:
            return request("/health")
        except OSError:
            time.sleep(1)
    sys.exit("open-webui did not start")


def content(reply):
    return json.loads(reply)["choices"][0]["message"]["content"]


def streamed(token):
    reply = request("/api/chat/completions", {"model": "ensemble", "messages": CHAT, "stream": True}, token)
    events = [line[6:] for line in reply.splitlines() if line.startswith("data: {")]
    choices = [choice for event in events for choice in json.loads(event)["choices"]]
    return "".join(choice["delta"].get("content") or "" for choice in choices)


def errand(kind, token):
    body = {"model": "ensemble", "messages": HISTORY, "type": "web_search", "prompt": QUESTION}
    return content(request(f"/api/v1/tasks/{kind}/completions", body, token))


def try_everything():
    token = json.loads(request("/api/v1/auths/signin", {"email": "", "password": ""}))["token"]
    known = [model["id"] for model in json.loads(request("/api/models", token=token))["data"]]
    if "ensemble" not in known:
        sys.exit(f"open-webui offers no ensemble, only {known}")
    chat = {"model": "ensemble", "messages": CHAT}
    attempt("chat", "text", lambda: content(request("/api/chat/completions", chat, token)))
    attempt("chat, streamed", "text", lambda: streamed(token))
    for kind in ("title", "tags", "follow_up", "queries", "image_prompt", "emoji"):
        attempt(f"{kind} in the background", "text", lambda kind=kind: errand(kind, token), calls=1)


ORIGIN = f"http://127.0.0.1:{free_port()}"
with tempfile.TemporaryDirectory() as folder:
    place = {"DATA_DIR": folder, "WEBUI_SECRET_KEY": "none"}
    words = [Path(sys.executable).with_name("open-webui"), "serve", "--host", "127.0.0.1", "--port", ORIGIN.split(":")[2]]
    with open(Path(folder, "log"), "w") as log:
        environment = {**os.environ, **CONNECTION, **ALONE, **QUIET, **place}
        server = subprocess.Popen(words, env=environment, stdout=log, stderr=log, cwd=folder)
        try:
            wait_until_ready(server)
            try_everything()
        finally:
            server.terminate()
            server.wait()
