import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AgentCard, generateAgentCardSignature, Message, Task, TaskStatusUpdateEvent } from '@a2a-js/sdk';
import {
  AgentEvent,
  DefaultRequestHandler,
  InMemoryTaskStore,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { jsonRpcHandler, restHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { listen } from '../listen.js';

/**
 * The reaction of the fake agent to a message: the state of the task and the text of the answer. `message` answers without a task; `hang`
 * never answers.
 */
export interface AgentReply {
  state: 'completed' | 'failed' | 'input-required' | 'message' | 'hang';
  text: string;
}

export interface FakeAgent {
  url: string;
  /** Members of the card that differ from the default. */
  card: Record<string, unknown>;
  /** Whether cards are signed from now on. */
  signed: boolean;
  /** Value of `jku` in the signature. */
  jku: string | undefined;
  /** Keys that `/keys.json` returns. */
  keys: JsonWebKey[];
  /** Whether streams break off after their first event. */
  breaksStreams: boolean;
  reply: (text: string) => AgentReply;
  /** Messages received so far. */
  received: { text: string; messageId: string; taskId: string; contextId: string }[];
  /** Ids of the tasks that were canceled. */
  canceled: string[];
  /** The headers of each request so far, with its path. */
  seen: (IncomingHttpHeaders & { path: string })[];
  close: () => Promise<void>;
}

const STATES = {
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  'input-required': 'TASK_STATE_INPUT_REQUIRED',
} as const;

/** An A2A agent on loopback, built with the official SDK. */
export async function createFakeAgent(): Promise<FakeAgent> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const app = express();
  const listening = await listen(app);
  const open = new Map<string, ExecutionEventBus>();
  const fake: FakeAgent = {
    url: listening.url,
    card: {},
    signed: false,
    jku: `${listening.url}/keys.json`,
    keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }],
    breaksStreams: false,
    reply: (text) => ({ state: 'completed', text: `You wrote: ${text}` }),
    received: [],
    canceled: [],
    seen: [],
    close: listening.close,
  };
  const cardOf = () =>
    AgentCard.fromJSON({
      name: 'Miller',
      description: 'Grinds grain.',
      version: '1',
      supportedInterfaces: [
        { url: `${listening.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${listening.url}/rest`, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
      ],
      capabilities: { streaming: true },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      skills: [{ id: 'grind', name: 'Grind', description: 'Grinds wheat and rye.', tags: ['grain'] }],
      ...fake.card,
    });
  const statusOf = (taskId: string, contextId: string, state: string, text: string) => ({
    taskId,
    contextId,
    status: {
      state,
      timestamp: new Date().toISOString(),
      ...(text && {
        message: { messageId: `${taskId}-said`, role: 'ROLE_AGENT', parts: [{ text }], taskId, contextId },
      }),
    },
  });
  const execute = ({ userMessage, taskId, contextId, task }: RequestContext, bus: ExecutionEventBus): Promise<void> => {
    const [part] = userMessage.parts;
    const text = part?.content?.$case === 'text' ? part.content.value : '';
    fake.received.push({ text, messageId: userMessage.messageId, taskId: userMessage.taskId, contextId });
    const { state, text: answer } = fake.reply(text);
    const message = { messageId: `${taskId}-answer`, role: 'ROLE_AGENT', parts: [{ text: answer }], contextId };
    if (state === 'message') {
      bus.publish(AgentEvent.message(Message.fromJSON(message)));
      return Promise.resolve();
    }
    const begun = { id: taskId, contextId, status: { state: 'TASK_STATE_WORKING' }, history: [], artifacts: [] };
    bus.publish(AgentEvent.task(task ?? Task.fromJSON(begun)));
    if (state === 'hang') {
      open.set(taskId, bus);
      return new Promise((resolve) => bus.on('finished', resolve));
    }
    if (state === 'completed')
      bus.publish(
        AgentEvent.artifactUpdate({
          ...{ taskId, contextId, append: false, lastChunk: true, metadata: undefined },
          artifact: Task.fromJSON({ artifacts: [{ artifactId: 'answer', parts: [{ text: answer }] }] }).artifacts[0],
        }),
      );
    const said = state === 'completed' ? '' : answer;
    bus.publish(
      AgentEvent.statusUpdate(TaskStatusUpdateEvent.fromJSON(statusOf(taskId, contextId, STATES[state], said))),
    );
    return Promise.resolve();
  };
  const cancelTask = (taskId: string, bus: ExecutionEventBus): Promise<void> => {
    fake.canceled.push(taskId);
    const event = TaskStatusUpdateEvent.fromJSON(statusOf(taskId, '', 'TASK_STATE_CANCELED', ''));
    bus.publish(AgentEvent.statusUpdate(event));
    bus.finished();
    open.delete(taskId);
    return Promise.resolve();
  };
  const tasks = new InMemoryTaskStore();
  const requestHandler = () => new DefaultRequestHandler(cardOf(), tasks, { execute, cancelTask });
  const handler = requestHandler();
  const options = { requestHandler: handler, userBuilder: UserBuilder.noAuthentication };
  app.use((request, response, next) => {
    fake.seen.push({ ...request.headers, path: request.path });
    if (fake.breaksStreams) {
      const write = response.write.bind(response);
      let events = 0;
      response.write = ((chunk: string) => {
        if (events > 0 && response.getHeader('content-type') === 'text/event-stream') {
          request.socket.destroySoon();
          return false;
        }
        events += 1;
        return write(chunk);
      }) as typeof response.write;
    }
    next();
  });
  app.get('/keys.json', (_request, response) => void response.json({ keys: fake.keys }));
  app.get(/agent-card\.json$/, async (_request, response) => {
    const header = { alg: 'ES256', kid: 'k1', typ: 'JOSE', ...(fake.jku !== undefined && { jku: fake.jku }) };
    const card = cardOf();
    const sent = fake.signed ? await generateAgentCardSignature(privateKey, header)(card) : card;
    response.json(AgentCard.toJSON(sent));
  });
  app.use('/rpc', jsonRpcHandler(options));
  app.use('/rest', restHandler(options));
  return fake;
}
