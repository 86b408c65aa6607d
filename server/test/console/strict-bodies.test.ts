import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { looseObjects } from '../support/loose-objects.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';

// Nothing that a caller of the console's own interface sends is ignored.
let house: ConsoleHouse;
let chief: SignedInBrowser;

beforeAll(async () => {
  house = await openConsoleHouse();
  chief = await personOf(house, await makeTenant(house, 'Strict'), 'administrator', 'Chief');
});
afterAll(() => house?.close());

test('every body and every query is refused with a field that its form does not know', () => {
  const forms = house.node.consoleRoutes.flatMap(({ method, path, body, query }) =>
    Object.entries({ body, query }).flatMap(([what, form]) =>
      form === undefined ? [] : [{ name: `${what} of ${method} ${path}`, form }],
    ),
  );
  expect(forms.length).toBeGreaterThan(80);
  const loose = forms.flatMap(({ name, form }) =>
    looseObjects(z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' })).map((path) => `${name} ${path}`),
  );
  expect(loose).toEqual([]);
});

test('a field of a key that is not known is told with the one that was meant', async () => {
  const key = { name: 'k', scopes: ['chat'], allowed_models: null, expires_at: null, tool_stream: null };
  const limits = { requests_per_minute: null, tokens_per_minute: null };
  const reply = await chief.post('/keys', { ...key, ...limits, privacymode: 'mask' });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain('privacymode is not a known field; did you mean privacy_mode?');
});

test('a body of a call that takes none is refused unless it is empty', async () => {
  const without = house.node.consoleRoutes.filter(
    ({ method, body, takesFile }) => method !== 'GET' && body === undefined && !takesFile,
  );
  expect(without.length).toBeGreaterThan(20);
  for (const path of ['/me/passkeys/options', '/me/recovery-codes', '/agents/x/withdraw']) {
    const reply = await chief.post(path, { force: true });
    expect([reply.status, reply.text], path).toMatchObject([
      400,
      expect.stringContaining('force is not a known field'),
    ]);
    expect((await chief.post(path, {})).text, path).not.toContain('known field');
  }
});
