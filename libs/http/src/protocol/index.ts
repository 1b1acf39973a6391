export { LARGE_BODY_BYTES, requireFewValues, statesLargeBody } from '../body/read-body.js';
export { clientLeft } from './client-left.js';
export { createEventStreamWriter } from './event-stream-writer.js';
export { OAuthError } from './oauth-error.js';
export { oauthFormEndpoint, requireParameters } from './oauth-form-endpoint.js';
export { sendPlainPage } from './plain-page.js';
export { requestOrigin, type RequestOrigin } from './request-origin.js';
