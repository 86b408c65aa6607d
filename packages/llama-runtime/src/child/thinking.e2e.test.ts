import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { PLAIN_TEMPLATE, partialTokens, writeRandomModel } from '../../test/gguf/index.ts';
import { startTestChild } from '../../test/running-child.ts';
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
    { name: '<early>' },
    piece('open', '/think\n'),
    piece('un', 'un'),
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
    '<early>': 'open',
    open: 'un',
    un: END,
  },
};
/** A family whose mark is not a token of its vocabulary. */
const spelled: TinyModel = {
  template:
    '{# <|im_start|><tool_call> enable_thinking #}{% for tool in tools or [] %}{{ tool | tojson }}{% endfor %}{{ messages[0].content }}',
  tokens: [
    { name: '<go>' },
    { name: '<plain>' },
    { name: '<early>' },
    piece('open', '<think>'),
    piece('un', 'un'),
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
    '<early>': 'open',
    open: 'un',
    un: END,
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
        // The model's end token within the thinking.
        const early = await ask('<early>', { response_format: schema });
        expect(early.body.choices[0]).toMatchObject({
          finish_reason: 'stop',
          message: { reasoning_content: 'un', content: '"x"' },
        });
        const call = await ask('<early>', { tools, tool_choice: 'required', parallel_tool_calls: false });
        expect(call.body.choices[0]).toMatchObject({
          finish_reason: 'tool_calls',
          message: { reasoning_content: 'un', tool_calls: [{ function: { name: 'now' } }] },
        });
        const short = await ask('<early>', { response_format: schema, max_tokens: 3 });
        expect(short.body).toMatchObject({ choices: [{ finish_reason: 'length' }], usage: { completion_tokens: 3 } });
        const earlyFree = await ask('<early>', {});
        expect(earlyFree.body.choices[0]).toMatchObject({
          finish_reason: 'stop',
          message: { reasoning_content: 'un', content: null },
        });
        const plain = await ask('<plain>', { response_format: schema });
        expect(plain.body.choices[0].message).toMatchObject({ reasoning_content: null, content: '"x"' });
      } finally {
        await child.stop();
      }
    });
  },
);

test('random weights give JSON after whatever they think', async () => {
  const chatTemplate = PLAIN_TEMPLATE.replace('{% else %}\n', '{% else %}\n<think>\n');
  const path = writeRandomModel(join(folder, 'random.gguf'), { chatTemplate });
  const child = await startTestChild(path, { contextLength: 1_024, parallel: 8 });
  // Grammars of llama.cpp do not look whether bytes make a character.
  const logit_bias = Object.fromEntries(partialTokens().map((token) => [String(token), -60]));
  const ask = async (seed: number) => {
    const { body } = await child.post(CHAT, {
      messages: [{ role: 'user', content: 'x' }],
      response_format: { type: 'json_object' },
      max_tokens: 900,
      logit_bias,
      seed,
    });
    return body.choices[0];
  };
  try {
    const choices = await Promise.all(Array.from({ length: 24 }, (_, seed) => ask(seed)));
    const whole = choices.filter((choice) => choice.finish_reason !== 'length');
    expect(whole.filter((choice) => choice.message.reasoning_content !== null).length).toBeGreaterThan(4);
    for (const { message } of whole) expect(() => JSON.parse(message.content ?? '')).not.toThrow();
  } finally {
    await child.stop();
  }
});
