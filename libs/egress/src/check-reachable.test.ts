import { listen, notUrls, privateHosts, type ListeningApp } from '@millwright/testing';
import { createEgress, type EgressError, type ResolveName } from './index.js';

let sentinel: ListeningApp;
let requests = 0;
let lookups = 0;

beforeAll(async () => {
  sentinel = await listen((request, response) => {
    requests += 1;
    if (request.url === '/hang') return;
    response.statusCode = request.url === '/moved' ? 308 : 405;
    if (request.url === '/moved') response.setHeader('location', '/mcp');
    response.end();
  });
});
afterAll(() => sentinel.close());
beforeEach(() => (requests = lookups = 0));

const outcomeOf = (check: Promise<void>) =>
  check.then(
    () => 'passes',
    (error: unknown) => (error as EgressError).kind,
  );
const portOf = ({ url }: ListeningApp) => new URL(url).port;
const at = (...addresses: string[]): ResolveName => {
  const answers = [...addresses];
  return () => {
    lookups += 1;
    const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
    return Promise.resolve(address === '' ? [] : [{ address, family: 4 }]);
  };
};
const strict = { allowLoopback: false, allowHttp: true, allow: [] };

describe('checkReachable', () => {
  it('refuses a URL that checkUrl refuses, without a request', async () => {
    const egress = createEgress(strict);
    const urls = [...notUrls, ...privateHosts.map((host) => `http://${host}:${portOf(sentinel)}/`)];
    for (const url of urls) expect([url, await outcomeOf(egress.checkReachable(url))]).toEqual([url, 'refused']);
    expect(requests).toBe(0);
    await egress.close();
  });

  it.each<[string, string, ResolveName]>([
    ['refuses a name that resolves to this machine', 'refused', at('127.0.0.1')],
    [
      'refuses a name that resolves to this machine only in the second lookup, for the connection',
      'refused',
      at('93.184.216.34', '127.0.0.1'),
    ],
    ['reports a name without addresses as unresolvable', 'unresolvable', at('')],
    [
      'reports a name that the resolver does not find as unresolvable',
      'unresolvable',
      () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
    ],
    [
      'reports a name as unresolvable when the resolver never answers',
      'unresolvable',
      () => new Promise(() => undefined),
    ],
  ])('%s', async (_what, outcome, resolve) => {
    const egress = createEgress({ ...strict, resolve });
    expect(await outcomeOf(egress.checkReachable(`http://name.example:${portOf(sentinel)}/`))).toBe(outcome);
    expect(requests).toBe(0);
    await egress.close();
  });

  it.each([
    ['refuses a server that redirects', 'refused', '/moved'],
    ['accepts a server that answers without a redirect', 'passes', '/mcp'],
    ['accepts a server that does not answer', 'passes', '/hang'],
  ])('%s, and sends one request', async (_what, outcome, path) => {
    const egress = createEgress({ ...strict, allowLoopback: true });
    expect(await outcomeOf(egress.checkReachable(`${sentinel.url}${path}`))).toBe(outcome);
    expect(requests).toBe(1);
    await egress.close();
  });

  it('accepts a URL whose port is closed', async () => {
    const egress = createEgress({ ...strict, allowLoopback: true });
    expect(await outcomeOf(egress.checkReachable('http://127.0.0.1:1/mcp'))).toBe('passes');
    await egress.close();
  });

  it('resolves the name before connecting, and again when connecting', async () => {
    const egress = createEgress({ ...strict, allowLoopback: true, resolve: at('127.0.0.1') });
    await egress.checkReachable(`http://localhost:${portOf(sentinel)}/mcp`);
    expect([lookups, requests]).toEqual([2, 1]);
    await egress.close();
  });
});
