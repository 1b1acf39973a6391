import { createBreaker } from './index.js';

describe('createBreaker', () => {
  let time = 0;
  const make = () => createBreaker({ kind: 'model', failures: 5, resetMs: 1_000, now: () => time });
  const fail = (breaker: ReturnType<typeof make>, times: number) => {
    for (let call = 0; call < times; call += 1) breaker.admit()?.failed();
  };

  it('opens after five failures in a row, not before, and not when a success is between', () => {
    const breaker = make();
    fail(breaker, 4);
    breaker.admit()?.succeeded();
    fail(breaker, 4);
    expect(breaker.open).toBe(false);
    fail(breaker, 1);
    expect(breaker.open).toBe(true);
    expect(breaker.admit()).toBeUndefined();
  });

  it('lets one call try after the reset time, which closes or reopens it', () => {
    const breaker = make();
    fail(breaker, 5);
    time += 1_000;
    const probe = breaker.admit();
    expect(breaker.admit()).toBeUndefined();
    probe?.failed();
    expect(breaker.admit()).toBeUndefined();
    time += 1_000;
    breaker.admit()?.succeeded();
    expect(breaker.open).toBe(false);
    fail(breaker, 4);
    expect(breaker.open).toBe(false);
  });

  it('lets another call try when the one that tried was given up', () => {
    const breaker = make();
    fail(breaker, 5);
    time += 1_000;
    breaker.admit()?.abandoned();
    expect(breaker.admit()).toBeDefined();
  });

  it('is not closed by a call from before it opened', () => {
    const breaker = make();
    const early = breaker.admit();
    fail(breaker, 5);
    early?.succeeded();
    expect(breaker.open).toBe(true);
  });
});
