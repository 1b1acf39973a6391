import { createServer, get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { freePort } from '@millwright/testing';
import type { Target, Targets } from './targets.js';
import { UpstreamAgent } from './upstream-agent.js';

/** Targets with one address. `onFailure` runs when a connection to this address has failed. */
function oneAddress(port: number, onFailure: (failures: number) => void) {
  const target: Target = { host: '127.0.0.1', port };
  let failures = 0;
  const targets: Targets = { inOrder: () => [target], avoid: () => onFailure((failures += 1)) };
  const agent = new UpstreamAgent({ area: targets });
  const ask = () =>
    new Promise<string>((resolve, reject) => {
      get({ agent, host: 'area', path: '/' }, (answer: IncomingMessage) => resolve(text(answer))).once('error', reject);
    }).finally(() => agent.destroy());
  return { ask, failures: () => failures };
}

describe('an address that stands for several replicas, as a Service of Kubernetes does', () => {
  it('is tried again when a connection fails, because the next connection may lead to another replica', async () => {
    const port = await freePort();
    const server = createServer((_request, response) => response.end('from another replica'));
    // `listen` without a host name looks up no address, so the server listens immediately.
    const { ask } = oneAddress(port, (failures) => failures === 2 && server.listen(port));
    expect(await ask()).toBe('from another replica');
    await new Promise((resolve) => server.close(resolve));
  });

  it('is not tried again after three failed connections', async () => {
    const { ask, failures } = oneAddress(await freePort(), () => undefined);
    await expect(ask()).rejects.toThrow('no replica accepts connections');
    expect(failures()).toBe(3);
  });
});
