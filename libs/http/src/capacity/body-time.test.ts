import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { listen, type ListeningApp } from '@millwright/testing';
import express from 'express';
import { limitBodyTime } from './body-time.js';

let server: ListeningApp;
const received = new EventEmitter();

beforeAll(async () => {
  const app = express().use(
    limitBodyTime({ BODY_TIMEOUT_MS: 10_000, UPLOAD_MIN_RATE: 1_024 }, (_request, response) => {
      response.set('Connection', 'close').status(408).end();
    }),
    (request, response) => {
      request.on('data', (chunk: Buffer) => received.emit('data', chunk.length));
      request.on('end', () => response.end());
    },
  );
  server = await listen(app);
});
afterAll(() => server.close());
beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

async function begin(type: string, bytes: number, length = 1_000_000): Promise<Socket> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`);
  await sendPart(socket, bytes);
  return socket;
}

async function sendPart(socket: Socket, bytes: number): Promise<void> {
  socket.write('x'.repeat(bytes));
  for (let left = bytes; left > 0;) {
    const [count] = (await once(received, 'data')) as [number];
    left -= count;
  }
}

describe('limitBodyTime', () => {
  it('refuses a body that is incomplete after ten seconds', async () => {
    const socket = await begin('application/json', 999_000);
    jest.advanceTimersByTime(9_999);
    await sendPart(socket, 1);
    jest.advanceTimersByTime(1);
    expect(await text(socket)).toContain(' 408 ');
  });

  it('accepts an upload while its bytes arrive at the minimum rate or faster', async () => {
    const socket = await begin('multipart/form-data; boundary=x', 1);
    for (let period = 0; period < 3; period += 1) {
      await sendPart(socket, 10_240);
      jest.advanceTimersByTime(10_000);
    }
    await sendPart(socket, 10_239);
    jest.advanceTimersByTime(10_000);
    expect(await text(socket)).toContain(' 408 ');
  });

  it('accepts large JSON that arrives at 1 MiB per ten seconds or faster', async () => {
    const socket = await begin('application/json', 1, 8_388_608);
    for (let period = 0; period < 2; period += 1) {
      await sendPart(socket, 1_048_576);
      jest.advanceTimersByTime(10_000);
    }
    await sendPart(socket, 1_048_575);
    jest.advanceTimersByTime(10_000);
    expect(await text(socket)).toContain(' 408 ');
  });

  it('does not refuse a request whose body is complete, even after a minute', async () => {
    const socket = await begin('application/json', 1_000_000);
    jest.advanceTimersByTime(60_000);
    expect((await once(socket, 'data')).toString()).toContain(' 200 ');
    socket.destroy();
  });

  it('leaves no timer behind when the client of an upload disconnects before the upload is read', async () => {
    const closed = new EventEmitter();
    const app = express().use(
      limitBodyTime({ BODY_TIMEOUT_MS: 10_000, UPLOAD_MIN_RATE: 1_024 }, () => undefined),
      (request) => {
        request.on('error', () => undefined);
        request.once('close', () => {
          request.once('resume', () => closed.emit('read'));
          request.resume();
          request.pause();
        });
        closed.emit('received');
      },
    );
    const other = await listen(app);
    const socket = connect(Number(new URL(other.url).port), '127.0.0.1');
    const [isReceived, isRead] = [once(closed, 'received'), once(closed, 'read')];
    socket.write(
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9\r\n\r\nx',
    );
    await isReceived;
    const before = jest.getTimerCount();
    socket.destroy();
    await isRead;
    expect(jest.getTimerCount()).toBe(before);
    await other.close();
  });
});
