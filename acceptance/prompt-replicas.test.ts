import { setTimeout as delay } from 'node:timers/promises';
import { startPromptReplicas, type PromptReplicas } from './harness/prompt-replicas.js';
import type { Service } from './harness/service.js';

let replicas: PromptReplicas;
let one: Service;
let two: Service;
let three: Service;
beforeAll(async () => {
  replicas = await startPromptReplicas(3, {});
  [one, two, three] = replicas.services as [Service, Service, Service];
});
afterAll(() => replicas.stop());

interface Rendered {
  data: { static: string };
}
/** Repeats a request after the time in Retry-After, because a busy machine may answer 503. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller names the body, as in `send`
async function served<Body>(service: Service, path: string, options: { method?: string; body: unknown }) {
  for (;;) {
    const began = performance.now();
    const { status, headers, text, body } = await replicas.call<Body>(service, path, options);
    if (status !== 503) return { status, text, body, began, ended: performance.now() };
    await delay(1_000 * Number(headers.get('retry-after')));
  }
}
const newPrompt = async (body: object) => (await served<{ id: string }>(one, '/prompt', { body })).body.id;

/** Makes a generator of pseudorandom numbers (linear congruential). Equal seeds give equal numbers, so that a failure can be reproduced. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

const PIECES =
  '{{message}}|{{ name }}|{{list}}|{{deep}}|{{deep.b}}|{{conversation.history}}|{{nobody}}|\\{{|{{|}}|{{{name}}}|text |ünï\n|😀|$&|{{list.0}}|{{number}}'.split(
    '|',
  );
const TEXTS = ['', 'plain', '{{name}}', '\\{{name}}', '$1 $& $`', '{{', '😀 ü', '"quoted"\n'];
const NAMES = ['name', 'list', 'deep', 'number'];
const RENDERS = 1_000;
const AT_ONCE = 8;

describe(`${RENDERS} generated templates and inputs`, () => {
  it('are rendered to the same bytes by two processes', async () => {
    const pick = numbers(20260714);
    const text = () => TEXTS[pick(TEXTS.length)] ?? '';
    const template = () => Array.from({ length: pick(8) }, () => PIECES[pick(PIECES.length)]).join('');
    const value = () => [text(), pick(1_000) / 7, null, [text()], { z: text(), b: pick(9) }][pick(5)];
    const properties = Object.fromEntries(NAMES.map((name) => [name, {}]));
    const cases = Array.from({ length: RENDERS }, () => ({
      prompt: {
        instruction: { static: template(), state: template(), dynamic: template() },
        input: { schema: { type: 'object', properties } },
        output: {},
        metadata: {},
      },
      input: {
        message: text(),
        structured_data: Object.fromEntries(NAMES.filter(() => pick(3) > 0).map((name) => [name, value()])),
      },
    }));
    let different = 0;
    const worker = async () => {
      for (let next = cases.pop(); next; next = cases.pop()) {
        const path = `/prompt/${await newPrompt(next.prompt)}`;
        const options = { body: next.input };
        const [here, there] = await Promise.all([served(one, path, options), served(two, path, options)]);
        expect([here.status, there.status]).toEqual([200, 200]);
        if (here.text !== there.text) different += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    process.stdout.write(`${RENDERS} renders on two processes: ${different} different\n`);
    expect(different).toBe(0);
  });
});

describe('a label that is moved under load', () => {
  it('applies on three processes to every request that begins after the move', async () => {
    const id = await newPrompt({ instruction: { static: 'version 1' }, input: {}, output: {}, metadata: {} });
    await served(one, `/prompt/${id}`, { method: 'PUT', body: { instruction: { static: 'version 2' } } });
    const move = (version: number) =>
      served(one, `/prompt/${id}/label/staging`, { method: 'PUT', body: { version, reason: 'load' } });
    await move(1);

    let running = true;
    const seen: { began: number; ended: number; text: string }[] = [];
    const reader = async (service: Service) => {
      while (running) {
        const { status, body, began, ended } = await served<Rendered>(service, `/prompt/${id}`, {
          body: { label: 'staging' },
        });
        expect(status).toBe(200);
        seen.push({ began, ended, text: body.data.static });
      }
    };
    const readers = [one, two, three].map(reader);
    const moves: { to: number; began: number; ended: number }[] = [];
    for (let n = 0; n < 40; n += 1) {
      const version = (n % 2) + 1;
      const { status, began, ended } = await move(version);
      expect(status).toBe(200);
      moves.push({ to: version, began, ended });
      const before = seen.length;
      while (seen.length < before + 12) await delay(5);
    }
    running = false;
    await Promise.all(readers);

    // Correct versions: the target of the last move before the request, and the targets of moves during the request.
    const settled = seen.filter(({ began }) => moves.some(({ ended }) => ended < began));
    const stale = settled.filter(({ began, ended, text }) => {
      const last = moves.findLast((move) => move.ended < began);
      const during = moves.filter((move) => move.began <= ended && move.ended >= began);
      return ![last, ...during].some((move) => text === `version ${move?.to}`);
    });
    process.stdout.write(`${moves.length} moves, ${settled.length} reads after one: ${stale.length} stale\n`);
    expect(settled.length).toBeGreaterThan(300);
    expect(stale).toEqual([]);
  });
});
