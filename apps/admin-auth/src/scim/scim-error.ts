import { AppError, type ScimType } from '@millwright/errors';

export const invalid = (field: string, reason: string, scimType: ScimType = 'invalidValue'): AppError =>
  new AppError('validation_error', { fields: [{ field, reason }], scimType });

export const notFound = (): AppError => new AppError('not_found');

/** Makes the error for a change of a platform admin, which only operators and other platform admins may make. */
export const platformAdminKept = (): AppError =>
  new AppError('forbidden', {
    fields: [{ field: 'id', reason: 'names a platform admin, whom provisioning leaves alone' }],
  });
