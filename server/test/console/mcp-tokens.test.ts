import { createHmac } from 'node:crypto';
import { auth, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TenantId } from '../../src/kernel/context.ts';
import { hexId } from '../../src/kernel/ids.ts';
import { echoAgent, makeAgent } from '../support/a2a.ts';
import { type ConsoleHouse, openConsoleHouse } from '../support/console.ts';
import { call, type Caller, jsonOf } from '../support/http.ts';
import { ask, callTool, failure, fine, modern, refused } from '../support/mcp.ts';
import { type OidcProvider, openOidcProvider } from '../support/oidc-provider.ts';
import { addPerson, makeTenant, personOf } from '../support/people.ts';
import { covers } from '../requirements.ts';

// People for whom programs call the MCP server, by access tokens of the single sign-on.

const SITE = 'https://studio.example.kr';
let provider: OidcProvider;
let house: ConsoleHouse;
let tenant: TenantId;
let agent: string;
beforeAll(async () => {
  provider = await openOidcProvider('ai-studio');
  house = await openConsoleHouse({
    STUDIO_SERVER_PUBLIC_URL: SITE,
    STUDIO_CONSOLE_OIDC_ISSUER: provider.issuer,
    STUDIO_CONSOLE_OIDC_CLIENT_ID: 'ai-studio',
    STUDIO_CONSOLE_OIDC_CLIENT_SECRET: provider.secret,
    STUDIO_CONSOLE_OIDC_ALLOWED_DOMAINS: '["corp.example"]',
    STUDIO_CONSOLE_OIDC_MCP_AUDIENCES: '["api://studio"]',
  });
  tenant = await makeTenant(house, 'Own');
  agent = `agent_${(await makeAgent(house.db, tenant, echoAgent)).slug}`;
});
afterAll(async () => {
  await house.close();
  await provider.close();
});

/** A person of the tenant whose account is linked, and a caller with a token of theirs. */
async function linked(role: 'user' | 'developer' | 'administrator', claims: Record<string, unknown> = {}) {
  const sub = hexId();
  const email = `${sub}@example.kr`;
  const userId = await addPerson(house.db, { tenantId: tenant, role, email, name: sub });
  await house.db.query
    .insertInto('sso_accounts')
    .values({ issuer: provider.issuer, subject: sub, user_id: userId })
    .execute();
  const caller: Caller = { base: house.base, key: provider.accessToken({ sub, aud: `${SITE}/mcp`, ...claims }) };
  return { sub, userId, caller };
}
const namesOf = async (caller: Caller): Promise<string[]> => {
  const { result, error } = await ask<{ tools: { name: string }[] }>(caller, 'tools/list');
  expect(error).toBeUndefined();
  return (result?.tools ?? []).map(({ name }) => name);
};

test('metadata names the issuer, for each address of the server', async () => {
  covers('mcp.tokens.metadata');
  const get = async (path: string) => {
    const reply = await call(house as unknown as Caller, `/.well-known/oauth-protected-resource${path}`, { key: null });
    expect(reply.status, path).toBe(200);
    return jsonOf<Record<string, unknown>>(reply);
  };
  expect(await get('/mcp')).toEqual({
    resource: `${SITE}/mcp`,
    resource_name: 'AI Studio',
    authorization_servers: [provider.issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: ['openid', 'email', 'profile'],
  });
  expect((await get(''))['resource']).toBe(`${SITE}/mcp`);
  expect((await get('/v1/mcp'))['resource']).toBe(`${SITE}/v1/mcp`);
  const anybody = await call({ base: house.base, key: '' }, '/v1/mcp', { ...modern('tools/list'), key: null });
  refused(anybody, 401, -32_000, null);
  expect(anybody.headers.get('www-authenticate')).toBe(
    `Bearer resource_metadata="${SITE}/.well-known/oauth-protected-resource/v1/mcp"`,
  );
});

test('a token of the issuer for this server acts for its person, within the role', async () => {
  covers('mcp.tokens');
  const user = await linked('user');
  expect(await namesOf(user.caller)).toEqual(['search', 'fetch', 'list_collections', agent]);
  const { caller, userId } = await linked('developer');
  expect(await namesOf(caller)).toEqual([
    'search',
    'fetch',
    'list_collections',
    'parse_document',
    'mask_personal_values',
    agent,
  ]);
  // What a person says to an agent is a chat of theirs.
  const said = fine<{ session_id: number; answer: string }>(await callTool(caller, agent, { message: 'Hello' }));
  expect(said.answer).toBe('You said: Hello');
  const session = await house.db.query
    .selectFrom('agent_sessions')
    .select(['type', 'user_id', 'key_id'])
    .where('id', '=', said.session_id)
    .executeTakeFirstOrThrow();
  expect(session).toEqual({ type: 'chat', user_id: userId, key_id: null });
  fine(await callTool(caller, agent, { message: 'More', session_id: said.session_id }));
  // And nobody else's.
  expect(failure(await callTool(user.caller, agent, { message: 'Mine?', session_id: said.session_id }))).toMatch(
    /no such session/,
  );
  // Collections of a person are theirs.
  const own = await personOf(house, tenant, 'developer');
  await own.post('/collections', { collection_name: 'Private', visibility: 'private' });
  expect(fine(await callTool(caller, 'list_collections'))).toEqual({ collections: [], total: 0 });
  const chief = await linked('administrator');
  expect(fine(await callTool(chief.caller, 'list_collections'))).toMatchObject({ total: 1 });
});

test('audiences may be those that the operator configured', async () => {
  covers('mcp.tokens');
  for (const aud of ['api://studio', `${SITE}/v1/mcp`, ['https://other.example', `${SITE}/api/v1/mcp`]])
    expect(await namesOf((await linked('user', { aud })).caller)).toContain('search');
});

test('other tokens are refused, and told where right ones come from', async () => {
  covers('mcp.tokens');
  const { sub } = await linked('user');
  const good = { sub, aud: `${SITE}/mcp` };
  const now = Math.floor(Date.now() / 1000);
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(
    JSON.stringify({ ...good, iss: provider.issuer, exp: now + 60 }),
  ).toString('base64url')}.AA`;
  const symmetric = (() => {
    const [, payload = ''] = provider.accessToken(good).split('.');
    const body = `${Buffer.from('{"alg":"HS256","kid":"k"}').toString('base64url')}.${payload}`;
    return `${body}.${createHmac('sha256', provider.secret).update(body).digest('base64url')}`;
  })();
  const [head = '', , signature = ''] = provider.accessToken(good).split('.');
  const changed = Buffer.from(JSON.stringify({ ...good, sub: 'x', iss: provider.issuer, exp: now + 60 }));
  for (const [why, token] of Object.entries({
    // The ID token of the console is for the console.
    'for the console': provider.accessToken({ ...good, aud: 'ai-studio' }),
    'for somebody else': provider.accessToken({ ...good, aud: 'https://other.example/mcp' }),
    'for the address that the request names': provider.accessToken({ ...good, aud: `${house.base}/mcp` }),
    'for nobody': provider.accessToken({ ...good, aud: null }),
    'of another issuer': provider.accessToken({ ...good, iss: 'https://evil.example' }),
    'that has expired': provider.accessToken({ ...good, exp: now - 600 }),
    'without an end': provider.accessToken({ ...good, exp: null }),
    'not yet good': provider.accessToken({ ...good, nbf: now + 600 }),
    'of nobody': provider.accessToken({ ...good, sub: null }),
    'of an unknown key': provider.accessToken(good, { kid: 'other' }),
    unsigned,
    'signed by a secret': symmetric,
    'with another payload': `${head}.${changed.toString('base64url')}.${signature}`,
    'of no form': 'aaa.bbb.ccc',
  })) {
    const reply = await call({ base: house.base, key: token }, '/mcp', modern('tools/list'));
    refused(reply, 401, -32_000, null);
    expect(reply.headers.get('www-authenticate'), why).toBe(
      `Bearer error="invalid_token", resource_metadata="${SITE}/.well-known/oauth-protected-resource/mcp"`,
    );
  }
  // It opens nothing but the MCP server.
  const token = provider.accessToken(good);
  expect((await call({ base: house.base, key: token }, '/v1/models')).status).toBe(401);
});

test('people are found as a sign-in finds them', async () => {
  covers('mcp.tokens');
  const callerOf = (claims: Record<string, unknown>): Caller => ({
    base: house.base,
    key: provider.accessToken({ aud: `${SITE}/mcp`, ...claims }),
  });
  const refusedWith = async (caller: Caller, headers: Record<string, string> = {}) => {
    const asked = modern('tools/list');
    const reply = await call(caller, '/mcp', { ...asked, headers: { ...asked.headers, ...headers } });
    return refused(reply, 403, -32_000, null).message;
  };
  expect(await refusedWith(callerOf({ sub: hexId() }))).toContain('sign in to the console first');
  const outside = { email: 'x@evil.example', email_verified: true };
  expect(await refusedWith(callerOf({ sub: hexId(), ...outside }))).toContain('ask for an invitation');
  const inside = { sub: hexId(), email: `${hexId()}@corp.example`, email_verified: true };
  expect(await namesOf(callerOf(inside))).toContain('search');
  // Who was put out is out with the next call.
  const { caller, userId } = await linked('developer');
  expect(await namesOf(caller)).toContain('parse_document');
  const place = house.db.query.updateTable('memberships').where('user_id', '=', userId);
  await place.set({ role: 'user' }).execute();
  expect(await namesOf(caller)).not.toContain('parse_document');
  await place.set({ state: 'disabled' }).execute();
  expect(await refusedWith(caller)).toContain('not a member');
  // A tenant is asked for by its header, as far as the person is in it.
  const both = await linked('user');
  const other = await makeTenant(house, 'Other');
  expect(await refusedWith(both.caller, { 'x-tenant-id': other })).toContain('not a member');
  await house.db.query
    .insertInto('memberships')
    .values({ tenant_id: other, user_id: both.userId, role: 'developer', state: 'active', name: 'x' })
    .execute();
  const asked = modern('tools/list');
  const there = await call(both.caller, '/mcp', { ...asked, headers: { ...asked.headers, 'x-tenant-id': other } });
  expect(there.text).toContain('parse_document');
  expect(there.text).not.toContain(agent);
});

test('an account that was there before is not joined by a call: its credentials stay', async () => {
  covers('mcp.tokens.accounts');
  const email = `${hexId()}@corp.example`;
  const userId = await addPerson(house.db, { tenantId: tenant, role: 'user', email, name: 'Before' });
  await house.db.query.updateTable('users').set({ password_hash: 'kept' }).where('id', '=', userId).execute();
  const identity = { sub: hexId(), email, email_verified: true };
  const caller: Caller = { base: house.base, key: provider.accessToken({ aud: `${SITE}/mcp`, ...identity }) };
  const reply = await call(caller, '/mcp', modern('tools/list'));
  expect(refused(reply, 403, -32_000, null).message).toContain('sign in to the console first');
  const { password_hash: password } = await house.db.query
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(password).toBe('kept');
  const accounts = house.db.query.selectFrom('sso_accounts').select('subject').where('user_id', '=', userId);
  expect(await accounts.execute()).toEqual([]);
  // Once they have signed in, it is known.
  await house.db.query
    .insertInto('sso_accounts')
    .values({ issuer: provider.issuer, subject: identity.sub, user_id: userId })
    .execute();
  expect(await namesOf(caller)).toContain('search');
});

test('the official client finds the issuer by the metadata', async () => {
  covers('mcp.tokens.metadata');
  const seen: string[] = [];
  const fetchFn: typeof fetch = (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    seen.push(url);
    return fetch(url.replace(SITE, house.base), init);
  };
  let asked: URL | null = null;
  const client: OAuthClientProvider = {
    redirectUrl: 'http://localhost:9/back',
    clientMetadata: { redirect_uris: ['http://localhost:9/back'] },
    clientInformation: () => ({ client_id: 'desk' }),
    tokens: () => undefined,
    saveTokens: () => undefined,
    redirectToAuthorization: (url) => void (asked = url),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => 'x',
  };
  expect(await auth(client, { serverUrl: `${SITE}/mcp`, fetchFn })).toBe('REDIRECT');
  expect(seen).toContain(`${SITE}/.well-known/oauth-protected-resource/mcp`);
  const url = asked as unknown as URL;
  expect(url.origin + url.pathname).toBe(`${provider.issuer}/authorize`);
  expect(url.searchParams.get('resource')).toBe(`${SITE}/mcp`);
});
