import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../test/support/any-text.ts';
import { parseFollowUps } from './follow-ups.ts';

describe('what a model suggests', () => {
  test.each([
    ['TITLE: Local taxes\nQ: When?\nQ: Where?\nQ: How much?', 'Local taxes', ['When?', 'Where?', 'How much?']],
    ['**TITLE:** "지방세"\n\n- Q: 언제?\n1. Q1: 어디서?\n', '지방세', ['언제?', '어디서?']],
    ['Q：언제?\nQ: 언제?\nQ: a\nQ: b\nQ: c', null, ['언제?', 'a', 'b']],
    ['Sure! Here you are.', null, []],
    ['', null, []],
    [`TITLE: ${'x'.repeat(61)}\nQ: ${'y'.repeat(121)}\nQ:   `, null, []],
  ])('is read from %j', (text, title, questions) => expect(parseFollowUps(text)).toEqual({ title, questions }));

  test('is never more than three short lines, whatever it writes', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 500 }), fc.array(fc.string()), (text, lines) => {
        const { title, questions } = parseFollowUps(`${text}\n${lines.map((line) => `Q: ${line}`).join('\n')}`);
        expect(questions.length).toBeLessThanOrEqual(3);
        for (const one of [...questions, title ?? 'x']) expect(one).toMatch(/^\S(?:.*\S)?$/su);
      }),
    );
  });
});
