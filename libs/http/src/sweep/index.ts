export { committedOpenApi, DOCUMENTED_URLS } from './committed-openapi.js';
export { createHttpClient, messageOf, type ClientAnswer, type ClientRequest, type HttpClient } from './http-client.js';
export { openApiFaults } from './openapi-faults.js';
export { referenceFaults } from './reference-faults.js';
export {
  sweepEndpoints,
  type ParamValues,
  type SweepCheck,
  type SweepOptions,
  type SweepTarget,
} from './sweep-endpoints.js';
