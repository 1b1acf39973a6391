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
export { curlExample } from './curl.js';
export { fieldsOf, limitsOf, typeOf, type Field } from './fields.js';
export { REFERENCE_POLICY, referencePage } from './reference-page.js';
export { inlineSchemas } from '../openapi/schema.js';
