import { EventEmitter, once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer, type RequestListener, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { createHttpClient, createTestDatabase, type TestDatabase } from '@millwright/testing';
import { createNotesArea, openNotes, type NotesAreaOptions } from '../endpoint/test-notes-area.js';

let database: TestDatabase;
let notes: Awaited<ReturnType<typeof openNotes>>;
let authorization: string;
const servers: Server[] = [];
const sockets: Socket[] = [];
/** Emits `slow` when a request of a slow caller has reached the service. */
const arrivals = new EventEmitter();

beforeAll(async () => {
  database = await createTestDatabase();
  notes = await openNotes(database.url);
  authorization = `Bearer ${await notes.issueKey('*')}`;
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});
afterAll(async () => {
  await notes.db.close();
  await database.drop();
});

const note = { text: 'a', tone: 'warm' };

async function serve(options: Partial<NotesAreaOptions>) {
  const app = createNotesArea({ db: notes.db, ...options });
  const listener: RequestListener = (request, response) => {
    app(request, response);
    if (request.headers['x-slow'] !== undefined) arrivals.emit('slow');
  };
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return { port, url, client: createHttpClient(url, { authorization }), anonymous: createHttpClient(url) };
}

/**
 * Begins requests of 100 bytes and sends one byte of each body. Resolves when the service has received the heads of all
 * requests.
 */
async function beginSlowly(port: number, count: number, { address = '127.0.0.1', head = '' } = {}): Promise<Socket[]> {
  const all = Promise.withResolvers<undefined>();
  let arrived = 0;
  const onArrival = () => {
    arrived += 1;
    if (arrived === count) all.resolve(undefined);
  };
  arrivals.on('slow', onArrival);
  const path = head === '' ? '/suggestions' : '/notes';
  const opened = Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: address });
    socket.on('error', () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a\r\nX-Slow: 1\r\n${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
    );
    return socket;
  });
  sockets.push(...opened);
  await all.promise;
  arrivals.off('slow', onArrival);
  return opened;
}

describe('hundreds of bodies that arrive too slowly', () => {
  it('delay no answer to another caller, even when they arrive from many addresses', async () => {
    const { port, client, anonymous } = await serve({
      capacity: { MAX_IN_FLIGHT: 100, MAX_IN_FLIGHT_PER_ADDRESS: 9 },
    });
    for (let n = 2; n <= 12; n += 1) await beginSlowly(port, 30, { address: `127.0.0.${n}` });
    const honest = await Promise.all([
      ...Array.from({ length: 20 }, () => client('POST', '/notes', { json: note })),
      ...Array.from({ length: 20 }, () => client('GET', '/notes/none')),
      ...Array.from({ length: 10 }, () => anonymous('POST', '/suggestions', { json: note })),
    ]);
    const statuses = Object.groupBy(honest, ({ status }) => status);
    expect(Object.fromEntries(Object.entries(statuses).map(([status, all]) => [status, all?.length]))).toEqual({
      200: 10,
      201: 20,
      404: 20,
    });
  });

  it('delay no answer to callers with a credential at the same address', async () => {
    const { port, client } = await serve({ capacity: { MAX_IN_FLIGHT_PER_ADDRESS: 5 } });
    await beginSlowly(port, 20);
    expect((await client('POST', '/notes', { json: note })).status).toBe(201);
  });

  it('do not prevent answers to other accounts of the same project when one account sends them', async () => {
    const { port, url } = await serve({
      capacity: { MAX_IN_FLIGHT: 50, MAX_IN_FLIGHT_PER_USER: 10, MAX_IN_FLIGHT_PER_PROJECT: 20 },
    });
    await beginSlowly(port, 60, { head: `Authorization: ${authorization}\r\n` });
    const issueKey = await notes.addUser('grace@example.com');
    const other = createHttpClient(url, { authorization: `Bearer ${await issueKey('*')}` });
    expect((await other('POST', '/notes', { json: note })).status).toBe(201);
  });
});

describe('a request whose body is too slow', () => {
  it('is answered 408, and then the next request of the same address is admitted', async () => {
    const { port, anonymous } = await serve({ capacity: { MAX_IN_FLIGHT_PER_ADDRESS: 1, BODY_TIMEOUT_MS: 100 } });
    const [slow] = await beginSlowly(port, 1);
    const answer = await text(slow as Socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('Connection: close');
    expect(answer).toContain('"code":"request_timeout"');
    expect((await anonymous('POST', '/suggestions', { json: note })).status).toBe(200);
  });
});
