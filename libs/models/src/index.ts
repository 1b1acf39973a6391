export { loadModels, modelsConfig, type ModelsConfig } from './config.js';
export { countMessages, countTokens } from './count-tokens.js';
export type { CallOutcome } from './failures.js';
export type {
  ModelAnswer,
  ModelCompletion,
  ModelDefinition,
  ModelEvent,
  ModelMessage,
  ModelPrices,
  ModelRequest,
  ModelSampling,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  ModelUse,
  PriceOf,
  ToolChoice,
} from './model.js';
export {
  createModels,
  type CallBounds,
  type CallReport,
  type CompleteOptions,
  type Models,
  type ModelsOptions,
} from './models.js';
export type { ModelFetch } from './openai-upstream.js';
export { rollUpUsage, USAGE_BY_DAY, USAGE_BY_SUBJECT } from './usage/roll-up-usage.js';
export { answerShare, fitsTokens, newestTurns, tokensAtMost } from './window.js';
