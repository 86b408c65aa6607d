import { createHash } from 'node:crypto';
import { piiOperators, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { covers } from '../../test/requirements.ts';
import { findPii, maskText } from './index.ts';
import type { FindPolicy } from './find.ts';
import { type KeyedWriters, maskTextWith } from './mask.ts';
import { longestHostileTexts } from '../../../packages/documents/src/chunk/hostile.fixture.ts';
import { inTurns, VALUES_A_TURN } from '../kernel/turns.ts';
import { type Unmasked, unmaskSteps, type ValueLookup } from './unmask.ts';
import { TOKEN_ALPHABET } from './placeholder.ts';
import { times } from '../../test/support/long.ts';

/** Does all of unmaskSteps at once. */
function unmaskText(text: string, values: ValueLookup): Unmasked {
  const steps = unmaskSteps(text, values);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Values, words around them and what joins them, as they come in texts, and in ones that nobody would write. */
const pieces = fc.constantFrom(
  ...'960121-1234567 9601211021413 911124-5678906 11-22-123456-12 M123A4567 M12345678 110-123-456789 3333-01-1234567 4111111111111111 4111-1111-1111-1111 010-1234-5678 02)345-6789 +82-10-1234-5678 hong@naver.com 104-86-56659 110111-1234567 12가3456 192.168.0.12 2001:db8::1 aa:bb:cc:dd:ee:ff DE89370400440532013000 123-45-6789 356938035643809 0x52908400098527886E0F7030069857D2E4169EE7 sk-abcdefghijklmnopqrstuvwx abc1234! 2024-01-15 １２３ ４－５ 9 6 0 1 2 1 홍길동 김서준 과장님 님 씨 서울시 강남구 테헤란로 123 역삼동 101동 1502호 주민번호 계좌번호: 여권 카드 법인 주문번호 비밀번호는 연락처 성명: IP 입니다 은 을 [RRN] [ ] * - . , ( ) \u200b \u00ad 😀 각 é a 7 \\u0039\\u0036 \\uc8fc 960121\\u002d1234567'.split(
    ' ',
  ),
);
const glue = fc.constantFrom('', '', ' ', ' ', '\n', '-', '  ', '\u3000', ', ', '\u200b');
const texts = fc
  .array(fc.tuple(pieces, glue), { minLength: 1, maxLength: 14 })
  .map((list) => list.map(([piece, join]) => piece + join).join(''));
const policies = fc.record({
  types: fc.subarray([...piiTypes], { minLength: 1 }),
  operator: fc.constantFrom(...piiOperators),
  threshold: fc.constantFrom(0.3, 0.5, 0.8),
  denyList: fc.constantFrom([], ['abc'], ['각'], ['-'], ['RRN'], ['10']),
  allowList: fc.constantFrom([], ['01012345678']),
});

const digest = (value: string) => createHash('sha256').update(value).digest();

/** Writers as the vault has them, without a key. */
function memory(reversible: boolean) {
  const tokens = new Map<string, string>();
  const keyed: KeyedWriters = {
    hash: (type, value) => `[${type}:${digest(value).toString('hex').slice(0, 16)}]`,
    encrypt: (type, value) => `[${type}:v1.00000000.${Buffer.from(value.padEnd(32)).toString('base64url')}]`,
    ...(reversible
      ? {
          token(type: string, value: string) {
            const bytes = digest(`${type} ${value}`).subarray(0, 8);
            const id = Array.from(bytes, (byte) => TOKEN_ALPHABET[byte % 32] ?? '').join('');
            tokens.set(`[${type}_${id}]`, value);
            return `[${type}_${id}]`;
          },
        }
      : {}),
  };
  const values: ValueLookup = { ofToken: (token) => tokens.get(token) ?? null, ofSealed: () => null };
  return { keyed, values };
}

describe('masking', () => {
  test('offsets cut the original exactly, in order, without overlap', () => {
    covers('pii.offsets');
    fc.assert(
      fc.property(texts, policies, (text, policy) => {
        const { findings, text: masked } = maskText(text, policy, memory(false).keyed);
        let [rebuilt, done] = ['', 0];
        for (const { start, end, replacement } of findings) {
          expect(start).toBeGreaterThanOrEqual(done);
          expect(end).toBeGreaterThan(start);
          rebuilt += text.slice(done, start) + replacement;
          done = end;
        }
        expect(done).toBeLessThanOrEqual(text.length);
        expect(rebuilt + text.slice(done)).toBe(masked);
      }),
      { numRuns: times(300, 1_500) },
    );
  });

  test('masking twice changes nothing', () => {
    covers('pii.twice');
    fc.assert(
      fc.property(texts, policies, fc.boolean(), (text, policy, reversible) => {
        const { keyed } = memory(reversible);
        const once = maskText(text, policy, keyed).text;
        expect(maskText(once, policy, keyed).text).toBe(once);
      }),
      { numRuns: times(600, 3_000) },
    );
  });

  test('mask then unmask gives the text again', () => {
    covers('pii.unmask');
    fc.assert(
      fc.property(texts, policies, (text, policy) => {
        const { keyed, values } = memory(true);
        const masked = maskText(text, { ...policy, operator: 'mask' }, keyed).text;
        expect(unmaskText(masked, values).text).toBe(text);
      }),
      { numRuns: times(300, 1_500) },
    );
  });

  test('stars keep separators and length, also for letters outside the basic plane', () => {
    covers('pii.operator.mask');
    expect(maskText('주민번호 960121-1234567').text).toBe('주민번호 ******-*******');
    expect(maskText('mail: Hong.kim@naver.com', { types: ['EMAIL'] }).text).toBe('mail: ****.***@*****.***');
    expect(maskText('a 𝐀𝐁 b', { denyList: ['𝐀𝐁'] }).text).toBe('a **** b');
  });

  test('each operator has its form, also by type', () => {
    covers('pii.operator', 'pii.operator.by-type');
    const text = '주민번호 960121-1234567, 카드 4111-1111-1111-1111';
    const { keyed } = memory(false);
    expect(maskText(text, { operator: 'replace' }).text).toBe('주민번호 [RRN], 카드 [CREDIT_CARD]');
    expect(maskText(text, { operator: 'redact' }).text).toBe('주민번호 , 카드 ');
    expect(maskText(text, { operator: 'hash' }, keyed).text).toMatch(
      /^주민번호 \[RRN:[0-9a-f]{16}\], 카드 \[CREDIT_CARD:[0-9a-f]{16}\]$/,
    );
    expect(maskText(text, { operator: { RRN: 'redact', DEFAULT: 'replace' } }).text).toBe(
      '주민번호 , 카드 [CREDIT_CARD]',
    );
    expect(maskText(text, { operator: { CREDIT_CARD: 'replace' } }).text).toBe(
      '주민번호 ******-*******, 카드 [CREDIT_CARD]',
    );
  });

  test('what the removal of a value brings together is found', () => {
    const text = '010-12hong@naver.com34-5678';
    const policy = { types: ['EMAIL', 'PHONE'], operator: 'redact' } as const;
    const once = maskText(text, policy).text;
    expect(maskText(once, policy).text).toBe(once);
  });

  test('lists, threshold and types say what is found', () => {
    covers('pii.types', 'pii.threshold', 'pii.lists');
    const text = '신규 프로젝트 백두산, 010-1234-5678, 주민번호 960121-1234567';
    const found = (policy: Parameters<typeof findPii>[1]) =>
      findPii(text, policy).map(({ type, start, end }) => [type, text.slice(start, end)]);
    expect(found({})).toEqual([['RRN', '960121-1234567']]);
    expect(found({ types: ['PHONE'] })).toEqual([['PHONE', '010-1234-5678']]);
    expect(found({ types: ['PHONE', 'RRN'], threshold: 1 })).toEqual([]);
    expect(found({ denyList: ['백두산'] })).toEqual([
      ['CUSTOM', '백두산'],
      ['RRN', '960121-1234567'],
    ]);
    expect(found({ types: ['PHONE', 'RRN'], allowList: ['01012345678'] })).toEqual([['RRN', '960121-1234567']]);
  });
});

/** Calls of `work` with a number, and how many of them came in the turn of the event loop that had most. */
async function mostInOneTurn(work: (note: () => void) => Promise<unknown>): Promise<number> {
  let [most, inThis, over] = [0, 0, false];
  const turn = () => {
    inThis = 0;
    if (!over) setImmediate(turn);
  };
  turn();
  await work(() => {
    most = Math.max(most, ++inThis);
  });
  over = true;
  return most;
}

describe('texts with very many values', () => {
  const count = 200_000;
  const value = '960121-1234567';
  const step = value.length + 1;
  const long = `${value} `.repeat(count);

  test('are masked in turns, and their findings are gone through once', async () => {
    let asked = 0;
    /** Finds all, and what they became once more: as where masks bring values together everywhere. */
    const find = (text: string) => {
      const length = text.length / count;
      const found = Array.from({ length: asked++ < 2 ? count : 0 }, (_, at) => ({
        type: 'RRN' as const,
        start: at * length,
        end: at * length + (length === step ? 14 : length - 1),
        score: 1,
      }));
      return Promise.resolve(found);
    };
    const { keyed } = memory(false);
    const most = await mostInOneTurn(async (note) => {
      const hash: KeyedWriters['hash'] = () => {
        note();
        return '[RRN:0123456789abcdef]';
      };
      const masked = await maskTextWith(find, long, { operator: 'hash' }, { ...keyed, hash });
      expect(masked.findings).toHaveLength(count);
      expect(masked.text).toBe('[RRN:0123456789abcdef] '.repeat(count));
    });
    expect(asked).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(VALUES_A_TURN);
  });

  test('are unmasked in turns', async () => {
    const most = await mostInOneTurn(async (note) => {
      const values: ValueLookup = {
        ofToken: () => null,
        ofSealed() {
          note();
          return value;
        },
      };
      const sealed = `[RRN:v1.00000000.${'A'.repeat(40)}] `;
      const { text, restored } = await inTurns(unmaskSteps(sealed.repeat(20_000), values));
      expect(restored).toBe(20_000);
      expect(text).toBe(`${value} `.repeat(20_000));
    });
    expect(most).toBeLessThanOrEqual(VALUES_A_TURN);
  });
});

describe('the longest texts that nobody would write', () => {
  test('are looked through once, where nothing is found in them', async () => {
    for (const [name, text] of longestHostileTexts()) {
      let looked = 0;
      const find = (part: string, policy: FindPolicy) => {
        looked += part.length;
        return Promise.resolve(findPii(part, policy));
      };
      const masked = await maskTextWith(find, text, { operator: 'replace' });
      expect(masked.text === text, name).toBe(true);
      expect(looked, name).toBe(text.length);
    }
  });

  test('with values in them are looked through a bounded number of times', async () => {
    for (const [name, text] of longestHostileTexts()) {
      const values = Array.from({ length: 40 }, (_, at) => text.slice(at * 50_000, (at + 1) * 50_000 - 20)).join(
        ' 960121-1234567 ',
      );
      let looked = 0;
      const find = (part: string, policy: FindPolicy) => {
        looked += part.length;
        return Promise.resolve(findPii(part, policy));
      };
      const masked = await maskTextWith(find, values, { operator: 'replace', types: ['RRN'] });
      expect(masked.findings.length, name).toBe(39);
      expect(looked, name).toBeLessThan(3 * values.length);
    }
  });
});
