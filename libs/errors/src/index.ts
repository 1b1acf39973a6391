export { AppError, invalidField, type AppErrorOptions, type FieldFault, type ScimType } from './app-error.js';
export { catalogue, type ErrorCode } from './catalogue.js';
export {
  anthropicError,
  jsonTypeOf,
  renderers,
  type AnswerForm,
  type Area,
  type ErrorRenderer,
  type RenderedError,
} from './renderers.js';
export { removeCredentials } from './remove-credentials.js';
