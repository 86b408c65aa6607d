import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { isLong } from '../../../../server/test/support/long.ts';
import { partialTokens, writeRandomModel } from '../../test/gguf/index.ts';
import { startTestChild } from '../../test/running-child.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-tools-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parameters = {
  type: 'object',
  properties: {
    city: { type: 'string', enum: ['서울', 'Busan'] },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    units: { type: 'string', pattern: '^[CF]$' },
    code: { $ref: '#/$defs/code' },
    on: { type: 'string', format: 'date' },
    note: { type: 'string', minLength: 2, maxLength: 4 },
  },
  required: ['city', 'days', 'units', 'code'],
  $defs: { code: { type: 'string', pattern: '^[A-Z]{2}-', maxLength: 6 } },
  additionalProperties: false,
};
const tools = [
  { type: 'function', function: { name: 'get_weather', parameters } },
  {
    type: 'function',
    function: { name: 'now', parameters: { type: 'object', properties: {}, additionalProperties: false } },
  },
];
const ajv = addFormats.default(new Ajv2020({ strict: false }));
const valid: Record<string, (value: unknown) => boolean> = {
  get_weather: (value) => ajv.validate(parameters, value),
  now: (value) => JSON.stringify(value) === '{}',
};

/** Templates that say what family the model is of, and tell it of the tools. */
const body = '{% for tool in tools %}{{ tool | tojson }}{% endfor %}{% for m in messages %}{{ m.content }}{% endfor %}';
const templates = {
  hermes: `<|im_start|><tool_call></tool_call>${body}`,
  llama: `<|start_header_id|>${body}`,
  'mistral, a list': `[INST]${body}`,
  'mistral, names first': `[TOOL_CALLS][ARGS]${body}`,
  deepseek: `<｜Assistant｜>${body}`,
  glm: `<arg_key>${body}`,
  'qwen coder': `<function=<parameter=${body}`,
  phi: `<|tool|>${body}`,
  seed: `<seed:tool_call>${body}`,
  lfm: `<|tool_call_start|>${body}`,
  kimi: `<|tool_calls_section_begin|>${body}`,
  solar: `<|tool_call:begin|>${body}`,
  'deepseek, values that say what they are': `<｜Assistant｜>｜DSML｜${body}`,
  minimax: `<minimax:tool_call>${body}`,
  command: `<|START_ACTION|>${body}`,
  'gemma 4': `<|turn>${body}`,
  hyperclova: `tool/function_call${body}`,
  harmony: `<|start|><|channel|>${body}`,
};

interface Reply {
  readonly choices: readonly {
    readonly finish_reason: string;
    readonly message: {
      readonly content: string | null;
      readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
    };
  }[];
}

/** Of even ones any tool must be called, of odd ones a certain one; above 3 several may be. */
const allSeeds = [0, 1, 2, 3, 4, 5];
/** In `npm test` one form begins with any tool and ends with several of a certain one, the next one the other way round. */
const fewSeeds = [
  [0, 5],
  [1, 4],
] as const;

const wholeCharacters = Object.fromEntries(partialTokens().map((token) => [String(token), -60]));

const forms = Object.entries(templates).map(
  ([name, chatTemplate], at) => [name, chatTemplate, isLong ? allSeeds : (fewSeeds[at % 2] ?? [])] as const,
);

describe.each(forms)('random weights of the form %s', (name, chatTemplate, seeds) => {
  it('call the tools that they must call, with arguments that are valid', async () => {
    const path = writeRandomModel(join(folder, `${name.replace(/\W+/g, '-')}.gguf`), { chatTemplate });
    const child = await startTestChild(path, { contextLength: 2048 });
    const ask = async (seed: number, choice: unknown, parallel: boolean) => {
      const reply = await child.post('/v1/chat/completions', {
        messages: [{ role: 'user', content: `Question ${seed}` }],
        tools,
        tool_choice: choice,
        parallel_tool_calls: parallel,
        logit_bias: wholeCharacters,
        temperature: 1,
        seed,
        max_tokens: 600,
      });
      expect({ status: reply.status, body: reply.status === 200 ? null : (reply.body as unknown) }).toEqual({
        status: 200,
        body: null,
      });
      return (reply.body as Reply).choices[0];
    };
    for (const seed of seeds) {
      const choice = await ask(
        seed,
        seed % 2 === 0 ? 'required' : { type: 'function', function: { name: 'get_weather' } },
        seed > 3,
      );
      // A reply that thinks, or calls, without end is cut; there are few.
      if (choice?.finish_reason === 'length') continue;
      expect(choice?.finish_reason).toBe('tool_calls');
      const calls = choice?.message.tool_calls ?? [];
      expect(calls.length).toBeGreaterThan(0);
      if (seed <= 3) expect(calls).toHaveLength(1);
      for (const { function: called } of calls) {
        if (seed % 2 === 1) expect(called.name).toBe('get_weather');
        const value: unknown = JSON.parse(called.arguments);
        expect({ called, valid: valid[called.name]?.(value) }).toEqual({ called, valid: true });
      }
    }
    await child.stop();
  });
});
