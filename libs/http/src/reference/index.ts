export {
  endpointsByTag,
  resolve,
  type ApiDocument,
  type Content,
  type Endpoint,
  type Operation,
  type Parameter,
  type Schema,
} from './document.js';
export { REFERENCE_POLICY, referencePage } from './reference-page.js';
export { inlineSchemas } from '../openapi/schema.js';
