import type { AgentNodeForm } from '@ai-studio/contract/agents/definition.ts';
import { useBuilder } from '../context.ts';
import { useFieldError } from './use-field-error.ts';

/** Ties fields of a form to those of the node: what is there, what is wrong with it, and what becomes of it. */
export function useField<N extends AgentNodeForm>(node: N) {
  const { change } = useBuilder();
  const error = useFieldError(node);
  return <K extends keyof N & string>(name: K) => ({
    value: node[name],
    error: error(name),
    onChange(value: N[K]) {
      const fields: Partial<N> = {};
      fields[name] = value;
      change(node, fields, name);
    },
  });
}
