import { setTimeout as sleep } from 'node:timers/promises';
import { createScan } from './scan.js';

const INTERVAL_MS = 5;
const noError = (err: unknown): void => {
  throw err;
};

describe('createScan', () => {
  it('searches again and again after `start`, and never after `close`', async () => {
    const second = Promise.withResolvers<undefined>();
    let searches = 0;
    const scan = createScan(
      () => {
        searches += 1;
        if (searches === 2) second.resolve(undefined);
        return Promise.resolve();
      },
      INTERVAL_MS,
      noError,
    );
    await sleep(4 * INTERVAL_MS);
    expect(searches).toBe(0);
    scan.start();
    await second.promise;
    await scan.close();
    const before = searches;
    await sleep(4 * INTERVAL_MS);
    expect(searches).toBe(before);
  });

  it('begins no search while another one is in progress, and `close` waits for the end of the search', async () => {
    const [begun, end] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    let searches = 0;
    const scan = createScan(
      async () => {
        searches += 1;
        begun.resolve(undefined);
        await end.promise;
      },
      INTERVAL_MS,
      noError,
    );
    scan.start();
    scan.start();
    await begun.promise;
    await sleep(4 * INTERVAL_MS);
    expect(searches).toBe(1);
    let isClosed = false;
    const closing = scan.close().then(() => (isClosed = true));
    await sleep(2 * INTERVAL_MS);
    expect(isClosed).toBe(false);
    end.resolve(undefined);
    await closing;
    expect(searches).toBe(1);
  });

  it('reports the error of a search and searches again', async () => {
    const errors: unknown[] = [];
    const second = Promise.withResolvers<undefined>();
    const scan = createScan(
      () => {
        if (errors.length === 1) second.resolve(undefined);
        return Promise.reject(new Error('the database is away'));
      },
      INTERVAL_MS,
      (err) => void errors.push(err),
    );
    scan.start();
    await second.promise;
    await scan.close();
    expect(errors.slice(0, 2)).toEqual([new Error('the database is away'), new Error('the database is away')]);
  });
});
