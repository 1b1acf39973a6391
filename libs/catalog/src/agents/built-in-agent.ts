/**
 * The built-in agent, which no table holds. Usage events have its id as their subject; generated UUIDs begin with a time and
 * never equal it. Its slug is reserved.
 */
export const BUILT_IN_AGENT = { id: '00000000-0000-7000-8000-000000000001', slug: 'concierge' } as const;
