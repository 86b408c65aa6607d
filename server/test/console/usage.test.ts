import type { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import type { OpenAiError } from '@ai-studio/contract/errors.ts';
import { UsageReport } from '@ai-studio/contract/console/usage.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyText } from '../support/any-text.ts';
import { systemAuditActor, issueKey } from '../../src/identity/index.ts';
import type { TenantId } from '../../src/kernel/context.ts';
import { createPostgresBus } from '../../src/adapters/postgres/index.ts';
import { type ConsoleHouse, expectRefused, openConsoleHouse } from '../support/console.ts';
import { makeTenant, personOf, type SignedInBrowser } from '../support/people.ts';
import { times } from '../support/long.ts';
let house: ConsoleHouse;
let ours: TenantId;
let dev: SignedInBrowser;
let boss: SignedInBrowser;
let user: SignedInBrowser;
let stranger: SignedInBrowser;
let keyValue: string;

beforeAll(async () => {
  house = await openConsoleHouse();
  ours = await makeTenant(house, 'Ours');
  dev = await personOf(house, ours, 'developer', 'Dev');
  boss = await personOf(house, ours, 'administrator', '=HYPERLINK("http://x")');
  user = await personOf(house, ours, 'user', 'User');
  stranger = await personOf(house, await makeTenant(house, 'Theirs'), 'administrator', 'Stranger');
  const bus = createPostgresBus(house.db);
  const issued = await issueKey(
    { db: house.db, bus },
    { ...systemAuditActor(ours), userId: dev.userId },
    { name: '@key, of "dev"' },
  );
  keyValue = issued.value;
  await bus.close();
});
afterAll(() => house.close());

const chat = { model: 'CORE-GOV', messages: [{ role: 'user', content: 'Hello' }] };
const report = async (browser: SignedInBrowser, query: string) => {
  const answer = await browser.get(`/usage?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return UsageReport.parse(answer.json());
};
const requestsOf = async (browser: SignedInBrowser, group: string) =>
  Object.fromEntries((await report(browser, `group=${group}`)).rows.map(({ label, requests }) => [label, requests]));

describe('the playground', () => {
  test('is the chat endpoint with the session as the credential', async () => {
    const answer = await dev.post('/chat/completions', chat);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.get('x-ratelimit-limit')).not.toBeNull();
    expect(answer.json<ChatReply>().choices[0]?.message.content).not.toBe('');
    const stream = await dev.post('/chat/completions', { ...chat, stream: true });
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.text).toContain('data: [DONE]');
    expect(await requestsOf(dev, 'user')).toEqual({ Dev: 2 });
    expect(await requestsOf(dev, 'key')).toEqual({ '': 2 });
  });

  test('is not for everybody, nor for pages of others, nor for API keys', async () => {
    const refused = (status: number, answer: { status: number; json: <T>() => T }) => {
      expect(answer.status).toBe(status);
      expect(answer.json<OpenAiError>().error.message).not.toBe('');
    };
    refused(403, await user.post('/chat/completions', chat));
    refused(401, await house.browser().post('/chat/completions', chat));
    refused(401, await house.browser().post('/chat/completions', chat, { authorization: `Bearer ${keyValue}` }));
    refused(403, await dev.post('/chat/completions', chat, { origin: 'https://evil.example' }));
    refused(403, await dev.post('/chat/completions', chat, { origin: 'null' }));
    const elsewhere = house.browser({ origin: null });
    elsewhere.cookies.set('studio_session', dev.cookies.get('studio_session') ?? '');
    refused(403, await elsewhere.post('/chat/completions', chat));
    refused(400, await dev.post('/chat/completions', { ...chat, temperature: 3 }));
  });

  test('the public interface does not take the session', async () => {
    for (const path of ['/v1/chat/completions', '/api/v1/chat/completions', '/v1/models']) {
      const answer = await fetch(`${house.base}${path}`, {
        ...(path.endsWith('models') ? {} : { method: 'POST', body: JSON.stringify(chat) }),
        headers: { cookie: dev.cookie, origin: house.base, 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(401);
      await answer.text();
    }
  });

  test('counts the limits of each person by themselves', async () => {
    expect((await boss.patch('/settings', { requests_per_minute: 1 })).status).toBe(200);
    const person = await personOf(house, ours, 'developer', 'Busy');
    const other = await personOf(house, ours, 'developer', 'Calm');
    expect((await person.post('/chat/completions', chat)).status).toBe(200);
    const refused = await person.post('/chat/completions', chat);
    expect(refused.status).toBe(429);
    expect(refused.json<OpenAiError>().error.message).toMatch(/^Your rate limit is reached/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    const { id } = (await person.post('/conversations', { model: 'CORE-GOV' })).json<{ id: string }>();
    const turn = expectRefused(await person.post(`/conversations/${id}/turns`, { content: 'Hi' }), 429);
    expect(turn.retry_after_seconds).toBeGreaterThan(0);
    expect((await other.post('/chat/completions', chat)).status).toBe(200);
    await boss.patch('/settings', { requests_per_minute: null });
  });
});

describe('usage', () => {
  test('a developer sees their own and what their keys were used for, an administrator the tenant', async () => {
    const before = await requestsOf(dev, 'user');
    const answer = await fetch(`${house.base}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keyValue}`, 'content-type': 'application/json' },
      body: JSON.stringify(chat),
    });
    expect(answer.status, await answer.text()).toBe(200);
    await boss.post('/chat/completions', chat);
    const { id } = (await user.post('/conversations', { model: 'CORE-GOV' })).json<{ id: string }>();
    await user.post(`/conversations/${id}/turns`, { content: 'Hello' });
    expect(await requestsOf(dev, 'user')).toEqual({ Dev: (before['Dev'] ?? 0) + 1 });
    expect((await requestsOf(dev, 'key'))['@key, of "dev"']).toBe(1);
    expect((await report(dev, `group=user&user_id=${boss.userId}`)).rows).toEqual([]);
    expect(await requestsOf(boss, 'user')).toMatchObject({ Dev: (before['Dev'] ?? 0) + 1, User: 1, [boss.name]: 1 });
    expect((await report(stranger, 'group=user')).total.requests).toBe(0);
    expectRefused(await user.get('/usage'), 403, 'role_missing');
    expectRefused(await user.get('/usage.csv'), 403, 'role_missing');
    expect((await report(boss, 'time_zone=Asia/Seoul')).rows).toHaveLength(30);
  });

  test('is a file that spreadsheets open and take nothing in it for a formula', async () => {
    const answer = await boss.get('/usage.csv?group=user');
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="usage-by-user.csv"');
    const bytes = Buffer.from(
      await (
        await fetch(`${house.base}/console/api/usage.csv?group=user`, { headers: { cookie: boss.cookie } })
      ).arrayBuffer(),
    );
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(answer.text).toContain(`"'=HYPERLINK(""http://x"")",${boss.userId},`);
    expect((await boss.get('/usage.csv?group=key')).text).toContain(`"'@key, of ""dev""",`);
    const [head, ...rows] = answer.text.trim().split('\r\n');
    expect(head).toContain('user,id,requests,errors,canceled,prompt_tokens');
    expect(rows.at(-1)?.startsWith('total,,')).toBe(true);
  });

  test('no question about it is a failure of the service', async () => {
    const text = fc.oneof(anyText(), fc.constantFrom('day', 'UTC', '2026-01-01T00:00:00Z', '\0'));
    const query = fc.dictionary(
      fc.constantFrom('from', 'to', 'group', 'model', 'key_id', 'user_id', 'time_zone'),
      fc.oneof(
        text,
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      ),
    );
    await fc.assert(
      fc.asyncProperty(query, async (fields) => {
        const answer = await boss.get(`/usage?${new URLSearchParams(fields).toString()}`);
        expect(answer.status, answer.text).toBeLessThan(500);
      }),
      { numRuns: times(40, 100) },
    );
  });
});
