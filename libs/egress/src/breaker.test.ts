import { createBreaker } from './index.js';

describe('createBreaker', () => {
  let time = 0;
  const make = () => createBreaker({ kind: 'model', failures: 5, resetMs: 1_000, now: () => time });
  const fail = (breaker: ReturnType<typeof make>, times: number) => {
    for (let call = 0; call < times; call += 1) breaker.admit()?.failed();
  };

  it('opens after five consecutive failures; a success resets the count', () => {
    const breaker = make();
    fail(breaker, 4);
    breaker.admit()?.succeeded();
    fail(breaker, 4);
    expect(breaker.open).toBe(false);
    fail(breaker, 1);
    expect(breaker.open).toBe(true);
    expect(breaker.admit()).toBeUndefined();
  });

  it('admits one call after the reset time; its outcome closes or reopens the breaker', () => {
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

  it('admits another call when the call that was admitted after the reset time is abandoned', () => {
    const breaker = make();
    fail(breaker, 5);
    time += 1_000;
    breaker.admit()?.abandoned();
    expect(breaker.admit()).toBeDefined();
  });

  it('stays open after the success of a call that began before the failures', () => {
    const breaker = make();
    const early = breaker.admit();
    fail(breaker, 5);
    early?.succeeded();
    expect(breaker.open).toBe(true);
  });
});
