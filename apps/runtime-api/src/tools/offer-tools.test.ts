import { offerTools } from './offer-tools.js';
import type { AgentTool } from './tool.js';

const tool = (name: string): AgentTool => ({
  name,
  description: 'x'.repeat(2_000),
  parameters: { type: 'object' },
  owner: { name, id: name },
  recordsItself: false,
  check: () => Promise.resolve(undefined),
  call: () => Promise.resolve({ ok: true, content: name }),
});
const namesOf = (...names: string[]) => offerTools(names.map(tool)).definitions.map(({ name }) => name);

describe('the names that a model is offered', () => {
  it.each([
    ['Weather', 'Weather'],
    ['Look up: prices & rates', 'Look_up_prices_rates'],
    ['Café crème', 'Cafe_creme'],
    ['天気', 'tool'],
    ['  ', 'tool'],
    ['a'.repeat(100), 'a'.repeat(64)],
    ['server__tool-name', 'server__tool-name'],
  ])('%s is %s', (name, expected) => {
    const [offered = ''] = namesOf(name);
    expect(offered).toBe(expected);
    expect(offered).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it('are each tool’s own, and lead back to it', async () => {
    const names = ['search', 'search', 'search!', 'a'.repeat(64), 'a'.repeat(65)];
    const offered = offerTools(names.map(tool));
    const given = offered.definitions.map(({ name }) => name);
    expect(given).toEqual(['search', 'search_2', 'search_3', 'a'.repeat(64), `${'a'.repeat(62)}_2`]);
    for (const [index, name] of given.entries()) {
      expect(await offered.find(name)?.call({})).toEqual({ ok: true, content: names[index] });
    }
    expect(offered.find('other')).toBeUndefined();
  });

  it('are at most 128, with descriptions of at most 1,024 characters', () => {
    const { definitions } = offerTools(Array.from({ length: 200 }, (_, n) => tool(`t${n}`)));
    expect(definitions).toHaveLength(128);
    expect(definitions[0]?.description).toHaveLength(1_024);
  });
});
