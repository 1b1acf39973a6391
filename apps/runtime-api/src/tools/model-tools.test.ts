import { ALLOWED } from './rule-of.js';
import { toModelTools } from './model-tools.js';
import { answered, type AgentTool } from './tool.js';

const tool = (name: string): AgentTool => ({
  name,
  description: 'x'.repeat(2_000),
  parameters: { type: 'object' },
  owner: { name, id: name },
  recordsItself: false,
  rule: ALLOWED,
  isRepeatable: false,
  check: () => Promise.resolve(undefined),
  call: () => Promise.resolve(answered(true, name)),
});
const SENT = {
  runId: 'run_1',
  idempotencyKey: 'k',
  signal: undefined,
  requireLease: () => undefined,
  keep: () => Promise.resolve(1),
};
const namesOf = (...names: string[]) => toModelTools(names.map(tool)).definitions.map(({ name }) => name);

describe('toModelTools', () => {
  it.each([
    ['Weather', 'Weather'],
    ['Look up: prices & rates', 'Look_up_prices_rates'],
    ['Café crème', 'Cafe_creme'],
    ['天気', 'tool'],
    ['  ', 'tool'],
    ['a'.repeat(100), 'a'.repeat(64)],
    ['server__tool-name', 'server__tool-name'],
  ])('converts the tool name %s to %s', (name, expected) => {
    const [modelName = ''] = namesOf(name);
    expect(modelName).toBe(expected);
    expect(modelName).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('makes the name of each tool unique, and finds each tool by that name', async () => {
    const names = ['search', 'search', 'search!', 'a'.repeat(64), 'a'.repeat(65)];
    const modelTools = toModelTools(names.map(tool));
    const given = modelTools.definitions.map(({ name }) => name);
    expect(given).toEqual(['search', 'search_2', 'search_3', 'a'.repeat(64), `${'a'.repeat(62)}_2`]);
    for (const [index, name] of given.entries()) {
      expect(await modelTools.find(name)?.call({}, { taintedBy: [] }, SENT)).toMatchObject({
        ok: true,
        content: names[index],
      });
    }
    expect(modelTools.find('other')).toBeUndefined();
  });

  it('returns at most 128 tools, with descriptions of at most 1,024 characters', () => {
    const { definitions } = toModelTools(Array.from({ length: 200 }, (_, n) => tool(`t${n}`)));
    expect(definitions).toHaveLength(128);
    expect(definitions[0]?.description).toHaveLength(1_024);
  });
});
