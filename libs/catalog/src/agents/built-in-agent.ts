/**
 * The built-in agent, which is in no table. Usage events name its id as their subject. Generated UUIDs begin with a
 * time and are never equal to this id. The slug is reserved.
 */
export const BUILT_IN_AGENT = { id: '00000000-0000-7000-8000-000000000001', slug: 'concierge' } as const;
