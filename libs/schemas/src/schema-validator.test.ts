import { buildSchemaWorker } from './build-worker.js';
import { createSchemaValidator, SchemaValidatorBusy, type SchemaValidator } from './schema-validator.js';

/** Time limits that are long enough on a busy machine. */
const patient = { patienceMs: 60_000 };

let workerUrl: URL;
let validator: SchemaValidator;

beforeAll(async () => {
  workerUrl = await buildSchemaWorker();
  validator = createSchemaValidator({ ...patient, workerUrl });
});

afterAll(async () => {
  await validator.close();
});

const order = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', pattern: '^[a-z]+$' },
    tone: { enum: ['kind', 'plain'] },
    lines: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
  },
};

/** A schema that doubles its work with each level of the value. */
const doubling = { anyOf: [{ items: { $ref: '#' } }, { items: { $ref: '#' } }], not: { const: 'x' } };
const nestedList = (depth: number): unknown => (depth === 0 ? 'x' : [nestedList(depth - 1)]);

describe('validate', () => {
  it('accepts a valid value', async () => {
    await expect(validator.of('Core').validate('order', order, { id: 'abc', lines: [{ count: 1 }] })).resolves.toEqual({
      valid: true,
    });
  });

  it.each([
    [{}, 'id', 'is required'],
    [{ id: 'abc', lines: [{ count: 1 }, { count: 'x' }] }, 'lines.1.count', 'must be integer'],
    [{ id: 'ABC' }, 'id', 'must match pattern "^[a-z]+$"'],
    [{ id: 'abc', tone: 'rude' }, 'tone', 'must be one of ["kind","plain"]'],
    [{ id: 'abc', more: 1 }, 'more', 'is not allowed'],
    ['text', '', 'must be object'],
  ])('returns the path of the fault in %j', async (instance, path, reason) => {
    await expect(validator.of('Core').validate('order', order, instance)).resolves.toEqual({
      valid: false,
      faults: [{ path, reason }],
    });
  });

  it('ignores inherited properties', async () => {
    const schema = { required: ['toString'] };
    await expect(validator.of('Core').validate('inherited', schema, {})).resolves.toMatchObject({ valid: false });
  });

  it('ends a check that exceeds its time, and continues to work', async () => {
    const slow = createSchemaValidator({ ...patient, workerUrl, workers: 1, memoryMb: 512 });
    await expect(slow.of('Core').validate('doubling', doubling, nestedList(40))).resolves.toEqual({
      valid: false,
      faults: [{ path: '', reason: 'takes too long to check' }],
    });
    await expect(slow.of('Core').validate('order', order, { id: 'abc' })).resolves.toEqual({ valid: true });
    await slow.close();
  });

  it('ends a check that exceeds its memory, and continues to work', async () => {
    const small = createSchemaValidator({
      ...patient,
      workerUrl,
      workers: 1,
      memoryMb: 16,
      timeoutMs: 5000,
    });
    const instance = Array.from({ length: 1_000_000 }, (_, n) => ({ n }));
    await expect(small.of('Core').validate('list', { type: 'array' }, instance)).resolves.toEqual({
      valid: false,
      faults: [{ path: '', reason: 'takes too much memory to check' }],
    });
    await expect(small.of('Core').validate('order', order, { id: 'abc' })).resolves.toEqual({ valid: true });
    await small.close();
  });

  it('still answers after more schemas than the cache can contain', async () => {
    for (let n = 0; n < 520; n += 1) await validator.of('Core').validate(`const ${n}`, { const: n }, n);
    await expect(validator.of('Core').validate('const 0', { const: 0 }, 0)).resolves.toEqual({ valid: true });
    await expect(validator.of('Core').validate('const 1', { const: 1 }, 0)).resolves.toMatchObject({ valid: false });
  });

  it('rejects a value that cannot be sent to a worker, and continues to work', async () => {
    await expect(validator.of('Core').validate('order', order, () => 1)).rejects.toThrow('could not be cloned');
    await expect(validator.of('Core').validate('order', order, { id: 'abc' })).resolves.toEqual({ valid: true });
  });

  it('serves a check with one schema while checks with another schema flood the queue', async () => {
    const one = createSchemaValidator({ ...patient, workerUrl, workers: 1 });
    const done: string[] = [];
    const flood = Array.from({ length: 200 }, () =>
      one
        .of('Core')
        .validate('flood', order, {})
        .then(() => done.push('flood')),
    );
    await one
      .of('Core')
      .validate('other', order, {})
      .then(() => done.push('other'));
    expect(done.length).toBeLessThan(10);
    await Promise.all(flood);
    await one.close();
  });

  it('serves a project while another project floods the queue with checks that have a different schema each', async () => {
    const one = createSchemaValidator({ ...patient, workerUrl, workers: 1, timeoutMs: 20 });
    const done: string[] = [];
    const note = (project: string) => () => done.push(project);
    const flood = Array.from({ length: 60 }, (_, n) =>
      one.of('Core').validate(`${n}`, doubling, nestedList(40)).then(note('Core')),
    );
    const compiled = one.of('Commerce').compile(order).then(note('Commerce'));
    const checked = one.of('Commerce').validate('order', order, { id: 'abc' }).then(note('Commerce'));
    await Promise.all([compiled, checked]);
    // One check of Core was already running, and at most one more runs before each of the two requests of Commerce.
    expect(done.filter((project) => project === 'Core').length).toBeLessThanOrEqual(3);
    await one.close();
    await Promise.allSettled(flood);
  });

  it('rejects requests of a project whose checks fill its share of the queue, and admits requests of another project', async () => {
    const one = createSchemaValidator({ ...patient, workerUrl, workers: 1 });
    const flood = Promise.allSettled(Array.from({ length: 510 }, () => one.of('Core').validate('k', order, {})));
    const other = await one.of('Commerce').validate('k', order, { id: 'abc' });
    const refused = (await flood).filter((result) => result.status === 'rejected');
    expect({ other, refused: refused.length }).toEqual({ other: { valid: true }, refused: 9 });
    expect(refused.every(({ reason }) => reason instanceof SchemaValidatorBusy)).toBe(true);
    await one.close();
  });

  it('rejects requests when the queue is full', async () => {
    const one = createSchemaValidator({ ...patient, workerUrl, workers: 1 });
    const all = await Promise.allSettled(
      Array.from({ length: 1010 }, (_, n) => one.of(`${n % 5}`).validate('k', order, {})),
    );
    const refused = all.filter((result) => result.status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ reason }) => reason instanceof SchemaValidatorBusy)).toBe(true);
    await one.close();
  });

  it('answers small checks without starting a worker for each check', async () => {
    const instance = { id: 'abc', tone: 'kind', lines: [{ count: 1 }] };
    for (let n = 0; n < 500; n += 1) await validator.of('Core').validate('order', order, instance);
    const times: number[] = [];
    for (let n = 0; n < 1000; n += 1) {
      const start = performance.now();
      await validator.of('Core').validate('order', order, instance);
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    expect(times[500]).toBeLessThan(10);
    process.stdout.write(
      `validator round trip: median ${times[500]?.toFixed(3)} ms, p99 ${times[990]?.toFixed(3)} ms\n`,
    );
  });
});

describe('validate on a busy machine', () => {
  /** A worker that does `work` before it answers. */
  const workerThat = (work: string) =>
    new URL(
      `data:text/javascript,${encodeURIComponent(`
        import { parentPort } from 'node:worker_threads';
        parentPort.on('message', () => { ${work}; parentPort.postMessage({ kind: 'checked', faults: [] }); });
        parentPort.postMessage({ kind: 'ready' });`)}`,
    );
  const budget = { ...patient, workers: 1, timeoutMs: 50 };
  /** A worker that waits before it answers, without using the processor, as threads do on a busy machine. */
  const waits = (milliseconds: number) =>
    workerThat(`Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${milliseconds})`);

  it('counts only the processor time of a check, and not the time in which its thread waits', async () => {
    const starved = createSchemaValidator({ ...budget, workerUrl: waits(400) });
    await expect(starved.of('Core').validate('order', order, { id: 'abc' })).resolves.toEqual({ valid: true });
    await starved.close();
  });

  it('rejects with SchemaValidatorBusy when a check waits for too long', async () => {
    const starved = createSchemaValidator({ ...budget, patienceMs: 200, workerUrl: waits(60_000) });
    for (const check of [starved.of('Core').validate('order', order, {}), starved.of('Core').compile(order)])
      await expect(check).rejects.toThrow(SchemaValidatorBusy);
    await starved.close();
  });

  it('ends a check that uses up its processor time', async () => {
    const slow = createSchemaValidator({ ...budget, workerUrl: workerThat('for (;;);') });
    await expect(slow.of('Core').compile(order)).resolves.toEqual([{ path: '', reason: 'takes too long to check' }]);
    await slow.close();
  });
});

describe('compile', () => {
  it('accepts a usable schema', async () => {
    await expect(validator.of('Core').compile(order)).resolves.toEqual([]);
  });

  it('returns structural faults without a worker', async () => {
    await expect(validator.of('Core').compile({ $ref: 'https://example.com' })).resolves.toEqual([
      { path: '$ref', reason: 'must be local: "#" or "#/…"' },
    ]);
  });

  it('returns faults that only the compiler finds', async () => {
    await expect(validator.of('Core').compile({ nullable: true })).resolves.toEqual([
      { path: '', reason: 'the schema cannot be used: "nullable" cannot be used without "type"' },
    ]);
  });
});

describe('close', () => {
  it('rejects open and later requests', async () => {
    const one = createSchemaValidator({ ...patient, workerUrl, workers: 1, timeoutMs: 5000 });
    await one.of('Core').validate('order', order, {});
    const running = one.of('Core').validate('doubling', doubling, nestedList(40));
    const waiting = one.of('Core').validate('order', order, {});
    const outcomes = Promise.allSettled([running, waiting]);
    await one.close();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(one.of('Core').validate('order', order, {})).rejects.toThrow('closed');
  });

  it('resolves even when the worker could not be started; checks without a worker reject', async () => {
    const none = createSchemaValidator({ workerUrl: new URL('file:///nowhere/schema.worker.js'), workers: 1 });
    await expect(none.of('Core').validate('order', order, {})).rejects.toThrow();
    await none.close();
  });
});
