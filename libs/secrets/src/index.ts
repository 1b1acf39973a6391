export { secretsConfig } from './config.js';
export { createSecretBox, parseSecretKey, SecretUnreadable, type SecretBox, type SecretKey } from './secret-box.js';
export { secretPlaces } from './places.js';
