import { createHeldBytes } from './held-bytes.js';

describe('createHeldBytes', () => {
  it("refuses bytes beyond a user's limit, and admits them after other bytes are freed", () => {
    const open = createHeldBytes({ perUser: 10, total: 100 });
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
    const open = createHeldBytes({ perUser: 10, total: 15 });
    open('ada').hold(10);
    const second = open('carl');
    expect(() => second.hold(6)).toThrow('Too many bytes');
    second.hold(5);
    expect(() => second.hold(6)).toThrow('Too many bytes');
  });

  it('holds no bytes for a freed call', () => {
    const open = createHeldBytes({ perUser: 10, total: 10 });
    for (let n = 0; n < 3; n++) {
      const call = open('ada');
      call.hold(10);
      call.free();
      call.free();
    }
    expect(() => open('ada').hold(10)).not.toThrow();
  });
});
