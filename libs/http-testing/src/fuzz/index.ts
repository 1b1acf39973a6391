export { fuzzArea, type FuzzReport, type FuzzTarget } from './fuzz-area.js';
export { fuzzSettings } from './config.js';
