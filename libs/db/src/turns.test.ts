import { createTurns } from './turns.js';

function queueOf(...added: readonly string[]) {
  const turns = createTurns<string>();
  for (const item of added) turns.add(item.charAt(0), item);
  return turns;
}

function takeAll(turns: ReturnType<typeof queueOf>): string[] {
  const taken: string[] = [];
  for (let item = turns.take(); item !== undefined; item = turns.take()) taken.push(item);
  return taken;
}

describe('a queue of turns', () => {
  it('alternates between the owner with the fewest items and the owner who waited longest, and keeps the order of each owner', () => {
    expect(takeAll(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual(['c1', 'a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('serves a new owner with one item within two turns, however many items other owners have', () => {
    const turns = queueOf(...Array.from({ length: 200 }, (_, n) => `${'abcdefghij'.charAt(n % 10)}${n}`));
    for (let n = 0; n < 7; n += 1) turns.take();
    turns.add('z', 'z1');
    expect([turns.take(), turns.take()]).toContain('z1');
  });

  it('serves an owner with a backlog in every second turn, as long as other owners have fewer items', () => {
    const turns = queueOf('a1', 'a2', 'a3', 'a4', 'b1');
    const taken = Array.from({ length: 6 }, (_, n) => {
      const item = turns.take();
      if (item?.startsWith('b')) turns.add('b', `b${n + 2}`);
      return item?.charAt(0);
    });
    expect(taken.filter((owner) => owner === 'a').length).toBeGreaterThanOrEqual(3);
  });

  it('peeks at the next item without removing it', () => {
    const turns = queueOf('a1', 'b1');
    expect([turns.peek(), turns.peek(), turns.size]).toEqual(['a1', 'a1', 2]);
  });

  it('skips removed items and counts the remaining items', () => {
    const turns = queueOf('a1', 'a2', 'b1');
    expect([turns.remove('a', 'a1'), turns.remove('b', 'b1'), turns.remove('b', 'b1')]).toEqual([true, true, false]);
    expect([turns.size, turns.peek()]).toEqual([1, 'a2']);
    expect([takeAll(turns), turns.size, turns.peek()]).toEqual([['a2'], 0, undefined]);
  });
});
