import { once } from 'node:events';
import { request } from 'node:http';
import { listen } from '@millwright/testing';
import express, { type Response } from 'express';
import { createEventStreamWriter } from './event-stream-writer.js';
import { clientLeft } from './client-left.js';

/** Returns a response whose client disconnected before anything listened for this. */
async function leftResponse() {
  const received = Promise.withResolvers<Response>();
  const app = express().use((_request, response) => received.resolve(response));
  const { url, close } = await listen(app);
  const outgoing = request(url).on('error', () => undefined);
  outgoing.end();
  const response = await received.promise;
  const closed = once(response, 'close');
  outgoing.destroy();
  await closed;
  return { response, close };
}

describe('clientLeft', () => {
  it('returns an aborted signal when the client disconnected before the call', async () => {
    const { response, close } = await leftResponse();
    expect(clientLeft(response).aborted).toBe(true);
    await close();
  });
});

describe('createEventStreamWriter', () => {
  it('starts no timer for a client that disconnected earlier', async () => {
    const { response, close } = await leftResponse();
    jest.useFakeTimers();
    createEventStreamWriter(response);
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    await close();
  });
});
