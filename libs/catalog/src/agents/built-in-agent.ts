/**
 * The built-in agent, which is in no table. Usage events have its id as their subject; generated UUIDs begin with a time and never equal
 * the id. The slug is reserved.
 */
export const BUILT_IN_AGENT = { id: '00000000-0000-7000-8000-000000000001', slug: 'concierge' } as const;
