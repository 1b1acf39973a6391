import { SkillParameters } from './skill-parameters.schema.js';

const faultsOf = (parameters: unknown) =>
  SkillParameters.safeParse(parameters).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

describe('SkillParameters', () => {
  it.each([
    {},
    { tone: { type: 'string', enum: ['formal', 'warm'], default: 'warm' } },
    { words: { type: 'integer', default: 200 } },
    { ratio: { type: 'number', enum: [0.5, 1], default: 0.5 }, shout: { type: 'boolean', default: false } },
    { _a: { type: 'string', default: '' }, 'b.c-d': { type: 'string' } },
  ])('accept %j unchanged', (parameters) => {
    expect(SkillParameters.parse(parameters)).toEqual(parameters);
  });

  it('keep the order of the parameters', () => {
    const parameters = { z: { type: 'string' }, a: { type: 'string' } };
    expect(Object.keys(SkillParameters.parse(parameters))).toEqual(['z', 'a']);
  });

  it.each([
    [{ a: { type: 'integer', default: 1.5 } }, 'a.default does not fit type integer'],
    [{ a: { type: 'integer', default: 2 ** 53 } }, 'a.default does not fit type integer'],
    [{ a: { type: 'string', default: 1 } }, 'a.default does not fit type string'],
    [{ a: { type: 'boolean', default: 'true' } }, 'a.default does not fit type boolean'],
    [{ a: { type: 'number', enum: [1, '2'] } }, 'a.enum.1 does not fit type number'],
    [{ a: { type: 'string', enum: ['x'], default: 'y' } }, 'a.default is not one of enum'],
  ])('refuse %j with "%s"', (parameters, fault) => {
    expect(faultsOf(parameters)).toContain(fault);
  });

  it.each([
    [{ a: { type: 'date' } }, 'a.type'],
    [{ a: { type: 'string', enum: [] } }, 'a.enum'],
    [{ a: { type: 'string', enum: [null] } }, 'a.enum.0'],
    [{ a: { type: 'string', label: 'A' } }, 'a'],
    [{ a: 'string' }, 'a'],
    [{ '1a': { type: 'string' } }, '1a'],
    [{ ['x'.repeat(65)]: { type: 'string' } }, 'x'.repeat(65)],
  ])('refuse %j with a fault at %s', (parameters, path) => {
    expect(faultsOf(parameters).some((fault) => fault.startsWith(`${path} `))).toBe(true);
  });

  it('refuse more than 50 parameters', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`p${n}`, { type: 'string' }]));
    expect(faultsOf(many)).toEqual([' must have at most 50 parameters']);
  });
});
