import type { DescriptionChange } from '@ai-studio/contract/console/agents.ts';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { StoredTool } from '../../tables.ts';
import { isFields, listIn, textIn } from './document.ts';

// What another description would change: agents name operations by their tool's name.

/** What a description makes of a tool server. */
export interface Described {
  readonly tools: readonly StoredTool[];
  readonly leftOut: readonly string[];
}

/** Of a tool, such as `GET /items/{id}`. */
const operationOf = ({ operation }: StoredTool): string =>
  isFields(operation) ? `${textIn(operation['method'])} ${textIn(operation['path'])}` : '';

const argumentsOf = ({ parameters }: StoredTool): Readonly<Record<string, unknown>> => {
  const { properties } = parameters;
  const needed = new Set(listIn(parameters['required']));
  return Object.fromEntries(
    Object.entries(isFields(properties) ? properties : {}).map(([name, schema]) => [
      name,
      { schema, needed: needed.has(name) },
    ]),
  );
};

function* differing(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Generator<{ readonly name: string; readonly change: DescriptionChange['change'] }> {
  for (const [name, one] of Object.entries(before))
    if (!Object.hasOwn(after, name)) yield { name, change: 'removed' };
    else if (!isDeepStrictEqual(one, after[name])) yield { name, change: 'changed' };
  for (const name of Object.keys(after)) if (!Object.hasOwn(before, name)) yield { name, change: 'added' };
}

function changeOf(before: StoredTool, after: StoredTool): DescriptionChange | null {
  const given = [...differing(argumentsOf(before), argumentsOf(after))];
  const words = before.description !== after.description;
  const request = !isDeepStrictEqual(before.operation, after.operation);
  if (given.length === 0 && !words && !request) return null;
  return {
    change: 'changed',
    name: after.name,
    operation: operationOf(after),
    was: operationOf(before) === operationOf(after) ? null : operationOf(before),
    description: words,
    request,
    arguments: given,
  };
}

const whole = (change: 'added' | 'removed', tool: StoredTool): DescriptionChange => ({
  change,
  name: tool.name,
  operation: operationOf(tool),
  was: null,
  description: false,
  request: false,
  arguments: [],
});

/** Operations that go, that change and that come, in this order. */
export function changesBetween(before: readonly StoredTool[], after: readonly StoredTool[]): DescriptionChange[] {
  const news = new Map(after.map((tool) => [tool.name, tool]));
  const olds = new Map(before.map((tool) => [tool.name, tool]));
  return [
    ...before.filter(({ name }) => !news.has(name)).map((tool) => whole('removed', tool)),
    ...before.flatMap((tool) => {
      const now = news.get(tool.name);
      return (now && changeOf(tool, now)) ?? [];
    }),
    ...after.filter(({ name }) => !olds.has(name)).map((tool) => whole('added', tool)),
  ];
}

/** Names what a description says, so that nothing else is taken in than what was looked at. */
export const hashOf = ({ tools, leftOut }: Described): string =>
  createHash('sha256')
    .update(JSON.stringify([tools, leftOut]))
    .digest('hex');
