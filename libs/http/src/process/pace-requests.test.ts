import { IncomingMessage, ServerResponse, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { blockEventLoop } from '@millwright/testing';
import { paceRequests } from './pace-requests.js';

/** Milliseconds of work for each request. In a turn of 1 ms, at most two begin. */
const EACH_MS = 1;
const ADDRESS = '127.0.0.1';
/** The test may count the end of one turn and the beginning of the next as one turn. */
const MOST_PER_TURN = 6;

function begin(listener: RequestListener, id: number, headers: IncomingHttpHeaders = {}, remoteAddress = ADDRESS) {
  const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
  const request = Object.assign(new IncomingMessage(socket), { url: String(id), headers });
  const response = new ServerResponse(request);
  listener(request, response);
  return response;
}

/** Creates a listener that works before or after its first await, and records the requests that began in each turn. */
function createWorker(afterAwait: boolean, trustedProxyHops = 0) {
  const turns: number[][] = [[]];
  const work = () => blockEventLoop(EACH_MS);
  const { listener, accepted } = paceRequests(({ url }) => {
    turns.at(-1)?.push(Number(url));
    if (afterAwait) void Promise.resolve().then(work);
    else work();
  }, trustedProxyHops);
  return {
    listener,
    accepted,
    turns,
    untilBegun: async (count: number) => {
      while (turns.flat().length < count) {
        await setImmediate();
        turns.push([]);
      }
    },
  };
}

const ids = (count: number) => Array.from({ length: count }, (_, id) => id);

afterEach(() => void jest.restoreAllMocks());

describe('requests that arrive together', () => {
  it.each([
    ['before', false],
    ['after', true],
  ])(
    'are started over many turns of the event loop, in the order of arrival, when their handler works %s its first await',
    async (_, afterAwait) => {
      const { listener, turns, untilBegun } = createWorker(afterAwait);
      for (const id of ids(30)) {
        begin(listener, id);
        // Runs promise callbacks after each request, as Node does.
        await Promise.resolve();
      }
      await untilBegun(30);
      expect(turns.flat()).toEqual(ids(30));
      expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(MOST_PER_TURN);
    },
  );

  it('start immediately while the current turn of the event loop has time left', () => {
    jest.spyOn(performance, 'now').mockReturnValue(0);
    const begun: string[] = [];
    const { listener } = paceRequests(({ url = '' }) => void begun.push(url), 0);
    begin(listener, 1);
    begin(listener, 2);
    expect(begun).toEqual(['1', '2']);
  });

  it.each<[string, number, (index: number) => [IncomingHttpHeaders, string]]>([
    [
      'address of a connection, when no proxy is trusted',
      0,
      (index) => [{ 'x-forwarded-for': `10.0.0.${index}` }, index < 20 ? ADDRESS : `127.0.1.${index}`],
    ],
    [
      'address that a trusted proxy in front reports',
      1,
      (index) => [{ 'x-forwarded-for': `10.0.0.${index}, 192.0.2.${index < 20 ? 1 : index}` }, ADDRESS],
    ],
    [
      '/64 network, when the addresses are IPv6',
      0,
      (index) => [{}, index < 20 ? `2001:db8::${index}` : `2001:db8:0:${index}::1`],
    ],
  ])('are started in turn for each %s', async (_, hops, from) => {
    const { listener, turns, untilBegun } = createWorker(false, hops);
    for (const id of ids(22)) begin(listener, id, ...from(id));
    await untilBegun(22);
    // Expected order: the first two requests begin at once. Then the addresses are served in turn: one of the 20 requests of one address,
    // then the requests of the other addresses.
    const order = turns.flat();
    expect(Math.max(order.indexOf(20), order.indexOf(21))).toBeLessThanOrEqual(2 + 3);
    expect(order.filter((id) => id < 20)).toEqual(ids(20));
  });

  it.each([
    ['a token', (name: string) => ({ authorization: `Bearer ${name}` })],
    ['a cookie', (name: string) => ({ cookie: `session=${name}` })],
  ])(
    'are started for each account in turn, whatever their addresses, once the account of %s is known',
    async (_, credentialOf) => {
      const { listener, turns, untilBegun } = createWorker(false);
      const headersOf = (id: number) => credentialOf(id < 20 ? `crowd-${id % 4}` : 'single');
      const answer = async (id: number, account?: string, statusCode = 200) => {
        const before = turns.flat().length;
        const response = begin(listener, id, headersOf(id));
        await untilBegun(before + 1);
        Object.assign(response, { statusCode, locals: { principalId: account } }).emit('close');
      };
      for (const id of [0, 1, 2, 3]) await answer(id, 'crowd');
      await answer(20, 'single');
      const known = turns.flat().length;
      for (const id of ids(21)) begin(listener, id, headersOf(id), `127.0.1.${id % 10}`);
      await untilBegun(known + 21);
      // The first two requests begin at once, then at most one request of the crowd, then the request of the single account.
      expect(turns.flat().slice(known).indexOf(20)).toBeLessThanOrEqual(2 + 2);
    },
  );

  it('that already wait are started for each account in turn once one request of the account is authenticated', async () => {
    const { listener, turns, untilBegun } = createWorker(false);
    const headers = { authorization: 'Bearer crowd' };
    const responses = ids(40).map((id) => begin(listener, id, headers, `127.0.1.${id}`));
    await untilBegun(2);
    // Simulates the gate, which stores the account. At this time, no answer is complete.
    Object.assign(responses[0] ?? {}, { locals: { principalId: 'crowd' } });
    const begun = turns.flat().length;
    for (const id of [40, 41, 42]) begin(listener, id, { authorization: 'Bearer single' }, '127.0.2.1');
    await untilBegun(43);
    // Every other request belongs to the single caller, who has fewer requests than the crowd.
    const order = turns.flat().slice(begun);
    expect(Math.max(...[40, 41, 42].map((id) => order.indexOf(id)))).toBeLessThanOrEqual(8);
  });

  it('are started for each address in turn again once their credential is refused', async () => {
    const { listener, turns, untilBegun } = createWorker(false);
    const headers = { authorization: 'Bearer revoked' };
    for (const [index, [statusCode, account]] of (
      [
        [200, 'ann'],
        [401, undefined],
      ] as const
    ).entries()) {
      const response = begin(listener, index, headers);
      await untilBegun(index + 1);
      Object.assign(response, { statusCode, locals: { principalId: account } }).emit('close');
    }
    for (const id of ids(20)) begin(listener, id + 2, headers);
    begin(listener, 22, headers, '127.0.1.1');
    await untilBegun(2 + 21);
    expect(turns.flat().indexOf(22)).toBeLessThanOrEqual(2 + 2 + 3);
  });

  it('are dropped when their client disconnects before they start', async () => {
    const { listener, turns, untilBegun } = createWorker(false);
    const responses = ids(10).map((id) => begin(listener, id));
    responses[8]?.destroy();
    await untilBegun(9);
    expect(turns.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9]);
  });

  it('do not delay a request that arrives after all of them were started', async () => {
    const { listener, turns, untilBegun } = createWorker(false);
    for (const id of ids(10)) begin(listener, id);
    await untilBegun(10);
    await setImmediate();
    begin(listener, 10);
    expect(turns.at(-1)).toEqual([10]);
  });
});

describe('requests on new connections', () => {
  it('are started after all waiting connections are accepted, so that the first requests do not delay the last connection', async () => {
    const { listener, accepted, turns, untilBegun } = createWorker(false);
    for (const id of ids(3)) {
      accepted();
      begin(listener, id, {}, `127.0.1.${id}`);
      expect(turns.flat()).toEqual([]);
      await setImmediate();
    }
    await untilBegun(3);
    expect(turns.flat()).toEqual(ids(3));
  });

  it('are started even while new connections keep arriving', async () => {
    const { listener, accepted, turns, untilBegun } = createWorker(false);
    let count = 0;
    for (; turns.flat().length < 20; count += 1) {
      accepted();
      begin(listener, count);
      await setImmediate();
    }
    await untilBegun(count);
    expect(turns.flat()).toEqual(ids(count));
  });

  it('start immediately on a connection that was accepted earlier', async () => {
    const { listener, accepted, turns } = createWorker(false);
    accepted();
    await setImmediate();
    await setImmediate();
    begin(listener, 1);
    expect(turns.flat()).toEqual([1]);
  });
});
