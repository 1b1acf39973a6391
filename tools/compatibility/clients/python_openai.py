"""Checks of the Python package openai: one line of JSON for each."""

import asyncio
import json
import os
import sys
import traceback

from openai import AsyncOpenAI, AuthenticationError, OpenAI
from pydantic import BaseModel

installation = json.loads(os.environ["INSTALLATION"])
model = installation["model"]
base = f"{installation['prompts']}/v1"
client = OpenAI(base_url=base, api_key=installation["key"], max_retries=0)


class Answer(BaseModel):
    answer: int


WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}


def user(content):
    return [{"role": "user", "content": content}]


def models():
    names = [listed.id for listed in client.models.list()]
    assert model in names, names


def chat():
    answer = client.chat.completions.create(model=model, messages=user("Hello"))
    assert "You wrote: Hello" in answer.choices[0].message.content
    chunks = client.chat.completions.create(model=model, messages=user("Hello"), stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    assert "You wrote: Hello" in text


def chat_tools():
    tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]
    messages = user("the weather in Oslo?")
    first = client.chat.completions.create(model=model, messages=messages, tools=tools)
    message = first.choices[0].message
    output = {"role": "tool", "tool_call_id": message.tool_calls[0].id, "content": "rain"}
    second = client.chat.completions.create(model=model, messages=[*messages, message, output], tools=tools)
    assert "The tool answered: rain" in second.choices[0].message.content


def parse():
    chat = client.chat.completions.parse(model=model, messages=user("6 by 7?"), response_format=Answer)
    assert chat.choices[0].message.parsed.answer == 42
    response = client.responses.parse(model=model, input="6 by 7?", text_format=Answer)
    assert response.output_parsed.answer == 42


def responses():
    first = client.responses.create(model=model, input="One")
    second = client.responses.create(model=model, input="Two", previous_response_id=first.id)
    assert "2 before" in second.output_text
    prompt = {"id": installation["prompt"], "variables": {"city": "Paris"}}
    assert "In Paris" in client.responses.create(prompt=prompt, input="See?").output_text
    assert len(client.responses.input_items.list(second.id).data) == 3
    client.responses.delete(first.id)


def responses_stream():
    with client.responses.stream(model=model, input="Hello") as stream:
        for _event in stream:
            pass
        assert "You wrote: Hello" in stream.get_final_response().output_text


def conversations():
    conversation = client.conversations.create(items=[{"type": "message", "role": "user", "content": "One"}])
    response = client.responses.create(model=model, input="Two", conversation=conversation.id)
    assert "1 before" in response.output_text
    assert len(list(client.conversations.items.list(conversation.id))) == 3
    client.conversations.delete(conversation.id)


def embeddings():
    made = client.embeddings.create(model=model, input=["a mill", "a boat"], dimensions=4)
    assert [len(one.embedding) for one in made.data] == [4, 4]


def asynchronous():
    async def ask():
        async with AsyncOpenAI(base_url=base, api_key=installation["key"], max_retries=0) as other:
            return await other.responses.create(model=model, input="Hello")

    assert "You wrote: Hello" in asyncio.run(ask()).output_text


def wrong_key():
    try:
        OpenAI(base_url=base, api_key="mw_wrong", max_retries=0).models.list()
    except AuthenticationError:
        return
    raise AssertionError("a wrong key was accepted")


CHECKS = {
    "models: list": models,
    "chat: answer, stream": chat,
    "chat: tools": chat_tools,
    "chat and responses: parse": parse,
    "responses: previous_response_id, stored prompt, input_items, delete": responses,
    "responses: stream": responses_stream,
    "conversations: items, responses in it": conversations,
    "embeddings: texts, dimensions": embeddings,
    "AsyncOpenAI": asynchronous,
    "errors: wrong key": wrong_key,
}

for what, check in CHECKS.items():
    try:
        check()
        fault = None
    except Exception as error:  # every failure is recorded as a result
        traceback.print_exc(file=sys.stderr)
        fault = f"{type(error).__name__}: {error}"[:500]
    print(json.dumps({"what": what, "fault": fault}), flush=True)
