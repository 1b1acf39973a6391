/** Returns the body of a request that creates a prompt with an input. The prompt has a schema, by which its answers are checked. */
export const ratingPrompt = (tag: string) => ({
  instruction: { static: 'You rate {{thing}}.', state: '', dynamic: '{{message}}' },
  input: {
    name: 'thing',
    description: '',
    type: 'structured_data',
    schema: { type: 'object', properties: { thing: { type: 'string' } }, required: ['thing'] },
  },
  output: {
    name: 'rating',
    description: '',
    type: 'structured_data',
    schema: { type: 'object', properties: { stars: { type: 'integer' } }, required: ['stars'] },
  },
  metadata: { title: 'Rate', description: 'Rates things', tag: [tag], log_message: 'first' },
});
