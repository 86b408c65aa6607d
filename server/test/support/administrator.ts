import { expect } from 'vitest';
import type { Service } from './service.ts';

const email = 'admin@example.kr';
const password = 'a phrase that is long';

/** Environment of a service that is set up at its first start. */
export const administratorEnv = { STUDIO_ADMIN_EMAIL: email, STUDIO_ADMIN_PASSWORD: password };

/** Signs the administrator in. Returns the headers of further calls. */
export async function signInAdministrator({ base }: Service): Promise<{ cookie: string; origin: string }> {
  const response = await fetch(`${base}/console/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: base },
    body: JSON.stringify({ email, password }),
  });
  expect(response.status, await response.text()).toBe(200);
  const cookie = response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { cookie, origin: base };
}
