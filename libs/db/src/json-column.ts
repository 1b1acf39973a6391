import type { Prisma } from './generated/client.js';

/** Returns an object for a JSON column. Prisma's type requires an index signature, which interfaces do not have. */
export const jsonColumn = (value: object) => value as Prisma.InputJsonObject;
