import { describe, expect, test } from 'vitest';
import { fromJsonText } from '../../kernel/json-text.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { createPrepareText } from './completions.ts';
import { createPrepare } from './prepare.ts';

const catalogue = createCatalogue({ models: { m: {}, other: {} } });
const maxJsonBytes = 10_000;
const prepare = createPrepareText(createPrepare({ catalogue, maxJsonBytes }), { maxJsonBytes });
const read = (fields: object, allowed: ReadonlySet<string> | null = null) =>
  prepare(Buffer.from(JSON.stringify({ model: 'm', ...fields })), allowed);

describe('a text completion', () => {
  test('is a chat of one question, with all else that was asked for', () => {
    const { chat, text } = read({ prompt: '왜 "그런가"?', max_tokens: 5, stop: ['END'], n: 2 });
    expect(chat.body.request.messages).toEqual([{ role: 'user', content: '왜 "그런가"?' }]);
    expect(chat).toMatchObject({ maxTokens: 5, stop: ['END'], choices: 2, stream: false });
    expect(chat.body.request).not.toHaveProperty('prompt');
    expect(text.echo).toBe('');
  });

  test('takes a list of one prompt as that prompt', () => {
    expect(read({ prompt: ['One'] }).chat.body.request.messages).toEqual([{ role: 'user', content: 'One' }]);
    expect(() => read({ prompt: ['One', 'Two'] })).toThrow(expect.objectContaining({ param: 'prompt' }));
  });

  test('has its prompt echoed where that is asked for, and nowhere else', () => {
    const echoOf = (echo: boolean | null | undefined) =>
      fromJsonText(read({ prompt: ['왜\n"so"'], ...(echo === undefined ? {} : { echo }) }).text.echo as never);
    expect([true, false, null, undefined].map(echoOf)).toEqual(['왜\n"so"', '', '', '']);
  });

  test('is refused by the field that is wrong', () => {
    for (const [fields, param] of [
      [{ prompt: 5 }, 'prompt'],
      [{}, 'prompt'],
      [{ prompt: 'a', max_tokens: 0 }, 'max_tokens'],
      [{ prompt: 'a', model: 'none' }, 'model'],
    ] as const)
      expect(() => read(fields)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
    expect(() => read({ prompt: 'a' }, new Set(['other']))).toThrow(expect.objectContaining({ param: 'model' }));
    expect(() => prepare(Buffer.from('{"prompt":'), null)).toThrow('The body is not valid JSON: it ends too early');
  });
});
