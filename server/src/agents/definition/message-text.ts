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
export const namesData = (graph: Graph, id: string): boolean =>
  [...graph.nodes.values()].flatMap(templateFields).some(({ text, use }) => {
    const named =
      use === 'text' || use === 'value'
        ? parseTemplate(text).placeholders
        : [parseReference(text)].filter((one) => one !== null);
    return named.some(({ node, keys: [key] }) => node === id && key === 'data');
  });

/** Whether a node of an agent names the data of the messages that begin its runs. */
export const namesInputData = (graph: Graph): boolean =>
  [...graph.nodes.values()].some(({ kind, id }) => kind === 'input' && namesData(graph, id));

/** Whether a model of an agent is told of the data that messages bring, or a node names them. */
export const takesData = (graph: Graph): boolean =>
  [...graph.nodes.values()].some(
    ({ kind, id }) =>
      kind === 'model' || kind === 'agent' || ((kind === 'input' || kind === 'ask') && namesData(graph, id)),
  );
