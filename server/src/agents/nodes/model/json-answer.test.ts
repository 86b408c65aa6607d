import { describe, expect, it } from 'vitest';
import { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';
import { jsonOf } from './json-answer.ts';

const schema = {
  type: 'object',
  properties: { decision: { type: 'string', enum: ['승인', '반려'] }, amount: { type: 'number' } },
  required: ['decision', 'amount'],
};

const nodeWith = (of: unknown) => {
  const { nodes } = AgentDefinition.parse({
    schema: 1,
    nodes: [{ id: 'm', kind: 'model', model: 'script', schema: of }],
    edges: [],
  });
  const [node] = nodes;
  if (node?.kind !== 'model') throw new Error('no model');
  return node;
};
const read = (content: string, of: unknown = schema, cut = false) => jsonOf({ content, cut }, nodeWith(of));

const answer = { decision: '반려', amount: 3 };
const json = JSON.stringify(answer);

describe('JSON that a model answers', () => {
  it('is that of its schema, and nothing without one', () => {
    expect(read(` ${json}\n`)).toEqual(answer);
    expect(read('{"decision":"반려","amount":"3"}')).toEqual(answer);
    expect(read('{"decision":"반려","amount":3,"why":"x"}')).toEqual({ ...answer, why: 'x' });
    expect(jsonOf({ content: 'whatever', cut: false }, nodeWith(undefined))).toBeNull();
  });

  it.each([
    `\`\`\`json\n${json}\n\`\`\``,
    `\n\`\`\`JSON\r\n${json}\r\n\`\`\`\n`,
    `\`\`\`\n${json}\n\`\`\``,
    `\`\`\`json ${json}\`\`\``,
    `\`\`\`${json}\`\`\``,
  ])('may stand in a fence: %j', (text) => {
    expect(read(text)).toEqual(answer);
  });

  it('keeps fences within it', () => {
    const text = JSON.stringify({ ...answer, code: '```\nx\n```' });
    expect(read(`\`\`\`json\n${text}\n\`\`\``)).toMatchObject({ code: '```\nx\n```' });
    expect(read('```7```', { type: 'integer' })).toBe(7);
  });

  it.each([
    ['{"판정":"반려"}', 'decision is required'],
    ['{"decision":"보류","amount":1}', 'decision must be one of "승인", "반려"'],
    ['{"decision":"승인","amount":"많음"}', 'amount must be number, but is string'],
    ['[1,2]', 'the answer must be object, but is array'],
    ['"글"', 'the answer must be object, but is string'],
    ['null', 'the answer must be object, but is null'],
    ['', 'it is no JSON'],
    ['```', 'it is no JSON'],
    ['``````', 'it is no JSON'],
    [`Here it is:\n\`\`\`json\n${json}\n\`\`\``, 'it is no JSON'],
    [`\`\`\`json\n${json}\n\`\`\`\nor\n\`\`\`json\n${json}\n\`\`\``, 'it is no JSON'],
  ])('%j is refused in words', (text, reason) => {
    expect(() => read(text)).toThrow(`The model did not answer in the form that the node asks for: ${reason}`);
  });

  it('that was cut is told as such', () => {
    expect(() => read(json.slice(0, -3), schema, true)).toThrow('it was cut where its tokens were used up');
  });
});
