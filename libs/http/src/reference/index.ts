export { REFERENCE_POLICY, referencePage } from './reference-page.js';
