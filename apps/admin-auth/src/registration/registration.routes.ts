import { route, type Route } from '@millwright/http';
import * as contract from './registration.contract.js';
import type { Register } from './registration.service.js';

export function registrationRoutes(register: Register, baseUrl: string): Route[] {
  return [
    route(contract.register, ({ body, from, commit }) =>
      commit(async (tx) => {
        const setup_token = await register(tx, body, from);
        const setup_url = setup_token && `${baseUrl}/admin/add-passkey?token=${setup_token}`;
        return { body: { email: body.email, setup_token, setup_url } };
      }),
    ),
  ];
}
