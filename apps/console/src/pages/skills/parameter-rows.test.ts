import type { SkillParameter } from '../../api/platform-records.js';
import { faultOf, newRow, parametersOf, rowsOf } from './parameter-rows.js';

const row = (fields: Partial<ReturnType<typeof newRow>>) => ({ ...newRow(), name: 'a', ...fields });

describe('parameter rows', () => {
  it('convert to parameters without loss', () => {
    const parameters: Record<string, SkillParameter> = {
      tone: { type: 'string', enum: ['warm', 'cool'], default: 'warm' },
      words: { type: 'integer', default: 200 },
      ratio: { type: 'number', enum: [0.5, 1] },
      shout: { type: 'boolean', default: false },
      free: { type: 'string' },
    };
    expect(parametersOf(rowsOf(parameters))).toEqual(parameters);
    expect(Object.keys(parametersOf(rowsOf(parameters)))).toEqual(Object.keys(parameters));
  });

  it.each([
    [{ name: '' }, /starts with a letter/],
    [{ name: '1a' }, /starts with a letter/],
    [{ type: 'integer', preset: '1.5' }, /is not an integer/],
    [{ type: 'integer', preset: ' ' }, /is not an integer/],
    [{ type: 'number', choices: ['1', 'two'] }, /“two” is not a number/],
    [{ type: 'boolean', preset: 'yes' }, /is not true or false/],
    [{ choices: ['x'], preset: 'y' }, /not one of the allowed/],
  ] as const)('report a fault for the row %j', (fields, fault) => {
    const wrong = row({ ...fields, choices: [...('choices' in fields ? fields.choices : [])] });
    expect(faultOf(wrong, [wrong])).toMatch(fault);
  });

  it('report a duplicate name', () => {
    const [first, second] = [row({}), row({})];
    expect(faultOf(second, [first, second])).toMatch(/Another parameter/);
    expect(faultOf(first, [first])).toBeNull();
  });
});
