import { afterEach, expect, test, vi } from 'vitest';
import { silent } from '../../../test/support/postgres.ts';
import { createMailer } from '../../adapters/smtp/mailer.ts';
import type { Database } from '../../ports/database.ts';
import { type Mailer, MailServerAway } from '../../ports/mailer.ts';
import type { TenantAuditActor } from '../audit-actor.ts';
import { sendInvitations } from './send-invitations.ts';

const query = {
  selectFrom: () => query,
  leftJoin: () => query,
  select: () => query,
  where: () => query,
  executeTakeFirstOrThrow: () => Promise.resolve({ tenant: 'Tenant', language: null }),
};
const db = { query } as unknown as Database;
const who = { tenantId: 't', userId: 'u', name: 'Ada' } as unknown as TenantAuditActor;
const invitations = Array.from({ length: 20 }, (_, at) => ({
  email: `guest${at}@example.kr`,
  name: 'Jisoo',
  url: 'https://studio.example.kr/console/link#x',
}));

/** What is sent by a mail server that does as given, and how many messages it was offered. */
function sendBy(send: Mailer['send']) {
  const offered = vi.fn(send);
  const mailer: Mailer = { send: offered, close: () => Promise.resolve() };
  return { offered, sending: sendInvitations({ db, mailer, log: silent }, who, invitations) };
}

afterEach(() => void vi.useRealTimers());

test('invitations that a mail server is silent about count as not mailed after a while', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { offered, sending } = sendBy(({ to }) =>
    to === 'guest0@example.kr' ? Promise.resolve() : new Promise(() => undefined),
  );
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await sending).toEqual(new Set(['guest0@example.kr']));
  expect(offered.mock.calls.length).toBeLessThan(invitations.length);
});

test('no more invitations are begun once the mail server is away; a refusal of one keeps no other back', async () => {
  const away = sendBy(() => Promise.reject(new MailServerAway(new Error('no route'))));
  expect(await away.sending).toEqual(new Set());
  expect(away.offered.mock.calls.length).toBeLessThanOrEqual(3);
  const picky = sendBy(({ to }) => (to === 'guest1@example.kr' ? Promise.reject(new Error('550')) : Promise.resolve()));
  expect((await picky.sending).size).toBe(invitations.length - 1);
});

test('a mail server that nobody can reach is told from one that refuses a message', async () => {
  const mailer = createMailer({ url: 'smtp://127.0.0.1:1', from: 'Studio <studio@example.kr>' });
  await expect(mailer.send({ to: 'a@example.kr', subject: 'x', text: 'x' })).rejects.toBeInstanceOf(MailServerAway);
  await mailer.close();
});
