/** The number of the version that an ETag names. */
export const versionIn = (etag: string): number => Number(/(\d+)"$/.exec(etag)?.[1]);
