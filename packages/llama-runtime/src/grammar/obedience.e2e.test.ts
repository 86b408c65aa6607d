import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { times } from '../../../../server/test/support/long.ts';
import { partialTokens, writeRandomModel } from '../../test/gguf/index.ts';
import { randomNumbers } from '../../test/gguf/numbers.ts';
import { type RunningChild, startTestChild } from '../../test/running-child.ts';
import { randomSchema } from './schemas.fixture.ts';

const SCHEMAS = times(40, 1_000);
const AT_ONCE = 8;

const folder = mkdtempSync(join(tmpdir(), 'studio-grammar-'));
let child: RunningChild;

beforeAll(async () => {
  child = await startTestChild(writeRandomModel(join(folder, 'random.gguf')), {
    contextLength: 2048,
    parallel: AT_ONCE,
  });
});
afterAll(async () => {
  await child.stop();
  rmSync(folder, { recursive: true });
});

const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));

/** llama.cpp's grammars do not look whether bytes make a character. */
const wholeCharacters = Object.fromEntries(partialTokens().map((token) => [String(token), -60]));

interface Reply {
  readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[];
}

async function ask(seed: number): Promise<{ schema: unknown; content: string; finish: string }> {
  const schema = randomSchema(randomNumbers(seed));
  const { status, body } = await child.post('/v1/chat/completions', {
    messages: [{ role: 'user', content: `Schema ${seed}` }],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
    chat_template_kwargs: { enable_thinking: false },
    logit_bias: wholeCharacters,
    temperature: 0.8,
    seed,
    max_tokens: 1_500,
  });
  expect({ seed, status, body: status === 200 ? '' : JSON.stringify({ body: body as unknown, schema }) }).toMatchObject(
    { seed, status: 200 },
  );
  const [choice] = (body as Reply).choices;
  return { schema, content: choice?.message.content ?? '', finish: choice?.finish_reason ?? '' };
}

it(`random weights obey ${SCHEMAS} random schemas`, async () => {
  let next = 0;
  let whole = 0;
  const work = async () => {
    for (let seed = next++; seed < SCHEMAS; seed = next++) {
      const { schema, content, finish } = await ask(seed);
      // An answer that is cut is not whole; there are few.
      if (finish === 'length') continue;
      whole++;
      const parsed: unknown = JSON.parse(content);
      const valid = ajv.validate(schema as object, parsed);
      const wrong = valid ? null : { seed, content, errors: ajv.errorsText(), schema: JSON.stringify(schema) };
      expect(wrong).toBeNull();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(whole).toBeGreaterThan(SCHEMAS * 0.95);
});
