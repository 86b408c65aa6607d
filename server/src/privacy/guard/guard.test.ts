import { type GuardPolicy, defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../test/support/any-text.ts';
import { covers } from '../../../test/requirements.ts';
import type { TenantId } from '../../kernel/context.ts';
import { StudioError } from '../../kernel/errors.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { createSecretBox } from '../../kernel/secret-box.ts';
import { createPrivacyGuard, findPii, guardOf, resolveGuard } from '../index.ts';
import { countTurns } from '../../../test/support/turns.ts';
import { times } from '../../../test/support/long.ts';

const tenantId = 'ours' as TenantId;
const counted: string[] = [];
const guard = createPrivacyGuard({
  box: createSecretBox(Buffer.alloc(32, 7)),
  search: { find: (text, policy) => Promise.resolve(findPii(text, policy)) },
  counts: { add: (tenant, source, type) => void counted.push(`${tenant} ${source} ${type}`) },
});
const policyOf = (more: Partial<GuardPolicy> = {}): GuardPolicy => ({
  ...defaultGuardPolicy,
  mode: 'mask',
  types: [...piiTypes],
  ...more,
});
const open = (more: Partial<GuardPolicy> = {}, conversation = 'c1') =>
  guard.open(policyOf(more), { tenantId, source: 'chat', conversation: () => conversation });

const RRN = '960121-1234567';
const PHONE = '010-1234-5678';

describe('the policy of a call', () => {
  it('is the strictest of tenant, key and agent, unless the tenant lets them be milder', () => {
    covers('guard.levels');
    const of = (mode: GuardPolicy['mode'], may_loosen: boolean, ...own: Parameters<typeof resolveGuard>[1][]) =>
      resolveGuard({ ...defaultGuardPolicy, mode, may_loosen }, ...own)?.mode ?? 'off';
    expect(of('off', false)).toBe('off');
    expect(of('mask', false, null, undefined)).toBe('mask');
    expect(of('mask', false, 'off')).toBe('mask');
    expect(of('mask', true, 'off')).toBe('off');
    expect(of('off', false, 'report')).toBe('report');
    expect(of('report', false, 'mask', 'refuse')).toBe('refuse');
    expect(of('refuse', true, 'off', 'report')).toBe('report');
  });

  it('is read field by field', () => {
    expect(guardOf(null)).toEqual(defaultGuardPolicy);
    expect(guardOf({ privacy: { mode: 'mask', threshold: 'much', deny_list: ['Orion'] } })).toEqual({
      ...defaultGuardPolicy,
      mode: 'mask',
      deny_list: ['Orion'],
    });
  });
});

describe('texts of a call', () => {
  it('get tokens that are the same within the conversation only, and are turned back', async () => {
    covers('guard.tokens');
    const texts = open();
    const masked = await texts.mask(`주민번호 ${RRN}, 전화 ${PHONE}, 다시 주민번호 ${RRN}`);
    const [, first, second] =
      /^주민번호 (\[RRN_\w{8}\]), 전화 \[PHONE_\w{8}\], 다시 주민번호 (\[RRN_\w{8}\])$/.exec(masked) ?? [];
    expect(first).toBe(second);
    expect(await open().mask(`주민번호 ${RRN}`)).toBe(`주민번호 ${first}`);
    expect(await open({}, 'c2').mask(`주민번호 ${RRN}`)).not.toBe(`주민번호 ${first}`);
    expect(texts.unmask(`${first}이고 [RRN_22222222]`)).toBe(`${RRN}이고 [RRN_22222222]`);
    expect(open().unmask(masked)).toBe(masked);
  });

  it('are known with strokes and without brackets, as models write them at times', async () => {
    const texts = open();
    const token = (await texts.mask(RRN)).slice(1, -1);
    expect(texts.unmask(`**${token}** [${token.replace('_', String.raw`\_`)}] (${token}] [${token}`)).toBe(
      `**${RRN}** ${RRN} (${RRN}] [${RRN}`,
    );
  });

  it('stay JSON where they stand in one', async () => {
    const texts = open({ deny_list: ['5" "disk\n'] });
    const masked = await texts.mask('the 5" "disk\n');
    const args = `{"part":"${masked.slice(4)}"}`;
    expect(JSON.parse(texts.unmask(args, 'json'))).toEqual({ part: '5" "disk\n' });
  });

  it('are looked through with what was said before, and field by field in arguments', async () => {
    covers('guard.everywhere');
    const texts = open({ types: ['BANK_ACCOUNT', 'RRN'] });
    const request = {
      model: 'm',
      messages: [
        { role: 'system', content: [{ type: 'text', text: `상담원 ${RRN}` }] },
        { role: 'assistant', content: '환불받을 계좌번호를 알려주세요.' },
        { role: 'user', content: '110-123-456789' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'x',
              type: 'function',
              function: {
                name: 'f',
                arguments: `{"\\uc8fc\\ubbfc\\ubc88\\ud638":"${RRN}","n":${RRN.replace('-', '')}}`,
              },
            },
          ],
        },
        { role: 'tool', tool_call_id: 'x', content: `{"rrn":"${RRN}"}` },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: `예: ${RRN}`, parameters: { default: RRN } } }],
      response_format: { type: 'json_schema', json_schema: { name: 's', description: RRN } },
      stop: [RRN],
      user: RRN,
    };
    const before = structuredClone(request);
    const masked = await texts.maskChat(request);
    expect(request).toEqual(before);
    const sent = JSON.stringify(masked);
    expect(sent).not.toMatch(/960121|1234567|456789/);
    const restored = JSON.parse(texts.unmask(sent, 'json')) as typeof request;
    expect(restored.messages[2]?.content).toBe('110-123-456789');
    expect(masked.messages[1]).toEqual(before.messages[1]);
    expect(masked.tools[0]?.function.name).toBe('f');
  });

  it('are looked through in results of tools field by field, names and escapes too, and these stay JSON', async () => {
    covers('guard.everywhere');
    const texts = open({ types: ['BANK_ACCOUNT', 'RRN', 'PHONE'] });
    const result = {
      은행: '신한은행',
      no: '110-123-456789',
      owner: { rrn: Number(RRN.replace('-', '')) },
      calls: { '010-1234-5678': 3 },
    };
    const ascii = JSON.stringify(result).replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16)}`);
    const contents = [ascii, [{ type: 'text', text: ascii }], `rows: ${ascii}`];
    const { messages } = await texts.maskChat({
      messages: contents.map((content) => ({ role: 'tool', tool_call_id: 'x', content })),
    });
    expect(JSON.stringify(messages)).not.toMatch(/960121|456789|010-1234/);
    const sent = JSON.parse(messages[0]?.content as string) as Record<string, unknown>;
    expect(Object.keys(sent)).toEqual(Object.keys(result));
    expect(JSON.parse(texts.unmask(JSON.stringify(sent), 'json'))).toEqual({
      ...result,
      owner: { rrn: RRN.replace('-', '') },
    });
  });

  it('are looked through in turns, also where they are many and short', async () => {
    const messages = Array.from({ length: 20_000 }, () => ({ role: 'user', content: 'a' }));
    const { count } = await countTurns(() => open({ types: ['RRN'] }).maskChat({ messages }));
    expect(count).toBeGreaterThan(45);
    const empty = messages.map(({ role }) => ({ role, content: '' }));
    expect((await countTurns(() => open().maskChat({ messages: empty }))).count).toBeGreaterThan(45);
    // What stands before a text is looked at as well.
    const texts = open({ types: ['RRN'] });
    const before = await countTurns(async () => {
      for (let at = 0; at < 20; at++) await texts.mask('a', { before: `${'b'.repeat(10_000)}\n` });
    });
    expect(before.count).toBeGreaterThan(5);
  });

  it('are looked through however deep the JSON of arguments goes, or whatever else they hold', async () => {
    for (const args of [
      `${'['.repeat(200_000)}"${RRN}"`,
      `${'{"a":'.repeat(100)}"${RRN}"${'}'.repeat(100)}`,
      RRN,
      `"${RRN}"`,
    ]) {
      const call = { id: 'x', type: 'function', function: { name: 'f', arguments: args } };
      const masked = await open().maskChat({ messages: [{ role: 'assistant', content: null, tool_calls: [call] }] });
      expect(JSON.stringify(masked)).not.toContain(RRN);
    }
  });

  it('are counted once a call, and only what is new of a conversation', async () => {
    covers('guard.counts');
    counted.length = 0;
    await open().maskChat({
      messages: [
        { role: 'user', content: `${RRN} ${PHONE}` },
        { role: 'assistant', content: RRN },
        { role: 'user', content: `010-9999-8888 and 010-9999-8888 for ${RRN}` },
      ],
    });
    expect(counted).toEqual(['ours chat PHONE']);
  });

  it('are refused with the types and the place, never the value', async () => {
    covers('guard.refuse');
    const texts = open({ mode: 'refuse' });
    await texts.maskChat({
      messages: [
        { role: 'system', content: 'x' },
        { role: 'user', content: `${RRN} ${PHONE}` },
      ],
    });
    expect(() => texts.check()).toThrow(
      expect.objectContaining({
        code: 'unprocessable',
        param: 'messages[1].content',
        message: expect.stringMatching(/\(PHONE, RRN\)/) as string,
      }) as StudioError,
    );
    expect(() => texts.check()).toThrow(expect.not.stringContaining('960121') as string);
    const fine = open({ mode: 'refuse' });
    await fine.mask('nothing');
    fine.check();
  });

  it('are only looked at by report, and lists say what is found', async () => {
    covers('guard.report', 'guard.lists');
    const texts = open({ mode: 'report' });
    expect(await texts.mask(RRN)).toBe(RRN);
    expect([...texts.found]).toEqual([['RRN', 1]]);
    expect(texts.changed).toBe(false);
    texts.check();
    const listed = open({ allow_list: [PHONE], deny_list: ['Orion'] });
    expect(await listed.mask(`orion ${PHONE} 010-2222-3333`)).toMatch(
      new RegExp(String.raw`^\[CUSTOM_\w{8}\] ${PHONE} \[PHONE_\w{8}\]$`),
    );
  });

  it('are hidden in failures and their causes', () => {
    covers('guard.log');
    const cause = new Error(`unexpected ${RRN}`);
    const error = new StudioError('invalid_request', `model ${RRN} is none`, { param: 'model', cause });
    const hidden = guard.hideInError(policyOf(), error) as StudioError;
    expect(hidden).toMatchObject({ code: 'invalid_request', param: 'model', message: 'model ******-******* is none' });
    const inner = hidden.cause as Error;
    expect(`${inner.message}${inner.stack}`).not.toContain(RRN);
  });

  it.each([0, 12])('come back the same in any pieces, and never half a token, beside %d others', async (others) => {
    covers('guard.stream', 'pii.unmask.stream');
    const words = Array.from({ length: others }, (_, at) => `Orion ${String.fromCharCode(0x61 + at)}`);
    const texts = open({ deny_list: ['Orion', 'ORION RISING', ...words] });
    for (const word of words) await texts.mask(word);
    const values = [RRN, PHONE, 'Orion', 'ORION RISING', '4111 1111 1111 1111', 'kim@example.kr'];
    const tokens: string[] = [];
    for (const value of values) tokens.push(await texts.mask(value));
    const cores = tokens.map((token) => token.slice(1, -1));
    const part = fc.oneof(
      fc.constantFrom(...tokens, ...cores),
      fc.constantFrom(...cores).map((core) => core.replaceAll('_', String.raw`\_`)),
      fc.constantFrom('[', ']', '\\', '_', 'RRN', '[RRN_', 'P', '[PHONE_22222222]', '안녕', ' ', 'PHONE_', 'O', '😀'),
      fc.tuple(fc.constantFrom(...tokens), fc.nat(20)).map(([token, length]) => token.slice(0, length)),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(120), { maxLength: 12 }), (parts, cuts) => {
        const text = parts.join('');
        const stream = texts.unmaskStream();
        const places = [0, ...cuts.map((cut) => Math.min(cut, text.length)), text.length].toSorted((a, b) => a - b);
        let out = '';
        for (const [at, place] of places.entries()) {
          const piece = text.slice(places[at - 1] ?? 0, place);
          // Pieces without tokens need not be decoded.
          out += stream.leaves(toJsonText(piece)) ? piece : stream.push(piece);
        }
        out += stream.end();
        expect(out).toBe(texts.unmask(text));
        for (const core of cores) expect(out).not.toContain(core);
      }),
      { numRuns: times(300, 3_000) },
    );
  });

  it('give nothing of a token that was cut off', async () => {
    const texts = open();
    const token = await texts.mask(RRN);
    for (let length = 6; length < token.length - 1; length++)
      expect(texts.unmask(`A ${token.slice(0, length)}`)).toBe('A ');
    expect(texts.unmask('A [RRN')).toBe('A [RRN');
  });

  it('mask then unmask is the identity, and masking what was masked changes nothing', async () => {
    covers('guard.identity');
    const value = fc.oneof(
      fc.constantFrom(
        RRN,
        PHONE,
        '４１１１-1111-1111-1111',
        'kim@example.kr',
        'M12345678',
        '홍길동 님',
        '서울시 강남구 테헤란로 123',
      ),
      anyText({ maxLength: 20 }),
      fc.constantFrom('주민번호 ', '[', ']', '\n', ' 여권번호: ', '이고 '),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(value, { maxLength: 8 }), async (parts) => {
        const text = parts.join('');
        const texts = open();
        const masked = await texts.mask(text);
        expect(texts.unmask(masked)).toBe(text);
        expect(await open().mask(masked)).toBe(masked);
      }),
      { numRuns: times(100, 500) },
    );
  });
});
