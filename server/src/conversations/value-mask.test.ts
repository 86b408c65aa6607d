import type { Citation } from '@ai-studio/contract/agents/run.ts';
import { describe, expect, test } from 'vitest';
import { createSecretBox } from '../kernel/secret-box.ts';
import { maskCitations, openValueMask, unmaskMessage, withoutCutTokens } from './value-mask.ts';

const box = createSecretBox(Buffer.alloc(32, 7));
const id = 'f'.repeat(32);
const bare = openValueMask(box, { id, personal: null });
const phone = ['[PHONE_AAAAAAAA]', '010-1234-5678'] as const;

describe('the value mask of a conversation', () => {
  test('keeps the places of what was found in a source, whatever stands before them', () => {
    const mask = bare.with(new Map([phone]));
    const content = `전화 ${phone[1]}, 찾은 말 ${phone[1]}`;
    const start = content.indexOf('찾은');
    const source = { title: '', content, matches: [{ start, end: content.length }] } as Partial<Citation> as Citation;
    const [kept] = maskCitations(mask.mask, [source]);
    const [place] = kept?.matches ?? [];
    expect(kept?.content.slice(place?.start, place?.end)).toBe(`찾은 말 ${phone[0]}`);
    expect(maskCitations(mask.unmask, kept === undefined ? [] : [kept])).toEqual([source]);
    expect(maskCitations(mask.mask, [{ title: phone[1], content: '' } as Citation])).toEqual([
      { title: phone[0], content: '' },
    ]);
  });

  test('without values changes no text and seals nothing', () => {
    expect(bare.sealed).toBeNull();
    expect(bare.mask('010-1234-5678 [PHONE_AAAAAAAA]')).toBe('010-1234-5678 [PHONE_AAAAAAAA]');
    expect(bare.unmask('[PHONE_AAAAAAAA]')).toBe('[PHONE_AAAAAAAA]');
    expect(bare.with(new Map())).toBe(bare);
  });

  test('puts tokens in place of values, all of them, the longest first, and values back', () => {
    const mask = bare.with(
      new Map([
        ['[NAME_AAAAAAAA]', 'Orion'],
        ['[NAME_BBBBBBBB]', 'Orion (Two).*'],
      ]),
    );
    const text = 'Orion, Orion (Two).* and Orion';
    const masked = '[NAME_AAAAAAAA], [NAME_BBBBBBBB] and [NAME_AAAAAAAA]';
    expect(mask.mask(text)).toBe(masked);
    expect(mask.unmask(masked)).toBe(text);
    expect(mask.unmask('[NAME_CCCCCCCC]')).toBe('[NAME_CCCCCCCC]');
  });

  test('is opened again from what it sealed, of this conversation alone', () => {
    const { sealed } = bare.with(new Map([phone]));
    expect(sealed).not.toContain('1234');
    const again = openValueMask(box, { id, personal: sealed });
    expect(again.unmask(phone[0])).toBe(phone[1]);
    expect(again.mask(`call ${phone[1]}`)).toBe(`call ${phone[0]}`);
    expect(again.with(new Map([['[RRN_BBBBBBBB]', 'x']])).unmask(`${phone[0]} [RRN_BBBBBBBB]`)).toBe(`${phone[1]} x`);
    const other = openValueMask(box, { id: 'e'.repeat(32), personal: sealed });
    expect(other.unmask(phone[0])).toBe(phone[0]);
    expect(other.sealed).toBe(sealed);
  });

  test('is lifted from answers and thinking, and from nothing where there is none', () => {
    const mask = bare.with(new Map([phone]));
    const unrated = { feedback: null, follow_ups: [] };
    const message = { content: `a ${phone[0]}`, reasoning: `b ${phone[0]}`, error: null, ...unrated };
    expect(unmaskMessage(mask, message)).toEqual({
      content: `a ${phone[1]}`,
      reasoning: `b ${phone[1]}`,
      error: null,
      ...unrated,
    });
    expect(unmaskMessage(mask, { ...message, reasoning: null }).reasoning).toBeNull();
    const feedback = { rating: 'down' as const, reasons: [], comment: `c ${phone[0]}` };
    expect(unmaskMessage(mask, { ...message, feedback, follow_ups: [`d ${phone[0]}`] })).toMatchObject({
      feedback: { comment: `c ${phone[1]}` },
      follow_ups: [`d ${phone[1]}`],
    });
  });
});

test('what is left of tokens at the ends of a part of a text is taken away', () => {
  for (const [text, rest] of [
    ['call [PHONE_AAAA', 'call '],
    ['call [PHONE', 'call '],
    ['call [PHONE_AAAA…', 'call …'],
    ['AAAA] now', ' now'],
    ['PHONE_AAAAAAAA] now', ' now'],
    ['call [PHONE_AAAAAAAA] now', 'call [PHONE_AAAAAAAA] now'],
    ['call [me] now', 'call [me] now'],
  ] as const)
    expect(withoutCutTokens(text), text).toBe(rest);
});
