export { compareSealCopies, type CopyFindings } from './compare-seal-copies.js';
export { lockSeals } from './lock-seals.js';
