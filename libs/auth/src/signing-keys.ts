export {
  createIssuedKeyFinder,
  createKeyFinder,
  loadSigningKey,
  newSigningKey,
  publishSigningKey,
  readIssuedKeys,
  readJwks,
  type SigningKey,
  type TokenIssuer,
} from './token-keys.js';
export { watchSigningKey, type WatchedKey } from './watch-signing-key.js';
