export { createConditions, type Conditions } from './conditions.js';
export { listenTo, type Listener } from './listen.js';
export { createWatchers } from './watchers.js';
