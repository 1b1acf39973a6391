import { fieldLabel } from './field-label.js';

it.each([
  ['instructions', 'Instructions'],
  ['content_tags', 'Content tags'],
  ['mcp_tools', 'Allowed tools'],
  ['instruction.dynamic', 'User message'],
  ['metadata.tag', 'Tag'],
  ['input.schema', 'Input schema'],
])('the field %s has the label %s', (field, label) => expect(fieldLabel(field)).toBe(label));
