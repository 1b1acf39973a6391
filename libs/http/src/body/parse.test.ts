import { AppError } from '@millwright/errors';
import { z } from 'zod';
import { parsePart } from './parse.js';

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), image: z.object({ url: z.string(), detail: z.enum(['low', 'high']) }) }),
]);
const Content = z.union([z.string().max(10), z.array(Part)], 'must be text or a list of parts');
const Item = z.union(
  [
    z.object({ role: z.enum(['user', 'system']), content: Content }),
    z.object({ type: z.literal('call'), name: z.string().max(3) }),
    z.strictObject({ id: z.string() }),
  ],
  'must be a message, a call or an id',
);
const Body = z.strictObject({ content: Content.optional(), items: z.array(Item).optional() });

function faultsOf(body: object): string[] {
  try {
    parsePart(Body, body, 'body');
  } catch (error) {
    if (error instanceof AppError) return error.fields.map(({ field, reason }) => `${field}: ${reason}`);
    throw error;
  }
  return [];
}

const image = (detail: string) => ({ type: 'image', image: { url: 'data:', detail } });

describe('parsePart with a value that fits no form of a union', () => {
  it.each([
    [{ content: [{ type: 'text', text: 'a' }, image('original')] }, 'content.1.image.detail: must be one of low, high'],
    [{ content: [{ type: 'audio' }] }, 'content.0.type: must be one of text, image'],
    [{ content: [{ type: 'text' }] }, 'content.0.text: is required'],
    [
      { items: [{ role: 'user', content: [image('medium')] }] },
      'items.0.content.0.image.detail: must be one of low, high',
    ],
    [{ items: [{ role: 'user', content: 5 }] }, 'items.0.content: must be text or a list of parts'],
    [{ content: 'a long content' }, 'content: must be at most 10 characters'],
    [{ items: [{ id: 'a', colour: 'blue' }] }, 'items.0.colour: is an unknown field'],
    [{ items: [{ type: 'call', name: 'long' }] }, 'items.0.name: must be at most 3 characters'],
  ])('reports the fault within the only form that the value can have: %j', (body, fault) => {
    expect(faultsOf(body)).toEqual([fault]);
  });

  it.each([
    [{ content: 5 }, 'content: must be text or a list of parts'],
    [{ items: [{ type: 'computer_call' }] }, 'items.0: must be a message, a call or an id'],
    [{ items: [{ role: 'robot', content: '' }] }, 'items.0: must be a message, a call or an id'],
    [{ items: [{ role: 'user' }] }, 'items.0: must be a message, a call or an id'],
  ])('lists the possible forms when the value does not show which form is meant: %j', (body, fault) => {
    expect(faultsOf(body)).toEqual([fault]);
  });
});
