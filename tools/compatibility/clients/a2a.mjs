// @ts-check
import assert from 'node:assert/strict';
import { SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  createAuthenticatingFetchWithRetry,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from '@a2a-js/sdk/client';

/** @param {import('../installation.mjs').Installation} installation */
export function checks({ runtime, key, agent }) {
  const fetchImpl = createAuthenticatingFetchWithRetry(fetch, {
    headers: async () => ({ Authorization: `Bearer ${key}` }),
    shouldRetryWithHeaders: async () => undefined,
  });
  async function connect(/** @type {'JSONRPC' | 'HTTP+JSON'} */ binding) {
    const transports = [new JsonRpcTransportFactory({ fetchImpl }), new RestTransportFactory({ fetchImpl })];
    const options = { transports, preferredTransports: [binding] };
    const factory = new ClientFactory(ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options));
    return factory.createFromUrl(`${runtime}/api/v1/agents/${agent}/a2a/`);
  }
  const hello = () =>
    SendMessageRequest.fromJSON({
      message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: 'Hello' }] },
    });
  const perBinding = ['JSONRPC', 'HTTP+JSON'].flatMap((binding) => [
    [
      `${binding}: card from the agent's address, send`,
      async () => {
        const client = await connect(/** @type {'JSONRPC'} */ (binding));
        assert.match(JSON.stringify(await client.sendMessage(hello())), /You wrote: Hello/);
      },
    ],
    [
      `${binding}: stream`,
      async () => {
        const client = await connect(/** @type {'JSONRPC'} */ (binding));
        const events = [];
        for await (const event of client.sendMessageStream(hello())) events.push(event);
        assert.match(JSON.stringify(events), /You/);
        assert.match(JSON.stringify(events), /TASK_STATE_COMPLETED|"state":3/);
      },
    ],
  ]);
  return Object.fromEntries(perBinding);
}
