export { aroundPart, cutParts } from './cut-parts.js';
export { FUSED_SCORE, MOST_DIMENSIONS, nearestName, nearestSql, type SearchVector } from './nearest.js';
export { createVectorSupport, type FindVectorSupport, type VectorSupport } from './vector-support.js';
