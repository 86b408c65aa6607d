import { defaultGuardPolicy, type GuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../../../../bench/privacy/random.ts';
import { times } from '../../../test/support/long.ts';
import type { Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { outlineJson } from '../../kernel/json-outline/index.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import { mutate, texts } from '../../../test/support/changed-texts.ts';
import { createPrivacyGuard, findPii } from '../index.ts';
import { guardChat } from './guard-chat.ts';
import { placeTexts } from './placed-texts.ts';

// What is masked in the bytes of a request must be what is masked in the request once it was parsed: any value that one way leaves, and
// the other does not, would reach the model.

const actor: Principal = { tenantId: 'ours' as TenantId, keyId: 'key', userId: null };
const checked = (bytes: Buffer, minBytes = 4096) => {
  const outline = outlineJson(bytes, { minBytes, maxShare: 10, firstBlockBytes: 100 });
  return { bytes, latin1: outline?.text ?? bytes.toString('latin1'), outline };
};

const box = createSecretBox(Buffer.alloc(32, 7));

/** What a guard makes of a body, and what it counts. */
async function outcome(policy: GuardPolicy, body: Buffer, inPlace: boolean, minBytes?: number) {
  const counted: string[] = [];
  const guard = createPrivacyGuard({
    box,
    search: { find: (text, wanted) => (inPlace ? findPii(text, wanted) : Promise.resolve(findPii(text, wanted))) },
    counts: { add: (_, source, type) => counted.push(`${source} ${type}`) },
  });
  try {
    const chat = await guardChat(guard, actor, {
      policy,
      source: 'chat',
      body,
      ...(inPlace ? { checked: checked(body, minBytes) } : {}),
      conversation: undefined,
    });
    const { summary, values } = chat;
    const sent = JSON.parse(chat.body.toString('utf8')) as unknown;
    return { sent, same: chat.body === body, values: [...values], summary, counted, restores: chat.restore !== null };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { code: error.code, message: error.message, param: error.param, counted };
  }
}

/** A text of a request, written in one of the ways in which JSON can be. */
const said = fc.tuple(fc.nat(), fc.nat(3), fc.boolean()).map(([pick, length, asAscii]) => {
  const parts = Array.from({ length }, (_, at) => texts[(pick + at * 7919) % texts.length] ?? '');
  const json = JSON.stringify(
    mutate(parts.join(' 오늘의 회의와 예산을 검토했습니다. '.repeat(12)), createRandom(pick)),
  );
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return asAscii && pick % 5 === 0 ? json.replaceAll(/[\u0080-\uffff]/g, escape) : json;
});
const content = fc.oneof(
  { weight: 6, arbitrary: said },
  {
    weight: 2,
    arbitrary: fc
      .array(
        fc.oneof(
          said.map((text) => `{"type":"text","text":${text}}`),
          fc.constant('{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}'),
        ),
        { minLength: 1, maxLength: 3 },
      )
      .map((parts) => `[${parts.join(',')}]`),
  },
  { weight: 1, arbitrary: fc.constant('null') },
);
const message = fc
  .tuple(
    fc.constantFrom('user', 'user', 'system', 'assistant', 'tool'),
    content,
    fc.option(said, { freq: 8 }),
    fc.nat(20),
  )
  .map(([role, text, name, odd]) => {
    const members = [`"role":"${role}"`, `"content":${text}`, ...(name === null ? [] : [`"name":${name}`])];
    if (odd === 0) members.push('"tool_calls":null');
    if (odd === 1) members.push('"content":"010-1234-5678 900101-1234567"');
    if (odd === 2) members[1] = members[1]?.replace('content', 'cont\\u0065nt') ?? '';
    if (odd === 3)
      members.push('"tool_calls":[{"function":{"name":"f","arguments":"{\\"rrn\\":\\"900101-1234567\\"}"}}]');
    return `{ ${(odd % 2 === 0 ? members : members.toReversed()).join(' , ')} }`;
  });
const field = fc.oneof(
  fc.constantFrom(
    '"temperature":0.5',
    '"stream":true',
    '"top_k":12',
    '"unknown":true',
    '"unknown":900101',
    '"stop":null',
  ),
  fc.constantFrom('"user":"M12345678 여권"', '"metadata":{"a":"900101-1234567"}', '"unknown":"900101-1234567"'),
  said.map((text) => `"user":${text}`),
);
const chat = fc
  .tuple(
    fc.array(field, { maxLength: 2 }),
    fc.array(message, { minLength: 1, maxLength: 5 }),
    fc.array(field, { maxLength: 1 }),
  )
  .map(([before, messages, after]) => `{${[...before, `"messages":[${messages.join(',')}]`, ...after].join(', ')}}`);
const policy = fc
  .record({
    mode: fc.constantFrom('mask' as const, 'mask' as const, 'report' as const, 'refuse' as const),
    types: fc.constantFrom(
      null,
      null,
      ['PHONE', 'RRN'] as GuardPolicy['types'],
      ['EMAIL', 'PERSON', 'RRN'] as GuardPolicy['types'],
    ),
    allow_list: fc.constantFrom<string[]>([], ['010-1234-5678']),
    deny_list: fc.constantFrom<string[]>([], [], ['회의']),
  })
  .map((fields): GuardPolicy => ({ ...defaultGuardPolicy, ...fields }));

test('a request is masked in its bytes as it is masked once it was parsed', async () => {
  let [plain, masked] = [0, 0];
  await fc.assert(
    fc.asyncProperty(policy, chat, fc.constantFrom(0, 4096), async (held, json, minBytes) => {
      const body = Buffer.from(json);
      const placed = await outcome(held, body, true, minBytes);
      expect(placed).toEqual(await outcome(held, body, false));
      if (placeTexts(checked(body, minBytes)) === null) return;
      plain++;
      if ('same' in placed && !placed.same) masked++;
    }),
    { numRuns: times(1_000, 30_000), endOnFailure: true },
  );
  // Both ways were taken, and much was masked.
  expect(plain).toBeGreaterThan(times(1_000, 30_000) / 10);
  expect(masked).toBeGreaterThan(plain / 10);
});
