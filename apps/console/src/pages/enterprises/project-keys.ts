/** Keys of the queries that a change of the projects invalidates. */
export const PROJECT_KEYS = [['projects'], ['enterprises'], ['quotas']] as const;
