/** Default number of hours for which a rotated key or secret stays valid together with its successor. */
export const ROTATION_OVERLAP_HOURS = 24;

export interface Rotation {
  /** The user who must own the credential. */
  userId?: string | undefined;
  /** Hours for which the old credential stays valid. Default: {@link ROTATION_OVERLAP_HOURS}; 0 ends it at once. */
  overlapHours?: number | undefined;
}
