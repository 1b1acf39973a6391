export { CALLS_BY_TOOL, rollUpUsage, USAGE_BY_DAY, USAGE_BY_KEY, USAGE_BY_SUBJECT } from './roll-up-usage.js';
