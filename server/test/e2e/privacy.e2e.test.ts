import { type PiiMaskResult, type PiiUnmaskResult, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { covers } from '../requirements.ts';
import { makeKey, usageSlices } from '../support/command.ts';
import { eventually } from '../support/eventually.ts';
import { call, jsonOf } from '../support/http.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({
    config: { server: { json_bytes: 100_000 }, log: { level: 'debug', format: 'json' } },
  });
});
afterAll(() => service.close());

interface Envelope<T> {
  readonly status: { readonly code: string; readonly message: string };
  readonly result?: T;
  readonly usage?: { readonly total_tokens: number };
}
type One<T> = Exclude<T, { readonly items: unknown }>;
type Many<T> = Extract<T, { readonly items: unknown }>;

async function ask<T>(
  path: string,
  body: object,
): Promise<{ readonly result: T; readonly tokens: number | undefined }> {
  const reply = await call(service, path, { body });
  expect(reply.status, reply.text).toBe(200);
  const { status, result, usage } = jsonOf<Envelope<T>>(reply);
  expect(status).toEqual({ code: '20000', message: 'OK' });
  return { result: result as T, tokens: usage?.total_tokens };
}
const mask = async (body: object) => (await ask<One<PiiMaskResult>>('/v1/text/pii-mask', body)).result;
const unmask = async (body: object) => (await ask<One<PiiUnmaskResult>>('/v1/text/pii-unmask', body)).result;

const text = '주민번호는 960121-1234567이고 전화는 010-1234-5678입니다. 😀 여권 M12345678';

describe('POST /text/pii-mask', () => {
  test('masks under both prefixes and tells what it found', async () => {
    covers('pii.mask', 'pii.offsets', 'pii.recognizers');
    for (const path of ['/v1/text/pii-mask', '/api/v1/text/pii-mask/']) {
      const { result, tokens } = await ask<One<PiiMaskResult>>(path, { text });
      expect(tokens).toBe(countTokens(text));
      expect(result).toEqual({
        model: 'studio-privacy',
        recognizers: ['resident_number', 'driver_license', 'passport', 'bank_account', 'credit_card'],
        original_text: text,
        masked_text: '주민번호는 ******-*******이고 전화는 010-1234-5678입니다. 😀 여권 *********',
        detected_pii_count: 2,
        entities: [
          { type: 'RRN', start: 6, end: 20, score: expect.any(Number) as number, replacement: '******-*******' },
          { type: 'PASSPORT', start: 51, end: 60, score: expect.any(Number) as number, replacement: '*********' },
        ],
      });
      expect(text.slice(51, 60)).toBe('M12345678');
    }
  });

  test('gives a list for a list', async () => {
    covers('pii.items');
    const { result, tokens } = await ask<Many<PiiMaskResult>>('/v1/text/pii-mask', { text: [text, 'nothing'] });
    expect(result.items.map((one) => one.detected_pii_count)).toEqual([2, 0]);
    expect(result.items[1]).toEqual({
      original_text: 'nothing',
      masked_text: 'nothing',
      detected_pii_count: 0,
      entities: [],
    });
    expect(tokens).toBe(countTokens(text) + countTokens('nothing'));
  });

  test('takes long texts', async () => {
    covers('pii.linear');
    const long = `${'오늘은 날씨가 좋다. '.repeat(2_500)}${text}`;
    const { masked_text, entities } = await mask({ text: long, return_original: false });
    expect(entities.map(({ start, end }) => long.slice(start, end))).toEqual(['960121-1234567', 'M12345678']);
    expect(masked_text.endsWith('여권 *********')).toBe(true);
  });

  test('looks for what is asked for', async () => {
    covers('pii.types', 'pii.threshold', 'pii.lists', 'pii.return_original');
    const types = async (more: object) => (await mask({ text, ...more })).entities.map(({ type }) => type);
    expect(await types({ pii_types: ['PHONE'] })).toEqual(['PHONE']);
    expect(await types({ pii_types: ['ALL'] })).toEqual(['RRN', 'PHONE', 'PASSPORT']);
    expect(await types({ pii_types: null, threshold: 0.93 })).toEqual(['PASSPORT']);
    expect(await types({ allow_list: ['M12345678'], deny_list: ['전화'] })).toEqual(['RRN', 'CUSTOM']);
    expect(await mask({ text, return_original: false })).not.toHaveProperty('original_text');
    expect((await mask({ text: 'x', pii_types: ['ALL'] })).recognizers.length).toBeLessThanOrEqual(piiTypes.length);
  });

  test('has five operators, also by type', async () => {
    covers('pii.operator', 'pii.operator.by-type', 'pii.hash');
    const of = async (operator: unknown, value = '960121-1234567') =>
      (await mask({ text: `주민번호 ${value}`, operator })).masked_text.slice(5);
    expect(await of('mask')).toBe('******-*******');
    expect(await of('replace')).toBe('[RRN]');
    expect(await of('redact')).toBe('');
    expect(await of({ RRN: 'replace', DEFAULT: 'redact' })).toBe('[RRN]');
    const hash = await of('hash');
    expect(hash).toMatch(/^\[RRN:[0-9a-f]{16}\]$/);
    expect(await of('hash', '9601211234567')).toBe(hash);
    expect(await of('hash', '960121-1234568')).not.toBe(hash);
    const sealed = await of('encrypt');
    expect(sealed).toMatch(/^\[RRN:v1\..*\]$/);
    expect((await unmask({ text: sealed })).unmasked_text).toBe('960121-1234567');
  });

  test('writes tokens that are turned back', async () => {
    covers('pii.reversible', 'pii.unmask');
    const first = await mask({ text, reversible: true, pii_types: ['ALL'] });
    const { session_id, expires_at = '', masked_text } = first;
    expect(masked_text).toMatch(
      /^주민번호는 \[RRN_\w{8}\]이고 전화는 \[PHONE_\w{8}\]입니다\. 😀 여권 \[PASSPORT_\w{8}\]$/,
    );
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now() + 23 * 3_600_000);
    expect(await unmask({ text: masked_text, session_id })).toEqual({
      model: 'studio-privacy',
      unmasked_text: text,
      restored_count: 3,
    });
    const again = await mask({
      text: '다시 010-1234-5678, 새로 010-9999-8888',
      reversible: true,
      pii_types: ['PHONE'],
      session_id,
    });
    expect(again.entities[0]?.replacement).toBe(first.entities[1]?.replacement);
    expect((await unmask({ text: again.masked_text, session_id })).unmasked_text).toBe(
      '다시 010-1234-5678, 새로 010-9999-8888',
    );
    const other = await mask({ text, reversible: true, pii_types: ['ALL'] });
    expect(other.masked_text).not.toBe(masked_text);
    expect((await unmask({ text: masked_text, session_id: other.session_id })).unmasked_text).toBe(masked_text);
  });

  test('says in the envelope what is wrong', async () => {
    covers('pii.errors', 'pii.unmask.tenant');
    const refusals: [string, unknown, number, string, RegExp][] = [
      ['mask', {}, 400, '40001', /text/],
      ['mask', { text: '' }, 400, '40001', /text/],
      ['mask', { text: [] }, 400, '40001', /text/],
      ['mask', { text: ['a', ''] }, 400, '40001', /text/],
      ['mask', { text: 'a', pii_types: ['NAME'] }, 400, '40001', /pii_types/],
      ['mask', { text: 'a', pii_types: [] }, 400, '40001', /pii_types/],
      ['mask', { text: 'a', operator: 'hide' }, 400, '40001', /operator/],
      ['mask', { text: 'a', operator: { RRN: 'hide' } }, 400, '40001', /operator/],
      ['mask', { text: 'a', treshold: 0.9 }, 400, '40001', /treshold .*threshold/],
      ['mask', { text: 'a', threshold: 2 }, 400, '40001', /threshold/],
      ['mask', { text: 'a', language: 'fr' }, 400, '40001', /language/],
      ['mask', { text: 'a', deny_list: [''] }, 400, '40001', /deny_list/],
      ['mask', { text: 'a', session_id: '0'.repeat(32) }, 400, '40001', /reversible/],
      ['mask', { text: 'a', reversible: true, session_id: '0'.repeat(32) }, 404, '40400', /session_id/],
      ['mask', '{', 400, '40000', /JSON/],
      ['mask', { text: 'a'.repeat(200_000) }, 413, '41300', /larger/],
      ['unmask', { text: 'a', session_id: 'x' }, 400, '40001', /session_id/],
      ['unmask', { text: 'a', session_id: '0'.repeat(32) }, 404, '40400', /session_id/],
    ];
    for (const [verb, body, status, code, message] of refusals) {
      const reply = await call(service, `/v1/text/pii-${verb}`, { body });
      const { status: told, result } = jsonOf<Envelope<unknown>>(reply);
      expect([reply.status, told.code], told.message).toEqual([status, code]);
      expect(told.message).toMatch(message);
      expect(result).toBeUndefined();
    }
    const wrong = await call(service, '/v1/text/pii-mask', { body: { text: 'a' }, key: 'wrong' });
    expect(jsonOf<Envelope<unknown>>(wrong).status.code).toBe('40100');
    const plain = await call(service, '/v1/text/pii-mask', {
      body: 'text=a',
      headers: { 'content-type': 'text/plain' },
    });
    expect(jsonOf<Envelope<unknown>>(plain).status.code).toBe('41500');
  });

  test('counts, and logs no value', async () => {
    covers('pii.usage', 'pii.log');
    const { id, value } = await makeKey(service);
    const reply = await call(service, '/v1/text/pii-mask', {
      key: value,
      body: { text, reversible: true, pii_types: ['ALL'] },
    });
    expect(reply.status).toBe(200);
    await eventually(async () => {
      const [slice] = await usageSlices(service, id);
      expect(slice).toMatchObject({
        calls: 1,
        endpoint: 'text/pii-mask',
        model: 'studio-privacy',
        status: 200,
        prompt_tokens: countTokens(text),
      });
    });
    for (const body of [
      `{"text":"960121-1234567`,
      { text: { '960121-1234567': 1 } },
      { text: ['960121-1234567', 5] },
    ]) {
      const refused = await call(service, '/v1/text/pii-mask', { body });
      expect(refused.status).toBe(400);
      expect(refused.text).not.toContain('1234567');
    }
    expect(service.output()).toContain('pii-mask');
    for (const secret of ['1234567', '1234-5678', 'M12345678']) expect(service.output()).not.toContain(secret);
  });
});
