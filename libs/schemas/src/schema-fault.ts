export interface SchemaFault {
  /** Dotted, from the root of the value that was checked (`address.zip`, `tags.0`); empty for the value itself. */
  path: string;
  reason: string;
}

/** Maximum number of faults in one answer. */
export const MOST_FAULTS = 20;
