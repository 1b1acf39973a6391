import { definitionOf, hashTool } from './tool-list.js';

const listed = { name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { b: {}, a: {} } } };
const hash = (tool: object) => hashTool(definitionOf(tool)).toString('hex');

describe('the hash of a tool', () => {
  it('is equal for an absent and an undefined member, and for any order of keys', () => {
    const { name, description, input_schema } = definitionOf(listed);
    const checked = { name: String(name), description: String(description), input_schema: input_schema as object };
    expect(hashTool(checked as Parameters<typeof hashTool>[0]).toString('hex')).toBe(hash(listed));
    const turned = { inputSchema: { properties: { a: {}, b: {} }, type: 'object' }, description: 'Adds.', name: 'add' };
    expect(hash(turned)).toBe(hash(listed));
  });

  it.each([
    { title: 'Add' },
    { title: '' },
    { description: 'adds.' },
    { annotations: { readOnlyHint: true } },
    { outputSchema: {} },
    { icons: [] },
    { _meta: { a: 1 } },
    { inputSchema: { type: 'object', properties: { b: {}, a: {}, c: {} } } },
  ])('differs when the tool has %j', (change) => {
    expect(hash({ ...listed, ...change })).not.toBe(hash(listed));
  });
});
