export * from './endpoint/index.js';
export * from './process/index.js';
