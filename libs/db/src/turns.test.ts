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
  it('serves owners round-robin, and the items of each owner in order', () => {
    expect(takeAll(queueOf('a1', 'a2', 'a3', 'b1', 'c1', 'b2'))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('serves a new owner after one item of each other owner', () => {
    const turns = queueOf('a1', 'a2', 'a3', 'b1', 'b2');
    expect(turns.take()).toBe('a1');
    turns.add('c', 'c1');
    expect(takeAll(turns)).toEqual(['b1', 'a2', 'c1', 'b2', 'a3']);
  });

  it('peeks at the next item without removing it', () => {
    const turns = queueOf('a1', 'b1');
    expect([turns.peek(), turns.peek(), turns.size]).toEqual(['a1', 'a1', 2]);
  });

  it('skips removed items and counts the remaining ones', () => {
    const turns = queueOf('a1', 'a2', 'b1');
    expect([turns.remove('a', 'a1'), turns.remove('b', 'b1'), turns.remove('b', 'b1')]).toEqual([true, true, false]);
    expect([turns.size, turns.peek()]).toEqual([1, 'a2']);
    expect([takeAll(turns), turns.size, turns.peek()]).toEqual([['a2'], 0, undefined]);
  });
});
