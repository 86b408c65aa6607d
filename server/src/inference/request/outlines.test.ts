import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { bytesOfBody } from '../../../test/support/encoded-body.ts';
import { times } from '../../../test/support/long.ts';
import { jsonString, jsonText, mutate, mutations } from '../../../test/support/mutated-json.ts';
import { StudioError } from '../../kernel/errors.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { createPrepare } from './prepare.ts';

const catalogue = createCatalogue({ models: { stopping: { stop: ['<|end|>'] } } });
const maxJsonBytes = 1_000_000;
const byOutline = createPrepare({
  catalogue,
  maxJsonBytes,
  outlines: { minBytes: 0, maxShare: 10, firstBlockBytes: 100 },
});
const whole = createPrepare({ catalogue, maxJsonBytes, outlines: { minBytes: Infinity } });

/** All that a chat's preparation comes to: what is refused and how, or what the engine gets. */
function outcome(prepare: typeof whole, bytes: Buffer): unknown {
  try {
    const { body, checked: _checked, ...rest } = prepare(bytes, null);
    const sent = body.encode({ user: 'studio' });
    const text = bytesOfBody(sent).toString('latin1');
    return { ...rest, text, request: body.request, tools: body.peek('tools') };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { code, message, param } = error;
    return { code, message, param };
  }
}

const textPart = jsonString.map((text) => `{"type":"text","text":${text}}`);
const imagePart = fc
  .oneof(
    jsonString.map((url) => url.slice(1, -1)),
    fc.uint8Array({ minLength: 1, maxLength: 400 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  )
  .map((data) => `{"type":"image_url","image_url":{"url":"data:image/png;base64,${data}"}}`);
const parts = (part: fc.Arbitrary<string>) =>
  fc.array(part, { minLength: 1, maxLength: 3 }).map((written) => `[${written.join(',')}]`);
const content = fc.oneof(
  { weight: 8, arbitrary: jsonString },
  { weight: 3, arbitrary: parts(textPart) },
  { weight: 1, arbitrary: parts(fc.oneof(textPart, imagePart)) },
);
const role = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom('user', 'system', 'assistant', 'developer') },
  { weight: 1, arbitrary: fc.constant('tool') },
);
const name = fc.oneof({ weight: 12, arbitrary: jsonString }, { weight: 1, arbitrary: jsonText });
const message = fc
  .tuple(role, content, fc.option(name))
  .map(
    ([speaker, said, named]) => `{"role":"${speaker}","content":${said}${named === null ? '' : `,"name":${named}`}}`,
  );
const field = fc.constantFrom(
  '"temperature":0.5',
  '"model":"LLM42"',
  '"model":"stopping"',
  '"stop":["끝"]',
  '"stream":true',
  '"chat_template_kwargs":{"skip_reasoning":true}',
  '"tools":[{"type":"function","function":{"name":"f"}}]',
);
const extra = fc.oneof(
  field,
  jsonText.map((value) => `"metadata":{"content":${value}}`),
  jsonText.map((value) => `"unknown":${value}`),
);
const chat = fc
  .tuple(
    fc.array(extra, { maxLength: 3 }),
    fc.array(message, { minLength: 1, maxLength: 4 }),
    fc.array(field, { maxLength: 2 }),
  )
  .map(([before, messages, after]) => `{${[...before, `"messages":[${messages.join(',')}]`, ...after].join(', ')}}`);

describe('a chat that is looked at by its outline', () => {
  it('comes to the same as one that is parsed whole, whatever is wrong with it', () => {
    let accepted = 0;
    fc.assert(
      fc.property(chat, fc.oneof(fc.constant([]), mutations), (json, changes) => {
        const bytes = Buffer.from(mutate(Buffer.from(json).toString('latin1'), changes), 'latin1');
        const expected = outcome(whole, bytes);
        expect(outcome(byOutline, bytes)).toEqual(expected);
        if (typeof expected === 'object' && expected !== null && 'text' in expected) accepted++;
      }),
      { numRuns: times(3_000, 100_000) },
    );
    expect(accepted).toBeGreaterThan(times(3_000, 100_000) / 10);
  });

  it('is never parsed whole, however long', () => {
    const said = '긴 글 "따옴표" \\ '.repeat(20_000);
    const bytes = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content: said }], stop: ['끝'], user: 'a' }));
    const prepare = createPrepare({ catalogue, maxJsonBytes });
    prepare(Buffer.from('{"messages":[{"role":"user","content":"a"}]}'), null);
    const parse = vi.spyOn(JSON, 'parse');
    const { body } = prepare(bytes, null);
    const sent = body.encode({});
    const longest = Math.max(...parse.mock.calls.map(([json]) => json.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(1_000);
    expect(JSON.parse(bytesOfBody(sent).toString())).toMatchObject({
      messages: [{ role: 'user', content: said }],
      stop: ['끝'],
    });
  });
});
