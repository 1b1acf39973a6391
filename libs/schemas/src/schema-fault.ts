export interface SchemaFault {
  /** Dotted, from the root of the value that was checked (`address.zip`, `tags.0`); empty for the value itself. */
  path: string;
  reason: string;
}

/** How many faults one answer names. */
export const MOST_FAULTS = 20;
