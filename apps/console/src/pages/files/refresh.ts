/** What shows files. */
export const REFRESH = ['runtime', 'api', 'v1', 'files'];
