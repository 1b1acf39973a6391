import { parseRedisUrl } from './redis-url.js';

const absent = { username: undefined, password: undefined, master: undefined, sentinelPassword: undefined };
const node = (host: string, port: number) => ({ host, port });

describe('parseRedisUrl', () => {
  it.each([
    ['redis://cache', { kind: 'server', nodes: [node('cache', 6379)], tls: false, db: 0, ...absent }],
    [
      'rediss://me:p%40ss:word@[::1]:6380/2',
      {
        kind: 'server',
        nodes: [node('::1', 6380)],
        tls: true,
        db: 2,
        ...absent,
        username: 'me',
        password: 'p@ss:word',
      },
    ],
    [
      'redis://:secret@cache/',
      { kind: 'server', nodes: [node('cache', 6379)], tls: false, db: 0, ...absent, password: 'secret' },
    ],
    [
      'redis+sentinel://:p@a,b:26380,[::1]/1?master=main&sentinel_password=q',
      {
        ...{ kind: 'sentinel', nodes: [node('a', 26379), node('b', 26380), node('::1', 26379)], tls: false, db: 1 },
        ...{ ...absent, password: 'p', master: 'main', sentinelPassword: 'q' },
      },
    ],
    [
      'rediss+cluster://a:7000,b:7001',
      { kind: 'cluster', nodes: [node('a', 7000), node('b', 7001)], tls: true, db: 0, ...absent },
    ],
  ])('reads %s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    ['cache:6379', 'must be like'],
    ['http://cache', 'must be like'],
    ['redis://', 'must be like'],
    ['redis+ring://a', 'must be like'],
    ['redis://a,b', 'several hosts'],
    ['redis://a:0', 'host or port'],
    ['redis://a:70000', 'host or port'],
    ['redis+sentinel://a,,b?master=x', 'host or port'],
    ['redis+sentinel://a', '?master='],
    ['redis+cluster://a/3', 'database'],
    ['redis://a?master=x', 'unknown parameter master'],
  ])('refuses %s', (url, fault) => {
    expect(() => parseRedisUrl(url)).toThrow(fault);
  });

  it('throws errors that contain no password', () => {
    expect(() => parseRedisUrl('redis://me:hunter2@a,b')).not.toThrow(/hunter2/);
  });
});
