/** Upper bounds of the buckets in seconds. The smallest suits answers from memory, and the largest suits the longest answers of models. */
export const LATENCY_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
