/** What an account's change is seen in. */
export const REFRESH = [['users'], ['dashboard']];
