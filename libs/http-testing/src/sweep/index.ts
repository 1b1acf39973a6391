export { committedOpenApi, DOCUMENTED_URLS } from './committed-openapi.js';
export { openApiFaults } from './openapi-faults.js';
export {
  fromOtherProject,
  sweepEndpoints,
  sweepProjects,
  type ParamValues,
  type SweepCheck,
  type SweepOptions,
  type SweepTarget,
} from './sweep-endpoints.js';
