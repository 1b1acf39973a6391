export { runArea, type AreaConfig, type AreaDeps, type AreaService } from './app/run-area.js';
export { followRevocations, type RevocationOptions } from './app/revocations.js';
export { createServiceApp, type AppOptions } from './app/service-app.js';
export * from './endpoint/index.js';
export * from './process/index.js';
export * from './upstream/index.js';
