import { Redis } from 'ioredis';
import { redisUrl, startRedis } from './index.js';

const settings = { commandTimeout: 100, lazyConnect: true, retryStrategy: () => null };

async function ping(url: string): Promise<string> {
  const client = new Redis(url, settings);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.ping();
  } finally {
    client.disconnect();
  }
}

describe('redisUrl', () => {
  it('names a Redis that answers', async () => {
    expect(await ping(redisUrl())).toBe('PONG');
  });
});

describe('startRedis', () => {
  it('starts a server that does not answer while it is paused, and answers after it is resumed', async () => {
    const redis = await startRedis();
    const client = new Redis(redis.url, settings);
    await client.connect();
    redis.pause();
    await expect(client.ping()).rejects.toThrow('timed out');
    redis.resume();
    expect(await client.ping()).toBe('PONG');
    client.disconnect();
    await redis.stop();
  });

  it('stops a paused server, whose port can be used again', async () => {
    const first = await startRedis();
    first.pause();
    await first.stop();
    await expect(fetch(first.url.replace('redis', 'http'))).rejects.toThrow();
    const second = await startRedis(Number(new URL(first.url).port));
    expect(await ping(first.url)).toBe('PONG');
    await second.stop();
  });
});
