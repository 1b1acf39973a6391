import { setFlagsFromString } from 'node:v8';

// Loaded before all else, since what has grown does not shrink: the heap's young part stays at its first size. Grown, it keeps
// tens of MiB of what was made for an upload's chunks, all of it long dead.
setFlagsFromString('--semi-space-growth-factor=1');
