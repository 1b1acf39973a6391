/**
 * Every error that leaves a service, by code. `status` is the HTTP status and `message` the public text of admin-auth
 * and the platform API; renderers.ts adapts both to the other services. Code that throws an error chooses only its
 * code.
 */
export const catalogue = {
  bad_request: { status: 400, message: 'The request body is missing or is not a JSON object.' },
  unauthorized: { status: 401, message: 'Missing or invalid credential.' },
  passkey_removed: { status: 401, message: 'This passkey was removed from its account.' },
  budget_exceeded: {
    status: 402,
    message: 'A budget is used up. Wait for its next period, or have an admin raise it.',
  },
  step_up_required: { status: 403, message: 'This needs a fresh passkey proof. Prove again, then repeat the request.' },
  sso_required: { status: 403, message: 'This account signs in by single sign-on only.' },
  passkey_not_allowed: {
    status: 403,
    message: 'This kind of passkey is not allowed here. Use one that the operator lists.',
  },
  network_refused: { status: 403, message: 'This account may not be used from this network.' },
  forbidden: { status: 403, message: 'The credential does not permit this.' },
  not_connected: { status: 403, message: 'The user has to connect an account to the MCP server first.' },
  quota_exceeded: { status: 403, message: 'A quota of the project is used up.' },
  not_found: { status: 404, message: 'The resource does not exist.' },
  agent_deleted: { status: 404, message: 'The agent was deleted.' },
  endpoint_not_found: { status: 404, message: 'No such endpoint. Check the path and its letter case.' },
  method_not_allowed: {
    status: 405,
    message: 'This path does not support that method. Use one that the header Allow names.',
  },
  not_acceptable: {
    status: 406,
    message: 'None of the accepted media types can be produced. Accept application/json.',
  },
  request_timeout: { status: 408, message: 'The request body did not arrive in time. Send it faster, or send less.' },
  conflict: { status: 409, message: 'The request conflicts with the current state.' },
  agent_stopped: { status: 409, message: 'An admin has stopped this agent. It runs again once it is released.' },
  idempotency_conflict: {
    status: 409,
    message: 'This Idempotency-Key was used with a different request. Make a new key.',
  },
  idempotency_running: {
    status: 409,
    message: 'A request with this Idempotency-Key is still running. Repeat it later.',
  },
  precondition_failed: {
    status: 412,
    message: 'The resource has changed since it was read. Read it again, then repeat the change.',
  },
  payload_too_large: { status: 413, message: 'The request body is larger than this endpoint accepts.' },
  quota_too_small: { status: 413, message: 'The request is larger than what a quota of the project has left.' },
  unsupported_media_type: {
    status: 415,
    message: 'The request body is of a media type that this endpoint does not read.',
  },
  range_not_satisfiable: {
    status: 416,
    message: 'The range begins beyond the end of the file. Stay within the size that Content-Range names.',
  },
  misdirected_request: {
    status: 421,
    message: 'This server does not serve that host. Use the base address of the service.',
  },
  guard_blocked: {
    status: 422,
    message: 'A guard blocked the text. See the fields for the guard and the text concerned.',
  },
  validation_error: { status: 422, message: 'The request has invalid values' },
  rate_limited: { status: 429, message: 'Too many requests. Wait until the reset time.' },
  header_fields_too_large: { status: 431, message: 'The request headers are too large. Send fewer or shorter ones.' },
  internal_error: { status: 500, message: 'The server failed to answer the request.' },
  process_lost: {
    status: 503,
    message: 'The process that executed the run ended, or could not store its answer. Start the run again.',
  },
  unavailable: { status: 503, message: 'The service cannot answer right now. Try again shortly.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof catalogue;
