export { Millwright } from './millwright.js';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  MillwrightError,
  NotFoundError,
  PermissionError,
  PreconditionFailedError,
  RateLimitError,
  StreamInterruptedError,
  UnexpectedAnswerError,
  ValidationError,
} from './core/errors.js';
export type { Pages } from './core/pages.js';
export type { StreamEvent } from './core/event-stream.js';
export type { Call, ClientOptions, RequestOptions } from './core/transport.js';
export type { Platform } from './generated/platform.js';
export type { Prompt } from './generated/prompt.js';
export type { Runtime } from './generated/runtime.js';
