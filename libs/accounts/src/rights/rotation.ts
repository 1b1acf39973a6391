/** Default for how long a rotated key or secret stays valid together with its successor, in hours. */
export const ROTATION_OVERLAP_HOURS = 24;

export interface Rotation {
  /** Owner that the credential must have. */
  userId?: string | undefined;
  /** Hours for which the old credential stays valid. Default: {@link ROTATION_OVERLAP_HOURS}; 0 ends it at once. */
  overlapHours?: number | undefined;
}
