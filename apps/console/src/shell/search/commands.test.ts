import { actionsLike, recordsWithId, settingsLike } from './commands.js';

const ADMIN = ['user', 'admin'];
const labels = (found: readonly { label: string }[]) => found.map(({ label }) => label);

describe('actionsLike', () => {
  it.each([
    ['new agent', 'New agent'],
    ['agent new', 'New agent'],
    ['create prompt', 'New prompt'],
    ['api key', 'Create API key'],
    ['dark', 'Theme: Dark'],
    ['cron', 'New trigger'],
  ])('finds for the text "%s" the action "%s"', (text, label) =>
    expect(labels(actionsLike(text, ADMIN))).toContain(label),
  );

  it('finds nothing while the search field is empty', () => expect(actionsLike('', ADMIN)).toEqual([]));

  it('omits actions that a role may not perform', () => {
    expect(labels(actionsLike('new', ['user']))).toEqual(['Create API key']);
  });
});

describe('settingsLike', () => {
  it('finds a tab of the settings', () => expect(labels(settingsLike('api key', ['user']))).toEqual(['API keys']));

  it('finds the signing keys for administrators only', () => {
    expect(labels(settingsLike('signing', ADMIN))).toEqual(['Signing keys']);
    expect(settingsLike('signing', ['user'])).toEqual([]);
  });
});

describe('recordsWithId', () => {
  const AGENT = 'ag_0351b6psGLpeTxVJBdahTH';

  it('returns the page of the record with the typed id', () => {
    expect(recordsWithId(AGENT, ADMIN)).toEqual([
      { key: `id /build/agents/${AGENT}`, label: `Agent ${AGENT}`, to: `/build/agents/${AGENT}` },
    ]);
  });

  it('returns the page of a run to every user, and the page of another record only to administrators', () => {
    const run = 'run_0351b6psGLpeTxVJBdahTH';
    expect(recordsWithId(run, ['user']).map(({ to }) => to)).toEqual([`/runs/${run}`]);
    expect(recordsWithId(AGENT, ['user'])).toEqual([]);
  });

  it('returns for a UUID one page for each kind of record that has UUIDs, and the audit log of the request with that UUID', () => {
    const id = '01a2089d-2602-709d-9987-6c255e82d0bf';
    expect(recordsWithId(id, ADMIN).map(({ to }) => to)).toEqual([
      `/prompts/${id}`,
      `/blocks/${id}`,
      `/conversations/${id}`,
      `/audit?request_id=${id}`,
    ]);
  });

  it('finds nothing for a text that is not an ID', () => expect(recordsWithId('order desk', ADMIN)).toEqual([]));
});
