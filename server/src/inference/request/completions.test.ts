import { describe, expect, test } from 'vitest';
import { fromJsonText } from '../../kernel/json-text.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { ignoredOf } from './body.ts';
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
    expect(text.echoes).toEqual([]);
  });

  test('takes a list of one prompt as that prompt', () => {
    expect(read({ prompt: ['One'] }).chat.body.request.messages).toEqual([{ role: 'user', content: 'One' }]);
  });

  test('asks for several prompts each by itself, with the choices of the first before those of the second', () => {
    const { chat, text } = read({ prompt: ['One', '둘'], n: 2, echo: true });
    expect(chat.choices).toBe(4);
    expect(chat.prompts?.map(({ body }) => body.request.messages)).toEqual(
      ['One', '둘'].map((content) => [{ role: 'user', content }]),
    );
    expect(text.echoes.map((echo) => fromJsonText(echo as never))).toEqual(['One', 'One', '둘', '둘']);
    expect(read({ prompt: 'One' }).chat.prompts).toBeNull();
    for (const [fields, param] of [
      [{ prompt: Array.from({ length: 64 }, () => 'a'), n: 3 }, 'prompt'],
      [{ prompt: Array.from({ length: 65 }, () => 'a') }, 'prompt'],
      [{ prompt: [] }, 'prompt'],
    ] as const)
      expect(() => read(fields)).toThrow(expect.objectContaining({ code: 'invalid_request', param }));
  });

  test('has its prompt echoed where that is asked for, and nowhere else', () => {
    const echoOf = (echo: boolean | null | undefined) =>
      fromJsonText(
        (read({ prompt: ['왜\n"so"'], ...(echo === undefined ? {} : { echo }) }).text.echoes[0] ?? '') as never,
      );
    expect([true, false, null, undefined].map(echoOf)).toEqual(['왜\n"so"', '', '', '']);
  });

  test('takes no fields of chats: they reach no model, and are named as ignored', () => {
    const ofChats = {
      messages: [{ role: 'system', content: 'Be brief' }],
      tools: [{ type: 'function', function: { name: 'f', parameters: {} } }],
      tool_choice: 'required',
      response_format: { type: 'json_object' },
      reasoning_effort: 'high',
      chat_template_kwargs: { enable_thinking: true },
    };
    const { chat } = read({ prompt: 'a', ...ofChats, guided_regex: 'x' });
    expect(chat.body.request.messages).toEqual([{ role: 'user', content: 'a' }]);
    for (const name of Object.keys(ofChats).slice(1)) expect(chat.body.request).not.toHaveProperty(name);
    expect(ignoredOf(chat.extras)).toEqual([...Object.keys(ofChats), 'guided_regex']);
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
