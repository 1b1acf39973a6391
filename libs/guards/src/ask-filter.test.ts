import type { IncomingMessage, ServerResponse } from 'node:http';
import { createEgress, type Egress } from '@millwright/egress';
import { newWebhookSecret } from '@millwright/events/signatures';
import type { ModelMessage } from '@millwright/models';
import { createRateLimiter, type RateLimiter } from '@millwright/rate-limit';
import { SecretUnreadable } from '@millwright/secrets';
import { freePort, listen, type ListeningApp } from '@millwright/testing';
import { Webhook } from 'standardwebhooks';
import { createAskFilter } from './ask-filter.js';
import type { Filter } from './filter.js';
import { createGuards } from './guards.js';
import type { Finding } from './redactor.js';

interface Check {
  data: { guard: string; point: string; hash: string; texts: string[] };
}
type Answer = (check: Check, response: ServerResponse) => void;

let guard: ListeningApp;
let egress: Egress;
let limiter: RateLimiter;
let answer: Answer;
const seen: { headers: IncomingMessage['headers']; body: string; check: Check }[] = [];
const secret = newWebhookSecret();

beforeAll(async () => {
  guard = await listen((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      const check = JSON.parse(body) as Check;
      seen.push({ headers: request.headers, body, check });
      answer(check, response);
    });
  });
  egress = createEgress({ allowLoopback: true, allowHttp: true, allow: [] });
  limiter = createRateLimiter();
});
afterAll(async () => {
  await Promise.all([egress.close(), limiter.close(), guard.close()]);
});
beforeEach(() => {
  seen.splice(0);
});

let count = 0;
const filterWith = (config: object = {}, changes: Partial<Filter> = {}): Filter => ({
  id: `filter ${(count += 1)}`,
  name: 'tone',
  version: 1,
  config: { url: guard.url, secret, timeout_ms: 5_000, calls_per_minute: 1_000, ...config },
  secrets: null,
  is_approved: true,
  points: ['input', 'output', 'tools'],
  on_failure: 'block',
  ...changes,
});
const createAsk = () => createAskFilter({ fetch: egress.fetch, limiter, openConfig: ({ config }) => config });
const guardsOf = (filter: Filter, findings: Finding[] = [], ask = createAsk()) =>
  createGuards(
    [{ rules: {}, phone_countries: [], filters: [filter] }],
    (_point, found) => void findings.push(...found),
    ask,
  );
const says =
  (fields: object): Answer =>
  ({ data: { hash } }, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ hash, ...fields }));

/** Guards a text with an external guard that gives this answer. */
async function guarded(text: string, given: Answer, filter = filterWith()) {
  answer = given;
  const findings: Finding[] = [];
  return { ...(await guardsOf(filter, findings).text('input', text)), findings };
}

describe('a call of an external guard', () => {
  it('is signed as Standard Webhooks describes, and contains the checked texts and the configured headers of the plugin', async () => {
    const filter = filterWith({ headers: { 'X-Team': 'red', 'Webhook-Id': 'forged' } });
    expect(await guarded('Hello', says({ decision: 'allow' }), filter)).toMatchObject({
      value: 'Hello',
      blocked: undefined,
      findings: [{ guard: 'tone', action: 'allow', count: 1 }],
    });
    const [call] = seen;
    const headers = call?.headers as Record<string, string>;
    expect(new Webhook(secret).verify(call?.body ?? '', headers)).toMatchObject({
      type: 'guard.check',
      data: { guard: 'tone', point: 'input', texts: ['Hello'] },
    });
    expect([headers['x-team'], headers['webhook-id']?.startsWith('msg_')]).toEqual(['red', true]);
    expect(() => new Webhook(newWebhookSecret()).verify(call?.body ?? '', headers)).toThrow();
  });

  it('is not repeated for a text that the guard has already allowed at the same guard point', async () => {
    const [ask, filter] = [createAsk(), filterWith()];
    answer = says({ decision: 'allow' });
    for (const text of ['Hello', 'Hello', 'And more']) await guardsOf(filter, [], ask).text('input', text);
    await guardsOf(filter, [], ask).text('output', 'Hello');
    await guardsOf({ ...filter, version: 2 }, [], ask).text('input', 'Hello');
    expect(seen.map(({ check }) => check.data.texts)).toEqual([['Hello'], ['And more'], ['Hello'], ['Hello']]);
  });

  it('contains the texts as the built-in guards redacted them, without keywords of message formats and of JSON Schema', async () => {
    answer = says({ decision: 'allow' });
    const policy = { rules: { email: { input: 'redact' } }, phone_countries: [], filters: [filterWith()] } as const;
    const value = { name: 'Ann', note: 'a@example.com', 'a b': '{"type":"string","text":"inner"}' };
    await createGuards([policy], undefined, createAsk()).value('input', value);
    expect(seen[0]?.check.data.texts).toEqual(['Ann', '[removed: email]', 'a b', 'inner']);
  });

  it('is not made when a built-in guard blocks the text', async () => {
    const policy = { rules: { email: { input: 'block' } }, phone_countries: [], filters: [filterWith()] } as const;
    const { blocked } = await createGuards([policy], undefined, createAsk()).text('input', 'a@example.com');
    expect([blocked?.guard, seen]).toEqual(['email', []]);
  });
});

describe('the decision of an external guard', () => {
  it('`redact` removes the spans and parts that the guard names; redacted JSON is still valid', async () => {
    const text = JSON.stringify({ a: 'Ann Lee is 40', b: ['Lee', 'a "Lee"\n'] });
    answer = says({ decision: 'redact', spans: [{ text: 0, start: 11, end: 13 }], parts: ['Lee'] });
    const { value, blocked } = await guardsOf(filterWith()).json('tools', text);
    expect(blocked).toBeUndefined();
    expect(JSON.parse(value)).toEqual({
      a: 'Ann [removed: tone] is [removed: tone]',
      b: ['[removed: tone]', 'a "[removed: tone]"\n'],
    });
  });

  it('`redact` removes a whole character when a span covers only a half of it', async () => {
    const { value } = await guarded('a😀b', says({ decision: 'redact', spans: [{ text: 0, start: 2, end: 3 }] }));
    expect(value).toBe('a[removed: tone]b');
  });

  it('`redact` also applies to other data that contain the same texts, without a second call of the guard', async () => {
    answer = says({ decision: 'redact', parts: ['Lee'] });
    const guards = guardsOf(filterWith());
    await guards.text('input', 'Ann Lee');
    expect(await guards.again('input', { parts: [{ text: 'Ann Lee' }, 'other'] })).toEqual({
      parts: [{ text: 'Ann [removed: tone]' }, 'other'],
    });
    expect(seen).toHaveLength(1);
  });

  it('`flag` lets the text pass and is reported with its reason', async () => {
    const { value, findings } = await guarded('Hello', says({ decision: 'flag', reason: 'off_topic' }));
    expect([value, findings]).toEqual(['Hello', [{ guard: 'tone', action: 'flag', count: 1, reason: 'off_topic' }]]);
  });

  it('`block` is reported with its reason, and leaves nothing of the text', async () => {
    const { value, blocked } = await guarded('{"a":"secret plan"}', says({ decision: 'block', reason: 'politics' }));
    expect([value, blocked?.fields]).toEqual([
      '{"a":"[removed: tone]"}',
      [{ field: 'content', reason: 'was blocked by the guard "tone" (politics)' }],
    ]);
  });

  it('is applied to an answer of the model once the answer is complete; until then the client receives no text', async () => {
    answer = says({ decision: 'redact', parts: ['Lee'] });
    const guards = guardsOf(filterWith());
    const shown: string[] = [];
    const stream = guards.stream((delta) => shown.push(delta));
    for (const delta of ['Ann ', 'Lee ', 'left.']) stream.push(delta);
    expect(shown).toEqual([]);
    const { value } = await guards.text('output', 'Ann Lee left.');
    stream.end(value);
    expect(shown).toEqual(['Ann [removed: tone] left.']);
  });
});

describe('the check of earlier messages by an external guard', () => {
  const OLD = [
    { role: 'system', content: 'Be kind.' },
    { role: 'user', content: 'A plan' },
    { role: 'assistant', content: '', tool_calls: [{ id: 'call_1', name: 'look', arguments: '{"for":"a plan"}' }] },
    { role: 'tool', content: 'Tuesday', tool_call_id: 'call_1' },
    ...['And?', 'Really?', 'Hm'].map((content) => ({ role: 'user', content }) as const),
  ] satisfies ModelMessage[];
  const blocks =
    (isBlocked: (text: string) => boolean): Answer =>
    (check, response) => {
      const decision = check.data.texts.some(isBlocked) ? 'block' : 'allow';
      response.end(
        JSON.stringify({ hash: check.data.hash, decision, ...(decision === 'block' && { reason: 'plans' }) }),
      );
    };

  it('replaces blocked messages by a note with the name of the guard, keeps answered tool calls, and does not end the run', async () => {
    answer = blocks((text) => /plan/i.test(text));
    const findings: Finding[] = [];
    const left = await guardsOf(filterWith(), findings).messages(OLD);
    expect(left).toEqual([
      OLD[0],
      { role: 'user', content: '[removed: tone]' },
      {
        ...{ role: 'assistant', content: '[removed: tone]' },
        tool_calls: [{ id: 'call_1', name: 'look', arguments: '{}' }],
      },
      ...OLD.slice(3),
    ]);
    const leftOut = { guard: 'tone', action: 'redact', count: 1, messages_left_out: 1, reason: 'plans' };
    expect(findings.filter(({ action }) => action !== 'allow')).toEqual([leftOut, leftOut]);
  });

  it('replaces all messages when the guard blocks them together but none of them alone', async () => {
    answer = (check, response) => {
      const { hash, texts } = check.data;
      response.end(JSON.stringify({ hash, decision: texts.length > 2 ? 'block' : 'allow' }));
    };
    const left = await guardsOf(filterWith()).messages(OLD.filter(({ role }) => role === 'user'));
    expect(left.map(({ content }) => content)).toEqual(Array(4).fill('[removed: tone]'));
  });

  it('replaces a blocked message, and still redacts the remaining messages', async () => {
    answer = (check, response) => {
      const { hash, texts } = check.data;
      const parts = texts.filter((text) => text === 'Hm');
      const decision = texts.includes('A plan') ? 'block' : parts.length > 0 ? 'redact' : 'allow';
      response.end(JSON.stringify({ hash, decision, ...(decision === 'redact' && { parts }) }));
    };
    const left = await guardsOf(filterWith()).messages(OLD.filter(({ role }) => role === 'user'));
    expect(left.map(({ content }) => content)).toEqual(['[removed: tone]', 'And?', 'Really?', '[removed: tone]']);
  });

  it('ends the run when the newest message is blocked', async () => {
    answer = blocks((text) => text === 'Hm');
    await expect(guardsOf(filterWith()).messages(OLD, OLD.slice(-1))).rejects.toMatchObject({ code: 'guard_blocked' });
  });

  it.each([
    ['in its first call', 0],
    ['in a later call about a part of the messages', 1],
  ])('ends the run when the guard fails %s', async (_when, answers) => {
    answer = (check, response) => {
      if (seen.length > answers) response.writeHead(500).end();
      else response.end(JSON.stringify({ hash: check.data.hash, decision: 'block' }));
    };
    await expect(guardsOf(filterWith()).messages(OLD)).rejects.toMatchObject({
      code: 'guard_blocked',
      fields: [{ reason: 'could not be checked by the guard "tone": it cannot be reached' }],
    });
  });

  it('replaces a message that is too long to be checked', async () => {
    answer = blocks(() => false);
    const long = { role: 'user', content: 'long '.repeat(450_000) } as const;
    const left = await guardsOf(filterWith()).messages([...OLD, long]);
    expect(left.map(({ content }) => content)).toEqual([...OLD.map(({ content }) => content), '[removed: tone]']);
  });

  it('calls the guard at most 33 times for 300 messages', async () => {
    answer = blocks(() => true);
    const many = Array.from({ length: 300 }, (_, n) => ({ role: 'user', content: `Plan ${n}` }) as const);
    const left = await guardsOf(filterWith()).messages(many);
    expect(new Set(left.map(({ content }) => content))).toEqual(new Set(['[removed: tone]']));
    expect(seen).toHaveLength(33);
  });
});

const lies: [what: string, answer: Answer, failure: string][] = [
  ['a wrong hash', (_check, response) => response.end('{"hash":"0","decision":"allow"}'), 'invalid'],
  ['no hash', (_check, response) => response.end('{"decision":"allow"}'), 'invalid'],
  ['a text that is not JSON', (_check, response) => response.end('allow'), 'invalid'],
  ['an unknown decision', says({ decision: 'maybe' }), 'invalid'],
  ['a redaction of nothing', says({ decision: 'redact' }), 'invalid'],
  ['a redaction of words that the text does not have', says({ decision: 'redact', parts: ['Bob'] }), 'invalid'],
  ['a span outside of the text', says({ decision: 'redact', spans: [{ text: 0, start: 2, end: 99 }] }), 'invalid'],
  ['a span of an unsent text', says({ decision: 'redact', spans: [{ text: 1, start: 0, end: 1 }] }), 'invalid'],
  ['a reason that could quote the text', says({ decision: 'flag', reason: 'it says 4111 1111' }), 'invalid'],
  ['status 500', (_check, response) => response.writeHead(500).end('{}'), 'unavailable'],
  ['a redirect', (_check, response) => response.writeHead(302, { location: '/' }).end(), 'unavailable'],
  ['a closed connection', (_check, response) => response.destroy(), 'unavailable'],
];

/** Writes up to 1 GB, as fast as the client reads. */
const flood: Answer = (_check, response) => {
  const block = Buffer.alloc(1024 * 1024, ' ');
  let left = 1_024;
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(block)) {
        response.once('drain', write);
        return;
      }
    }
    response.end();
  };
  write();
};

describe('a failing external guard', () => {
  it.each(lies)('blocks the text when it responds with %s', async (_what, given, failure) => {
    const { value, blocked, findings } = await guarded('Hello', given);
    expect([value, findings]).toEqual(['[removed: tone]', [{ guard: 'tone', action: 'block', count: 1, failure }]]);
    expect(blocked?.fields[0]?.reason).toContain('could not be checked by the guard "tone": ');
  });

  it.each(lies)('with on_failure `allow` lets the text pass: response with %s', async (_what, given, failure) => {
    const { value, blocked, findings } = await guarded('Hello', given, filterWith({}, { on_failure: 'allow' }));
    expect([value, blocked, findings]).toEqual([
      'Hello',
      undefined,
      [{ guard: 'tone', action: 'allow', count: 1, failure }],
    ]);
  });

  it('is disconnected at its time limit when it never answers, and the text is blocked', async () => {
    const { findings } = await guarded('Hello', () => undefined, filterWith({ timeout_ms: 100 }));
    expect(findings).toMatchObject([{ action: 'block', failure: 'timeout' }]);
  });

  it('is disconnected at the size limit when it sends an answer of 1 GB, and the text is blocked', async () => {
    let ended: ServerResponse | undefined;
    const { findings } = await guarded('Hello', (check, response) => {
      ended = response;
      flood(check, response);
    });
    expect(findings).toMatchObject([{ action: 'block', failure: 'too_large' }]);
    expect(ended?.writableFinished).toBe(false);
  });

  it('blocks the text when it refuses connections', async () => {
    const filter = filterWith({ url: `http://127.0.0.1:${await freePort()}` });
    expect((await guarded('Hello', says({}), filter)).findings).toMatchObject([{ failure: 'unavailable' }]);
  });

  it('is not called for a while after five consecutive failures; texts are blocked meanwhile', async () => {
    const [ask, filter, findings] = [createAsk(), filterWith(), [] as Finding[]];
    answer = (_check, response) => response.writeHead(500).end();
    for (let call = 0; call < 8; call += 1) await guardsOf(filter, findings, ask).text('input', 'Hello');
    expect([seen.length, findings.length]).toEqual([5, 8]);
    expect(findings.every(({ action, failure }) => action === 'block' && failure === 'unavailable')).toBe(true);
  });

  it('is not called for a text that is too long', async () => {
    const { findings } = await guarded('x'.repeat(2 * 1024 * 1024), says({ decision: 'allow' }));
    expect([findings[0]?.failure, seen]).toEqual(['too_large', []]);
  });
});

describe('an external guard that is not called', () => {
  it('blocks the text, even with on_failure `allow`, when no admin has approved its version', async () => {
    const filter = filterWith({}, { is_approved: false, on_failure: 'allow' });
    const { blocked } = await guarded('Hello', says({ decision: 'allow' }), filter);
    expect(blocked?.fields[0]?.reason).toContain('an admin has to approve it');
    expect(seen).toEqual([]);
  });

  it('counts as failing when its calls of this minute are used up', async () => {
    const [ask, filter, findings] = [createAsk(), filterWith({ calls_per_minute: 2 }), [] as Finding[]];
    answer = says({ decision: 'allow' });
    // Twice as many calls as two calendar minutes allow, so that the budget is used up even when a new minute begins during the calls.
    for (const text of ['1', '2', '3', '4', '5', '6', '7', '8'])
      await guardsOf(filter, findings, ask).text('input', text);
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(findings.at(-1)).toEqual({ guard: 'tone', action: 'block', count: 1, failure: 'budget' });
  });

  it('counts as failing when its secret cannot be decrypted', async () => {
    const ask = createAskFilter({
      ...{ fetch: egress.fetch, limiter },
      openConfig: () => {
        throw new SecretUnreadable('its key is gone');
      },
    });
    const findings: Finding[] = [];
    await guardsOf(filterWith(), findings, ask).text('input', 'Hello');
    expect(findings).toMatchObject([{ action: 'block', failure: 'unavailable' }]);
  });
});

describe('several policies', () => {
  it('apply their common external guard at the points of each policy; its failure blocks texts when one policy requires this', async () => {
    const filter = filterWith();
    const policy = (changes: Partial<Filter>) => ({
      rules: {},
      phone_countries: [],
      filters: [{ ...filter, ...changes }],
    });
    answer = (_check, response) => response.writeHead(500).end();
    const guards = createGuards(
      [policy({ points: ['input'], on_failure: 'block' }), policy({ points: ['tools'], on_failure: 'allow' })],
      undefined,
      createAsk(),
    );
    const blockedAt = async (point: 'input' | 'tools' | 'output') =>
      (await guards.text(point, 'Hello')).blocked !== undefined;
    expect([await blockedAt('input'), await blockedAt('tools'), await blockedAt('output')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(seen.map(({ check }) => check.data.point)).toEqual(['input', 'tools']);
  });
});
