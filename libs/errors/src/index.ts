export { AppError, invalidField, type AppErrorOptions, type FieldFault } from './app-error.js';
export { catalogue, type ErrorCode } from './catalogue.js';
export { renderers, type Area, type ErrorRenderer, type RenderedError } from './renderers.js';
