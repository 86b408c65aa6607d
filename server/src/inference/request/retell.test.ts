import { expect, test } from 'vitest';
import { bytesOfBody } from '../../../test/support/encoded-body.ts';
import { type TextChange, changedBytes } from '../../kernel/json-splice.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import { createCatalogue } from '../../models/catalogue.ts';
import { createPrepare, createRetell, type PreparedChat } from './prepare.ts';

const maxJsonBytes = 100_000;
const catalogue = createCatalogue({
  models: { plain: {}, small: { context_length: 40_000 }, told: { instructions: [{ keys: [], system: '답은 짧게' }] } },
});
const prepare = createPrepare({ catalogue, maxJsonBytes });
const retell = createRetell({ maxJsonBytes });

const OLD = '900101-1234567';
const bodyOf = (length: number, fields: object) =>
  Buffer.from(
    JSON.stringify({
      model: 'plain',
      max_tokens: 10,
      unknown: 1,
      messages: [
        { role: 'developer', content: `"짧게" ${'가나 '.repeat(length)}` },
        { role: 'assistant', content: OLD, reasoning: 'none' },
        { role: 'user', content: `${'다라 '.repeat(length)}${OLD}` },
      ],
      ...fields,
    }),
  );

/** Another text in the place of each value. */
function changesOf(bytes: Buffer, text: string): TextChange[] {
  const changes: TextChange[] = [];
  for (let start = bytes.indexOf(OLD); start >= 0; start = bytes.indexOf(OLD, start + 1))
    changes.push({ start, end: start + OLD.length, json: toJsonText(text) });
  return changes;
}

const encoded = (body: PreparedChat['body']) => {
  const sent = body.encode({ seed: 3 }, new Set(['unknown']));
  return bytesOfBody(sent).toString('latin1');
};
/** All that is made of a chat. */
const made = ({ body, instructedBody, promptEstimate, checked: _, ...rest }: PreparedChat) => ({
  ...rest,
  sent: encoded(body),
  request: body.request,
  instructed: instructedBody && encoded(instructedBody),
  estimate: [promptEstimate.bytes, promptEstimate.low, promptEstimate.likely, promptEstimate.high],
});

test('other texts are put into a chat as if it had been prepared with them', () => {
  for (const length of [3, 400, 4_000])
    for (const text of ['[RRN_ABCDEFGH]', '', '"따옴표"\n'])
      for (const fields of [{}, { stream: true }, { model: 'told' }, { messages: [{ role: 'user', content: OLD }] }]) {
        const bytes = bodyOf(length, fields);
        const changes = changesOf(bytes, text);
        const told = retell(prepare(bytes, null), changes);
        expect(told && made(told), `${length} ${text}`).toEqual(made(prepare(changedBytes(bytes, changes), null)));
        expect(told && encoded(told.body)).not.toContain(OLD);
      }
});

test('a chat is prepared anew where its size says something else now', () => {
  const longer = 'x'.repeat(50_000);
  const few = bodyOf(3, {});
  expect(retell(prepare(few, null), changesOf(few, longer))).toBeNull();
  // What is left of the context depends on the prompt.
  const open = bodyOf(3, { model: 'small', max_tokens: undefined });
  expect(retell(prepare(open, null), changesOf(open, 'y'))).not.toBeNull();
  expect(retell(prepare(open, null), changesOf(open, 'y'.repeat(20_000)))).toBeNull();
});
