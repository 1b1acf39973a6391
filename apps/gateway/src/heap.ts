import { setFlagsFromString } from 'node:v8';

// Loaded before all else, since what has grown does not shrink: the heap's young part stays at its first size. Grown, it keeps
// some 100 MiB of an upload's chunks that were sent on long ago.
setFlagsFromString('--semi-space-growth-factor=1');
