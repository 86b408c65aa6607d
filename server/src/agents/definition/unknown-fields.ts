import { NodeId } from '@ai-studio/contract/agents/definition.ts';
import { StudioError } from '../../kernel/errors.ts';

// What a definition says and nobody here understands. Left out in silence, an agent would do something else than its file says.

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Paths that the error message names. */
const MAX_LISTED = 20;

function* unknownPaths(given: unknown, taken: unknown, path: string): Generator<string> {
  if (Array.isArray(given) && Array.isArray(taken)) {
    for (const [index, one] of given.entries()) yield* unknownPaths(one, taken[index], `${path}.${index}`);
    return;
  }
  if (!isFields(given) || !isFields(taken)) return;
  for (const [key, value] of Object.entries(given)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(taken, key)) yield at;
    else yield* unknownPaths(value, taken[key], at);
  }
}

/** A node by its id, as problems name it. */
const byId = (given: unknown) => (path: string) =>
  path.replace(/^nodes\.(\d+)\./, (whole, index: string) => {
    const nodes = isFields(given) ? given['nodes'] : undefined;
    const node: unknown = Array.isArray(nodes) ? nodes[Number(index)] : undefined;
    const id = isFields(node) ? NodeId.safeParse(node['id']) : null;
    return id?.success === true ? `${id.data}.` : whole;
  });

/** Fields of what was given that were not taken in, such as `write.temprature`; `taken` is what the form made of it. */
export const unknownFields = (given: unknown, taken: unknown): readonly string[] =>
  [...unknownPaths(given, taken, '')].map(byId(given));

/** Throws StudioError `invalid_request` (agent_unknown_fields) that names them. */
export function requireKnownFields(fields: readonly string[], param: string): void {
  const [first] = fields;
  if (first === undefined) return;
  const listed = fields.slice(0, MAX_LISTED).join(', ') + (fields.length > MAX_LISTED ? ', …' : '');
  throw new StudioError('invalid_request', `Agents have no such fields here: ${listed}`, {
    param: `${param}.${first}`,
    reason: 'agent_unknown_fields',
    values: { fields: listed, count: fields.length },
  });
}
