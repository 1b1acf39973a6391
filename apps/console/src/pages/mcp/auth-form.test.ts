import type { McpAuth } from '../../api/platform-records.js';
import { authFaultsOf, authOf, authValuesOf } from './auth-form.js';

describe("the form of a server's authentication", () => {
  it.each<McpAuth>([
    { type: 'none' },
    {
      type: 'client_credentials',
      token_url: 'https://as.example.com/token',
      client_id: 'mill',
      client_secret: '********',
      client_auth: 'client_secret_post',
      scope: 'tools',
    },
    { type: 'agent_token' },
    { type: 'agent_token', client_id: 'mw_client_1', scope: 'files:read' },
    { type: 'user' },
    { type: 'user', issuer: 'https://as.example.com', client_id: 'mill', client_secret: '********' },
  ])('sends the authentication %j back unchanged', (auth) => {
    expect(authOf(authValuesOf(auth))).toEqual(auth);
    expect(authFaultsOf(authValuesOf(auth))).toEqual({});
  });

  it('sends only the fields of the selected type', () => {
    const values = authValuesOf({ type: 'user', issuer: 'https://as.example.com', client_id: 'mill', scope: 'a' });
    expect(authOf({ ...values, type: 'none' })).toEqual({ type: 'none' });
    expect(authOf({ ...values, type: 'agent_token' })).toEqual({ type: 'agent_token', client_id: 'mill', scope: 'a' });
  });

  it('reports a fault for each missing or invalid field', () => {
    const empty = authValuesOf({ type: 'none' });
    const named = (values: Partial<typeof empty>) => Object.keys(authFaultsOf({ ...empty, ...values }));
    expect(named({ type: 'client_credentials' })).toEqual(['token_url', 'client_id', 'client_secret']);
    expect(named({ type: 'user', client_id: 'mill' })).toEqual(['issuer']);
    expect(named({ type: 'user', issuer: 'as' })).toEqual(['issuer']);
    expect(named({ type: 'user', client_secret: 's' })).toEqual(['client_id']);
  });
});
