import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { startTestChild } from './child.fixture.ts';
import { END, type ExtraToken, type TinyModel, writeTinyModel } from './tiny-model.fixture.ts';

const folder = mkdtempSync(join(tmpdir(), 'llama-thinking-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CHAT = '/v1/chat/completions';
const piece = (name: string, text: string): ExtraToken => ({ name, bytes: Buffer.from(text) });
const tools = [
  {
    type: 'function',
    function: { name: 'now', parameters: { type: 'object', properties: {}, additionalProperties: false } },
  },
];
const schema = { type: 'json_schema', json_schema: { name: 'one', schema: { enum: ['x'] } } };

/** HyperCLOVA X: thinking is a message of its own, whose mark is several tokens and whose end is a turn. */
const hyperclova: TinyModel = {
  template:
    '{# tool/function_call force_reasoning #}{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{{ messages[0].content }}',
  tokens: [
    { name: '<go>' },
    { name: '<plain>' },
    piece('thi', '/thi'),
    piece('hmm', 'hmm'),
    piece('turn', '\n<|im_start|>assistant'),
    { name: '<|im_end|>', special: true },
    piece('sure', 'Sure'),
  ],
  // The model's own words, which the grammar of the answer forbids, are "Sure".
  chain: {
    '<go>': 'thi',
    thi: 'n',
    n: 'k',
    k: 'Ċ',
    Ċ: 'hmm',
    hmm: '<|im_end|>',
    '<|im_end|>': 'turn',
    turn: 'sure',
    '<plain>': 'sure',
    sure: END,
  },
};
/** A family whose mark is not a token of its vocabulary. */
const spelled: TinyModel = {
  template:
    '{# <|im_start|><tool_call> enable_thinking #}{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{{ messages[0].content }}',
  tokens: [
    { name: '<go>' },
    { name: '<plain>' },
    piece('<th', '<th'),
    piece('hmm', 'hmm'),
    piece('over', '</think>'),
    piece('sure', 'Sure'),
  ],
  chain: {
    '<go>': '<th',
    '<th': 'i',
    i: 'n',
    n: 'k',
    k: '>',
    '>': 'hmm',
    hmm: 'over',
    over: 'sure',
    '<plain>': 'sure',
    sure: END,
  },
};

describe.each(Object.entries({ hyperclova, spelled }))(
  'thinking before an answer that is bound (%s)',
  (name, model) => {
    test('is free, and the answer obeys', async () => {
      const child = await startTestChild(writeTinyModel(join(folder, `${name}.gguf`), model));
      const ask = (content: string, more: object) =>
        child.post(CHAT, { messages: [{ role: 'user', content }], temperature: 0, max_tokens: 120, ...more });
      try {
        const free = await ask('<go>', {});
        expect(free.body.choices[0].message).toMatchObject({ reasoning_content: 'hmm', content: 'Sure' });
        const bound = await ask('<go>', { response_format: schema });
        expect(bound.body.choices[0].message).toMatchObject({ reasoning_content: 'hmm', content: '"x"' });
        const calling = await ask('<go>', { tools, tool_choice: 'required', parallel_tool_calls: false });
        expect(calling.body.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: {
            reasoning_content: 'hmm',
            content: null,
            tool_calls: [{ function: { name: 'now', arguments: expect.stringMatching(/^\{\s*\}$/) } }],
          },
        });
        const plain = await ask('<plain>', { response_format: schema });
        expect(plain.body.choices[0].message).toMatchObject({ reasoning_content: null, content: '"x"' });
      } finally {
        await child.stop();
      }
    });
  },
);
