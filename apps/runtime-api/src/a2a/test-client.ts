import { SendMessageRequest, type StreamResponse, type Task } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
  type Client,
} from '@a2a-js/sdk/client';
import { newId } from '@millwright/db';
import { RUNTIME_URL } from '../test-runtime.js';

export type Version = '1.0' | '0.3';
export type Binding = 'JSONRPC' | 'HTTP+JSON';
export const WAYS: [Version, Binding][] = [
  ['1.0', 'JSONRPC'],
  ['1.0', 'HTTP+JSON'],
  ['0.3', 'JSONRPC'],
  ['0.3', 'HTTP+JSON'],
];

/** Creates a client of `@a2a-js/sdk` for an agent, from the agent's card at `url`. */
export async function connect(
  url: string,
  agent: string,
  token: string,
  [version, binding]: [Version, Binding],
): Promise<Client> {
  const here: typeof fetch = (input, init) =>
    fetch(String(input instanceof Request ? input.url : input).replace(RUNTIME_URL, url), init);
  const options = {
    fetchImpl: createAuthenticatingFetchWithRetry(here, {
      headers: () => Promise.resolve({ Authorization: `Bearer ${token}` }),
      shouldRetryWithHeaders: () => Promise.resolve(undefined),
    }),
    legacyCompat: { enabled: true },
  };
  const card = await new DefaultAgentCardResolver({ legacyCompat: { enabled: true } }).resolve(
    url,
    `/.well-known/agent-cards/${agent}`,
  );
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory(options), new RestTransportFactory(options)],
      preferredTransports: [binding],
    }),
  );
  const supportedInterfaces = card.supportedInterfaces.filter(({ protocolVersion }) => protocolVersion === version);
  return factory.createFromAgentCard({ ...card, supportedInterfaces });
}

export interface Said {
  contextId?: string;
  taskId?: string;
  configuration?: object;
  metadata?: object;
  /** Parts that are sent instead of the text. */
  parts?: object[];
}

export const says = (text: string, { configuration, ...message }: Said = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: newId(), role: 'ROLE_USER', parts: [{ text }], ...message },
    configuration,
  });

/** Returns the text of a task's artifact. */
export const answerOf = (task: Task | undefined) =>
  task?.artifacts
    .flatMap(({ parts }) => parts)
    .map(({ content }) => content?.$case === 'text' && content.value)
    .join('');

/**
 * Builds the text of the artifact from the events of a stream. The SDK's client for HTTP+JSON of 0.3 loses the field `append`, so there every part is
 * appended.
 */
export function textOf(events: readonly StreamResponse[], client: Client): string {
  const alwaysAdds = client.protocolVersion === '0.3' && client.transport.protocolName === 'HTTP+JSON';
  let text = '';
  for (const { payload } of events) {
    if (payload?.$case === 'task') text = answerOf(payload.value) ?? '';
    if (payload?.$case !== 'artifactUpdate') continue;
    const [part] = payload.value.artifact?.parts ?? [];
    const added = part?.content?.$case === 'text' ? part.content.value : '';
    text = payload.value.append || alwaysAdds ? text + added : added;
  }
  return text;
}

export async function all(events: AsyncIterable<StreamResponse>): Promise<StreamResponse[]> {
  const received: StreamResponse[] = [];
  for await (const event of events) received.push(event);
  return received;
}
