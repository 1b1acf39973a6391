import { listen } from '@millwright/testing';
import express from 'express';
import { sendAnswer } from './mcp-call.js';

describe('sendAnswer', () => {
  it('does not add listeners to the response for each event that waits for a slow client', async () => {
    const counts: number[] = [];
    const app = express().use(async (_request, response) => {
      async function* events() {
        for (let n = 0; n < 30; n += 1) {
          counts.push(response.listenerCount('close') + response.listenerCount('drain'));
          yield await Promise.resolve(' '.repeat(1_048_576));
        }
      }
      await sendAnswer({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: events() }, response);
    });
    const { url, close } = await listen(app);
    expect((await (await fetch(url)).arrayBuffer()).byteLength).toBe(30 * 1_048_576);
    expect(Math.max(...counts)).toBe(counts[0]);
    await close();
  });
});
