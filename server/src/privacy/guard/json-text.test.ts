import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { covers } from '../../../test/requirements.ts';
import { countTurns } from '../../../test/support/turns.ts';
import { maskText } from '../index.ts';
import { maskChatTexts } from './chat-text.ts';
import { maskAsText, parseJson } from './json-text.ts';

const RRN = '960121-1234567';
const mask = (text: string) =>
  Promise.resolve(maskText(text, { types: ['RRN', 'BANK_ACCOUNT'], operator: 'replace' }).text);

const texts = fc.oneof(fc.string(), fc.constantFrom(RRN, '', '은행', '국민은행', '110-123-456789', '\v', 'a\fb', '\n'));
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.integer(),
    fc.constantFrom(true, null, 0.5),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4 }),
  ),
})).value;

describe('JSON as one text', () => {
  it('comes back as it was where nothing changes, or says that it cannot', async () => {
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const same = await maskAsText(value, (text) => Promise.resolve(text));
        if (same !== null) expect(same.value).toEqual(value);
        else expect(JSON.stringify(value)).toMatch(/\\[vfu]/);
      }),
    );
  });

  it('keeps its form, and each value its field', async () => {
    covers('guard.everywhere');
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        const masked = await maskAsText(value, mask);
        if (masked === null) return;
        expect(JSON.stringify(masked.value)).not.toContain(RRN);
        const bare = (one: unknown) => JSON.stringify(one).replaceAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*/g, '_');
        expect(bare(masked.value)).toBe(bare(value));
      }),
    );
    const rows = { rows: [{ bank: '국민은행', no: '110-123-456789' }, { [RRN]: 1 }, Number(RRN.replace('-', ''))] };
    expect(await maskAsText(rows, mask)).toEqual({
      value: { rows: [{ bank: '국민은행', no: '[BANK_ACCOUNT]' }, { '[RRN]': 1 }, '[RRN]'] },
    });
  });

  it('does not guess where marks are missing', async () => {
    expect(await maskAsText({ a: 'b' }, () => Promise.resolve('x'))).toBeNull();
    expect(await maskAsText({ a: `x\v ${RRN}` }, mask)).toBeNull();
  });

  it('keeps a value that holds one of the marks', async () => {
    const row = { a: `b\fc`, no: RRN };
    expect(await maskAsText(row, mask)).toBeNull();
    const { messages } = await maskChatTexts({ messages: [{ role: 'tool', content: JSON.stringify(row) }] }, mask);
    expect(JSON.parse(String(messages[0]?.content))).toEqual({ a: `b\fc`, no: '[RRN]' });
  });

  it('lets other work run while a large one is masked', async () => {
    const row = { name: 'Dana', note: 'x'.repeat(20), no: RRN };
    const rows = JSON.stringify({ rows: Array.from({ length: 50_000 }, () => row) });
    const cheaply = (text: string) => Promise.resolve(text.replaceAll(RRN, '[RRN]'));
    const stringify = vi.spyOn(JSON, 'stringify');
    const turns = await countTurns(() => maskChatTexts({ messages: [{ role: 'tool', content: rows }] }, cheaply));
    const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
    stringify.mockRestore();
    expect(turns.result.messages[0]?.content).toBe(rows.replaceAll(RRN, '[RRN]'));
    // 300,000 keys and values are written, counted twice and put back.
    expect(turns.count).toBeGreaterThan(100);
    expect(longest).toBeLessThan(rows.length / 5);
  });

  it.each(['', '\v'])('leaves numbers that are longer than the language holds as they are (%j)', async (odd) => {
    const row = `{"id":12345678901234567890,"share":0.12345678901234567891,"odd":${JSON.stringify(odd)},"no":"${RRN}"}`;
    const { messages } = await maskChatTexts({ messages: [{ role: 'tool', content: row }] }, mask);
    expect(messages[0]?.content).toBe(row.replace(RRN, '[RRN]'));
    const bare = `{"id":12345678901234567890,"no":${RRN.replace('-', '')}}`;
    expect(JSON.stringify((await maskAsText(parseJson(bare), mask))?.value)).toBe(
      '{"id":12345678901234567890,"no":"[RRN]"}',
    );
  });
});
