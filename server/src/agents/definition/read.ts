import {
  AgentDefinition,
  AgentEdge,
  AgentNodeForm,
  type DefinitionProblem,
  maxEdges,
  maxNodes,
  NodeId,
} from '@ai-studio/contract/agents/definition.ts';
import { explain } from '@ai-studio/contract/explain.ts';
import { z } from 'zod';
import { problem, sortedProblems } from './check/problem.ts';

/** A definition by its form, or what is wrong with that. */
export type ReadDefinition =
  | { readonly definition: AgentDefinition; readonly problems: readonly [] }
  | { readonly definition: null; readonly problems: readonly DefinitionProblem[] };

/** Deepest nesting of a definition: room for any JSON Schema and filter. What is stored and hashed is walked by recursion. */
const MAX_DEPTH = 40;
/** Values and characters of a definition: some times those of the largest that people make. */
const MAX_VALUES = 50_000;
const MAX_CHARACTERS = 1_000_000;

/** Reads what somebody gives as a definition. Takes time in proportion to its size at most, whatever it is. */
export function readDefinition(input: unknown): ReadDefinition {
  const bounds = exceededLimit(input);
  if (bounds !== null) return { definition: null, problems: [problem('form', bounds)] };
  const whole = AgentDefinition.safeParse(input);
  if (whole.success) return { definition: whole.data, problems: [] };
  return { definition: null, problems: sortedProblems(formProblems(input, whole.error)) };
}

/** Each node and edge by itself, so that its problems name it. */
function* formProblems(input: unknown, error: z.ZodError): Generator<DefinitionProblem> {
  const { nodes, edges } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  if (Array.isArray(nodes))
    for (const [index, node] of nodes.entries()) {
      const { id } = (typeof node === 'object' && node !== null ? node : {}) as { id?: unknown };
      const name = NodeId.safeParse(id).success ? String(id) : null;
      for (const { message, param } of failures(AgentNodeForm, node))
        yield problem('form', message, { node: name, field: name === null ? `nodes.${index}` : param });
    }
  if (Array.isArray(edges))
    for (const [index, edge] of edges.entries())
      for (const { message } of failures(AgentEdge, edge)) yield problem('form', message, { field: `edges.${index}` });
  for (const issue of error.issues) {
    const [first, second] = issue.path;
    if ((first === 'nodes' || first === 'edges') && second !== undefined) continue;
    const { message, param } = explain(new z.ZodError([issue]), input);
    yield problem('form', message, { field: param });
  }
}

function failures(form: z.ZodType, value: unknown) {
  const parsed = form.safeParse(value);
  const issues = parsed.success ? [] : parsed.error.issues;
  return issues.map((issue) => {
    const { message, param } = explain(new z.ZodError([issue]), value);
    return { message, param: param?.replaceAll(/\[(\d+)\]/g, '.$1') ?? null };
  });
}

/** What of it is too much to be looked at more closely; null where nothing is. */
function exceededLimit(input: unknown): string | null {
  const { nodes, edges } = (typeof input === 'object' && input !== null ? input : {}) as Record<string, unknown>;
  if (Array.isArray(nodes) && nodes.length > maxNodes) return `An agent has at most ${maxNodes} nodes`;
  if (Array.isArray(edges) && edges.length > maxEdges) return `An agent has at most ${maxEdges} edges`;
  let values = 0;
  let characters = 0;
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (values > MAX_VALUES || characters > MAX_CHARACTERS) return 'The definition is too large';
    if (typeof value !== 'object' || value === null) continue;
    if (depth === MAX_DEPTH) return `The definition is nested deeper than ${MAX_DEPTH} levels`;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) characters += key.length;
      open.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}
