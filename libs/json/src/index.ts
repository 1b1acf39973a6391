/** An object of a JSON value whose shape is unknown. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects, which neither `null` nor an array is. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export { hasRespelt } from './respelt.js';
export { jsonShapeOf, type JsonShape } from './shape.js';
