import type { RunInput } from '@ai-studio/contract/agents/run.ts';
import type { Graph } from './graph.ts';
import { templateFields } from './template-fields.ts';
import { parseReference, parseTemplate } from './template-text.ts';

// The text of a message, with the data that came with it.

/** A text with the data of its message below it, as JSON. */
export const withData = ({ text, data }: Pick<RunInput, 'text' | 'data'>): string => {
  if (data === null || data === undefined) return text;
  return [text, JSON.stringify(data)].filter((part) => part !== '').join('\n\n');
};

/** Whether a node of an agent names the data that the node `id` gives. */
const namesData = (graph: Graph, id: string): boolean =>
  [...graph.nodes.values()].flatMap(templateFields).some(({ text, use }) => {
    const named =
      use === 'text' || use === 'value'
        ? parseTemplate(text).placeholders
        : [parseReference(text)].filter((one) => one !== null);
    return named.some(({ node, keys: [key] }) => node === id && key === 'data');
  });

/**
 * The text that the node `id` gives of a message: where no node names its data, they stand in it, so that an agent which knows only texts
 * is told of them too.
 */
export const textWithData = (graph: Graph, id: string, input: Pick<RunInput, 'text' | 'data'>): string =>
  input.data === null || input.data === undefined || namesData(graph, id) ? input.text : withData(input);
