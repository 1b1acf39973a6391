export { ConfigError, parseConfig, type ConfigFault } from './parse-config.js';
export * as field from './fields.js';
