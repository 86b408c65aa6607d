import { createHash } from 'node:crypto';
import type { AgentDefinition } from '@ai-studio/contract/agents/definition.ts';

/** JSON with the keys of each object in the order of their code units, so that equal values have one text. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  entries.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`).join(',')}}`;
}

/** A definition without where its nodes stand in the picture, which changes nothing of what it does. */
export const withoutPositions = ({ nodes, ...rest }: AgentDefinition) => ({
  ...rest,
  nodes: nodes.map(({ position: _, ...node }) => node),
});

/** SHA-256 of what a definition says, in hex. Moving nodes in the picture leaves it as it is. */
export const hashDefinition = (definition: AgentDefinition): string =>
  createHash('sha256')
    .update(canonicalJson(withoutPositions(definition)))
    .digest('hex');
