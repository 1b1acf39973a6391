import { createHeldBytes } from './held-bytes.js';

/** A rate that the tests of the memory limits never reach. */
const FAST = { perUserPerS: 1_000_000, burst: 1_000_000 };

describe('createHeldBytes', () => {
  it("refuses bytes beyond a user's limit, and admits them after other bytes are freed", () => {
    const open = createHeldBytes({ perUser: 10, total: 100, ...FAST });
    const [first, second, other] = [open('ada'), open('ada'), open('carl')];
    first.hold(6);
    expect(() => second.hold(5)).toThrow('Too many bytes');
    other.hold(10);
    first.hold(3);
    second.hold(7);
    first.free();
    second.hold(10);
    expect(() => first.hold(1)).toThrow('Too many bytes');
  });

  it('refuses bytes beyond the limit of the process', () => {
    const open = createHeldBytes({ perUser: 10, total: 15, ...FAST });
    open('ada').hold(10);
    const second = open('carl');
    expect(() => second.hold(6)).toThrow('Too many bytes');
    second.hold(5);
    expect(() => second.hold(6)).toThrow('Too many bytes');
  });

  it('no longer counts the bytes of a call after `free`, even when `free` is called twice', () => {
    const open = createHeldBytes({ perUser: 10, total: 10, ...FAST });
    for (let n = 0; n < 3; n++) {
      const call = open('ada');
      call.hold(10);
      call.free();
      call.free();
    }
    expect(() => open('ada').hold(10)).not.toThrow();
  });

  it('does not subtract bytes of other calls when `free` is called twice', () => {
    const open = createHeldBytes({ perUser: 10, total: 10, ...FAST });
    const [first, second] = [open('ada'), open('ada')];
    second.hold(6);
    first.hold(4);
    first.free();
    first.free();
    expect(() => open('ada').hold(5)).toThrow('Too many bytes');
  });

  it('returns how long a call must wait so that the calls of a user stay within their rate after a burst', () => {
    let now = 0;
    const open = createHeldBytes({ perUser: 10, total: 10, perUserPerS: 1_000, burst: 500, now: () => now });
    const [first, second, other] = [open('ada'), open('ada'), open('carl')];
    expect([first.receive(300), second.receive(200), first.receive(100), second.receive(100)]).toEqual([
      0, 0, 100, 200,
    ]);
    expect(other.receive(500)).toBe(0);
    now = 150;
    expect(second.receive(50)).toBe(100);
    now = 10_000;
    expect([first.receive(500), first.receive(1)]).toEqual([0, 1]);
  });
});
