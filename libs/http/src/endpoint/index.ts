export { createAreaRouter, renderErrors, type AreaOptions } from './area-router.js';
export { entityTag } from './conditional.js';
export {
  endpoint,
  route,
  type ByteRange,
  type Call,
  type EndpointContract,
  type Handler,
  type LimitClass,
  type Method,
  type Reply,
  type Route,
  type Upload,
} from './contract.js';
export type { Emit, EventWriter, ServerEvent } from './event-stream.js';
export { createGate, type Budgets, type Gate, type GateOptions } from './gate.js';
export { openApiDocument, type OpenApiInfo } from './openapi.js';
export { hasBody } from './read-body.js';
export { guardTree, parseFields, parsePart, singleValues } from './parse.js';
