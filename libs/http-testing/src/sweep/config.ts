/** Whether the test run writes docs/openapi (`npm run openapi`). Every other run compares the documents with these files. */
export const writesOpenApi = (): boolean => process.env['WRITE_OPENAPI'] === '1';
