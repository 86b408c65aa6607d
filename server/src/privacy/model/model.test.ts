import { defaultGuardPolicy } from '@ai-studio/contract/utilities/guard.ts';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../../kernel/actor.ts';
import type { TenantId } from '../../kernel/context.ts';
import { covers } from '../../../test/requirements.ts';
import { findPii } from '../find.ts';
import { tryText } from '../trial.ts';
import { type AskModel, findByModel, type ModelSearch } from './find-by-model.ts';
import { createFinder } from './finder.ts';
import { splitText } from './parts.ts';

type Ask = (text: string) => string | Promise<string>;
const asking = (answer: Ask): AskModel => ({
  has: () => true,
  ask: (_actor, { text }) => Promise.resolve().then(() => answer(text)),
});
const actor: Principal = { tenantId: 'a'.repeat(32) as TenantId, keyId: null, userId: null };
const spend = () => undefined;
const values = (...list: readonly [string, string][]) =>
  JSON.stringify({ values: list.map(([type, text]) => ({ type, text })) });
const search = { find: (...given: Parameters<typeof findPii>) => Promise.resolve(findPii(...given)) };

const text = '어제 남궁민수와 이수가 이수역에서 만났다. Ann met Annabel.';
const cut = async (ask: AskModel, types: ModelSearch['types'] = ['PERSON', 'ADDRESS']) => {
  const { findings, failure } = await findByModel(ask, actor, { model: 'm', text, types, spend });
  return { found: findings.map(({ start, end }) => text.slice(start, end)), failure };
};

describe('a chat model as a recogniser', () => {
  it('gives what stands in the text as a word, wherever it stands', async () => {
    covers('pii.model');
    const ask = asking(
      () => `Sure:\n\`\`\`json\n${values(['PERSON', '남궁민수'], ['PERSON', 'Ann'], ['PERSON', '없는이'])}\n\`\`\``,
    );
    expect(await cut(ask)).toEqual({ found: ['남궁민수', 'Ann'], failure: null });
  });

  it('is asked for names and addresses alone', async () => {
    const ask = asking(() => values(['ADDRESS', '이수역'], ['PERSON', '이수']));
    expect((await cut(ask, ['PERSON'])).found).toEqual(['이수']);
    expect(
      await cut(
        asking(() => expect.fail('not asked')),
        ['RRN'],
      ),
    ).toEqual({ found: [], failure: null });
  });

  it('says why it did not look, and fails nothing', async () => {
    covers('pii.model.failure');
    const wrong = ['no', '{}', '{"values":[{"type":"RRN","text":"남궁민수"}]}', '{"values":"x"}', ''];
    for (const answer of wrong) {
      const { found, failure } = await cut(asking(() => answer));
      expect([found, failure]).toEqual([[], expect.stringMatching(/form/)]);
    }
    const away = await cut(asking(() => Promise.reject(new Error('it is away'))));
    expect(away).toEqual({ found: [], failure: 'it is away' });
    const finder = createFinder({ search, askModel: asking(() => 'no') }, actor, {
      model: 'm',
      types: ['PERSON', 'RRN'],
    });
    const found = await finder.open()('주민번호 960121-1234567', { types: ['RRN'] });
    expect(found).toMatchObject([{ type: 'RRN' }]);
    expect(finder.recogniserReport()).toEqual({
      recognizers: ['resident_number', 'person_rules'],
      failed_recognizers: [{ name: 'model:m', reason: expect.any(String) as string }],
    });
  });

  it('takes no value of the rules and none of the allow list, and reads each text once', async () => {
    let asked = 0;
    const askModel = asking((part) => {
      asked++;
      return part.includes('960121') ? values(['PERSON', '960121-1234567'], ['PERSON', '봄내음이']) : values();
    });
    const trial = {
      text: '봄내음이 960121-1234567',
      types: ['PERSON', 'RRN'] as const,
      threshold: 0.5,
      by_policy: true,
    };
    const policy = { ...defaultGuardPolicy, recognizer_model: 'm' };
    const whole = await tryText({ search, askModel }, actor, { ...trial, types: [...trial.types], policy });
    expect(whole.masked_text).toBe('**** ******-*******');
    expect(whole.findings.map(({ type, recognizer }) => [type, recognizer])).toEqual([
      ['PERSON', 'model'],
      ['RRN', 'resident_number'],
    ]);
    expect(asked).toBe(1);
    const allowed = await tryText({ search, askModel }, actor, {
      ...trial,
      types: [...trial.types],
      policy: { ...policy, allow_list: ['봄내음이'] },
    });
    expect(allowed.masked_text).toBe('봄내음이 ******-*******');
  });

  it('reads long texts in parts that make up the whole', async () => {
    const long = `${'가나다라 마바사. '.repeat(1_000)}남궁민수${'\n'.repeat(50)}`.repeat(2);
    const parts = splitText(long);
    expect(parts.map((part) => part.text).join('')).toBe(long);
    expect(Math.max(...parts.map((part) => part.text.length))).toBeLessThanOrEqual(3_000);
    for (const { start, text: part } of parts) expect(long.slice(start, start + part.length)).toBe(part);
    const { findings } = await findByModel(
      asking(() => values(['PERSON', '남궁민수'])),
      actor,
      { model: 'm', text: long, types: ['PERSON'], spend },
    );
    expect(findings.map(({ start, end }) => long.slice(start, end))).toEqual(['남궁민수', '남궁민수']);
    const endless = await findByModel(
      asking(() => values()),
      actor,
      { model: 'm', text: 'x '.repeat(200_000), types: ['PERSON'], spend },
    );
    expect(endless.failure).toMatch(/too long/);
  });
});
