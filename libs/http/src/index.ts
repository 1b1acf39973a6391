export { runArea, type AreaDeps } from './app/run-area.js';
export { followRevocations } from './app/revocations.js';
export { refuseAmbiguousMessages } from './app/ambiguous-messages.js';
export { sendError } from './app/send-error.js';
export { createServiceApp } from './app/service-app.js';
export * from './endpoint/index.js';
