export interface SchemaFault {
  /** Path with dots from the root of the checked value (`address.zip`, `tags.0`); empty for the value itself. */
  path: string;
  reason: string;
}

/** Maximum number of faults in one answer. */
export const MOST_FAULTS = 20;
