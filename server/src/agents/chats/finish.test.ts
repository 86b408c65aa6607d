import { describe, expect, test } from 'vitest';
import { aTenant, definitionOf, usesAgentHouse } from '../../../test/support/agent-runs.ts';
import type { ChatOutput } from '../../inference/index.ts';
import { finishOf } from './finish.ts';
import { ChatForm } from './write-chat.ts';

const each = usesAgentHouse();
const input = { id: 'input', kind: 'input' };
const model = (id: string, more = {}) => ({
  id,
  kind: 'model',
  model: 'script',
  prompt: `${id} {{input.text}}`,
  ...more,
});
const answer = (text: string, id = 'answer') => ({ id, kind: 'answer', text });

/** How a run ends whose models that are named are cut. */
async function finishWith(definition: ReturnType<typeof definitionOf>, ...cut: string[]) {
  each.house.script.answerBy((call) => {
    const { content } = call.call.body.request.messages.at(-1) ?? {};
    call.say('text');
    call.end(cut.some((id) => typeof content === 'string' && content.startsWith(`${id} `)) ? 'length' : undefined);
  });
  const { run } = await each.house.runs.start(each.house.actor, each.house.order(definition, 'x'));
  await each.house.events(run.id);
  return finishOf(each.db, await each.house.runs.read(aTenant, each.house.agentId, run.id));
}

describe('the end of an answer', () => {
  test('is that of the model whose text it says', async () => {
    const one = definitionOf([input, model('m'), answer('So: {{m.text}}')], ['input>m', 'm>answer']);
    expect(await finishWith(one)).toBe('stop');
    expect(await finishWith(one, 'm')).toBe('length');
    const two = definitionOf([input, model('a'), model('b'), answer('{{b.text}}')], ['input>a', 'a>b', 'b>answer']);
    expect(await finishWith(two, 'a')).toBe('stop');
    expect(await finishWith(two, 'a', 'b')).toBe('length');
  });

  test('is that of the last answer', async () => {
    const definition = definitionOf(
      [input, model('a'), answer('{{a.text}}', 'first'), model('b'), answer('{{b.text}}', 'second')],
      ['input>a', 'a>first', 'first>b', 'b>second'],
    );
    expect(await finishWith(definition, 'a')).toBe('stop');
    expect(await finishWith(definition, 'b')).toBe('length');
  });

  test('is found from within containers too', async () => {
    const definition = definitionOf(
      [input, model('m'), { id: 'again', kind: 'loop', most: 1 }, { ...answer('{{m.text}}'), parent: 'again' }],
      ['input>m', 'm>again'],
    );
    expect(await finishWith(definition, 'm')).toBe('length');
  });

  test('is said whole and as a stream', () => {
    const said: string[] = [];
    const output = {
      open: () => undefined,
      write: (bytes: string) => said.push(bytes) > 0,
      reply: (bytes: string) => said.push(bytes),
      end: () => undefined,
      fail: () => undefined,
    } as unknown as ChatOutput;
    const usage = { promptTokens: 1, completionTokens: 1, reasoningTokens: null, promptTokensDetails: null };
    for (const stream of [false, true])
      new ChatForm(output, { id: 'x', created: 0, model: 'm' }, { stream, includeUsage: false }).end({
        content: 'text',
        annotations: [],
        usage,
        finish: 'length',
      });
    expect(said[0]).toContain('"finish_reason":"length"');
    expect(said.at(-1)).toContain('"finish_reason":"length"');
  });
});
