/** What shows plugins. */
export const REFRESH = [['platform', 'api', 'v1', 'plugins']];
