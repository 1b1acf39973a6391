import { generateKeyPairSync } from 'node:crypto';
import type { SigningKey } from '@millwright/auth/signing-keys';
import { measureLoopUse } from '@millwright/testing';
import { createCardSigner } from './sign-card.js';

const AGENTS = 100;
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key: SigningKey = { kid: 'one', privateKey, publicJwk: publicKey.export({ format: 'jwk' }) };
const agentOf = (n: number) => ({
  slug: `agent-${n}`,
  name: `Agent ${n}`,
  description: 'Grinds grain.',
  version: 1,
  skills: [],
  readsImages: false,
});
const agents = Array.from({ length: AGENTS }, (_, n) => agentOf(n));

describe('the cards of a page', () => {
  it('are signed in separate turns of the event loop, so that other requests are answered in between', async () => {
    const sign = createCardSigner(key, 'http://localhost:8081');
    // Makes one signature before the measurement, because the first signature also loads and compiles code.
    await sign(agentOf(AGENTS));
    const { turns, cpuMs, longestTurnMs } = await measureLoopUse(async () => {
      for (const agent of agents) await sign(agent);
    });
    expect(turns).toBeGreaterThanOrEqual(AGENTS);
    expect(longestTurnMs).toBeLessThan(cpuMs / 4);
  });

  it('are signed only once for requests that arrive at the same time', async () => {
    let keysRead = 0;
    const sign = createCardSigner(() => {
      keysRead += 1;
      return key;
    }, 'http://localhost:8081');
    const [first, second] = await Promise.all([sign(agentOf(1)), sign(agentOf(1))]);
    expect(keysRead).toBe(2);
    expect(second).toBe(first);
  });

  it('are signed at the next request after signing has failed', async () => {
    let isBroken = true;
    const sign = createCardSigner(
      () => ({ ...key, privateKey: isBroken ? publicKey : privateKey }),
      'http://localhost:8081',
    );
    await expect(sign(agentOf(1))).rejects.toThrow();
    isBroken = false;
    await expect(sign(agentOf(1))).resolves.toMatchObject({ card: { name: 'Agent 1' } });
  });
});
