import { createHash } from 'node:crypto';
import { parseCompletion, type Completion } from '../completion.js';
import type { ModelMessage, ModelRequest, ModelTool } from '../model.js';
import type { Upstream } from '../upstream.js';
import { chooseCall, type ChosenCall } from './choose-call.js';
import { createInstance } from './instance.js';
import { isKnowledge, quoteKnowledge } from './quote-knowledge.js';

const rememberedSchemas = 100;

/** Limit of the characters that the answer quotes from a tool's answer. */
const MAX_TOOL_ANSWER_CHARACTERS = 1_000;
/** Maximum number of tools that an answer names. */
const MAX_NAMED_TOOLS = 10;

const INTRODUCTION = 'The offline model is answering, because no model is configured on this installation.';

const count = (amount: number, noun: string) => `${amount} ${noun}${amount === 1 ? '' : 's'}`;

/** The messages after the user's last message: calls of tools and their answers. */
function sinceLastUser(messages: readonly ModelMessage[]) {
  const last = messages.findLastIndex((message) => message.role === 'user' && !isKnowledge(message));
  return { lastUser: messages[last], since: messages.slice(last + 1) };
}

function describeToolAnswers(since: readonly ModelMessage[]): string[] {
  const calls = since.flatMap(({ tool_calls: called = [] }) => called);
  return since
    .filter(({ role }) => role === 'tool')
    .map(({ content, tool_call_id: id }) => {
      const name = calls.find((call) => call.id === id)?.name ?? 'tool';
      return `The tool ${name} answered: ${content.slice(0, MAX_TOOL_ANSWER_CHARACTERS).toWellFormed()}`;
    });
}

function describeTools(tools: readonly ModelTool[]): string[] {
  if (tools.length === 0) return [];
  const names = tools.slice(0, MAX_NAMED_TOOLS).map(({ name }) => name);
  const more = tools.length > names.length ? ` and ${tools.length - names.length} more` : '';
  return [`It calls a tool when your message has the words of its name: ${names.join(', ')}${more}.`];
}

function reply({ messages, tools = [] }: ModelRequest): string {
  const { lastUser, since } = sinceLastUser(messages);
  const answers = describeToolAnswers(since);
  if (answers.length > 0) return [INTRODUCTION, ...answers].join(' ');
  const instructions = messages.filter(({ role }) => role === 'system').length;
  const conversation = messages.filter((message) => message.role !== 'system' && !isKnowledge(message));
  const earlier = conversation.length - (lastUser ? 1 : 0);
  const quote = lastUser && quoteKnowledge(messages, lastUser.content);
  return [
    INTRODUCTION,
    lastUser ? `You wrote: "${lastUser.content}"` : 'There was no message from you.',
    `I was given ${count(instructions, 'instruction')} and ${count(earlier, 'earlier message')}.`,
    ...(quote === undefined ? [] : [quote]),
    ...describeTools(tools),
  ].join(' ');
}

/** The call of the tool that the user's last message names. Each message leads to one call only. */
function callFor({ messages, tools = [] }: ModelRequest): ChosenCall | undefined {
  const { lastUser, since } = sinceLastUser(messages);
  return lastUser && since.length === 0 ? chooseCall(tools, lastUser.content) : undefined;
}

/** Returns an id that is the same for the same request. */
function idOf({ messages, output }: ModelRequest): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([messages, output]))
    .digest('base64url');
  return `chatcmpl-offline-${digest.slice(0, 24)}`;
}

function completionOf(request: ModelRequest, answer: object, reason: 'stop' | 'tool_calls'): Promise<Completion> {
  const message = { role: 'assistant', content: null, refusal: null, ...answer };
  const choices = [{ index: 0, message, logprobs: null, finish_reason: reason }];
  return parseCompletion(
    { id: idOf(request), created: 0, model: 'offline', system_fingerprint: 'offline', choices },
    request.messages,
  );
}

function toolCallOf(request: ModelRequest, { tool: { name }, args }: ChosenCall) {
  const id = idOf(request).replace('chatcmpl', 'call');
  return { tool_calls: [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }] };
}

/**
 * The built-in model of an installation without any other model. Its answer depends on the request only, states that it
 * comes from the offline model, and is a valid instance of the output schema when there is one. It calls a tool when
 * the message contains the tool's name, and quotes the knowledge in the request.
 */
export function createOfflineUpstream(): Upstream {
  const instances = new Map<string, string>();

  function instanceOf(schema: object): string {
    const key = JSON.stringify(schema);
    const known = instances.get(key) ?? JSON.stringify(createInstance(schema));
    if (instances.size >= rememberedSchemas) instances.clear();
    instances.set(key, known);
    return known;
  }

  function answer(request: ModelRequest): Promise<Completion> {
    const call = callFor(request);
    if (call) return completionOf(request, toolCallOf(request, call), 'tool_calls');
    const content = request.output ? instanceOf(request.output.schema) : reply(request);
    return completionOf(request, { content }, 'stop');
  }

  return {
    complete: answer,
    async *stream(request, signal) {
      const completion = await answer(request);
      for (const word of completion.body.choices[0].message.content?.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
        signal.throwIfAborted();
        yield word;
      }
      return completion;
    },
  };
}
