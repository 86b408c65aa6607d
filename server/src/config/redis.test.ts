import { expect, test } from 'vitest';
import { redact } from './redact.ts';
import { Config } from './schema.ts';

const problems = (redis: unknown) =>
  Config.safeParse({ redis }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

test('Redis is named by redis:// or rediss://, and nothing else', () => {
  for (const url of ['redis://127.0.0.1', 'redis://:word@h.example:6379/2', 'rediss://user:word@h.example'])
    expect(problems({ url })).toEqual([]);
  for (const url of ['http://h.example', 'h.example:6379', ''])
    expect(problems({ url })).toEqual([expect.stringMatching(/^redis\.url must be an address such as redis:/)]);
});

test('a bus over Redis needs one', () => {
  expect(problems({ bus: true })).toEqual(['redis.url is needed with redis.bus']);
  expect(problems({ bus: true, url: 'redis://h' })).toEqual([]);
});

test('the address is never shown', () => {
  const shown = redact(Config.parse({ redis: { url: 'redis://:hunter2@h.example' } }));
  expect(JSON.stringify(shown)).not.toMatch(/hunter2|h\.example/);
});
