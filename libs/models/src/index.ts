export { MOST_IMAGES, readsImage, type ImageInput } from './image-input.js';
export { loadModels, modelsConfig, type ModelsConfig } from './config.js';
export { countMessages, countTokens, IMAGE_TOKENS } from './count-tokens.js';
export type { CallOutcome } from './failures.js';
export type {
  EmbeddingRequest,
  Embeddings,
  ModelAnswer,
  ModelCompletion,
  ModelDefinition,
  ModelEvent,
  ModelImage,
  ModelMessage,
  ModelPrices,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  ModelUse,
  PriceOf,
  ToolChoice,
} from './model.js';
export { createModels, type CallBounds, type CompleteOptions, type Models, type ModelsOptions } from './models.js';
export { answerShare, fitsTokens, newestTurns, tokensAtMost } from './window.js';
export { MODELS, MOST_MODELS, createModelCheck, defaultName, notifyModels } from './project-models.store.js';
export { createModelRegistry, type ModelRegistry, type ProjectModels } from './model-registry.js';
export { createModelHealth, type ModelHealth } from './model-health.js';
export { testModel, type ModelTest } from './test-model.js';
export { unknownModel } from './unknown-model.js';
export { MODEL_PRESETS, type ModelPresetName } from './presets.js';
export {
  ModelParameters,
  namedParameters,
  readParameters,
  requestParameters,
  statedOver,
  type ModelSampling,
} from './parameters.js';
export { checkedFetch, MODEL_ANSWER_MAX_BYTES, type ModelFetch } from './checked-fetch.js';
export type { CallReport } from './tries.js';
