/** Returns the number of the version in an ETag. */
export const versionIn = (etag: string): number => Number(/(\d+)"$/.exec(etag)?.[1]);
