/** `npm run openapi` writes docs/openapi; every other test run compares with it. */
export const writesOpenApi = (): boolean => process.env['WRITE_OPENAPI'] === '1';
