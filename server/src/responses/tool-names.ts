import type { FunctionTool, ResponseTool } from '@ai-studio/contract/responses/request.ts';
import { invalidRequest, quoteId } from '../kernel/errors.ts';

// Models know functions by one name. Those under a namespace are given to them as `namespace__name`, and calls of them are told apart again.

const SEPARATOR = '__';
/** Longest name of a function that models take. */
const MAX_NAME_LENGTH = 64;

/** A function by the names of the caller. */
export interface ToolName {
  readonly name: string;
  /** Null for a function of its own. */
  readonly namespace: string | null;
}

/** The name by which a model knows a function. */
export const flatName = ({ name, namespace }: ToolName): string =>
  namespace === null ? name : `${namespace}${SEPARATOR}${name}`;

/** A function as a model is given it. */
export interface FlatTool {
  readonly tool: FunctionTool;
  readonly of: ToolName;
}

/** The functions of a request, by the names that models know; searches of the web are left out. Throws StudioError `invalid_request`. */
export function flatTools(tools: readonly ResponseTool[]): ReadonlyMap<string, FlatTool> {
  const flat = new Map<string, FlatTool>();
  const add = (tool: FunctionTool, namespace: string | null, path: string) => {
    const of = { name: tool.name, namespace };
    const name = flatName(of);
    if (flat.has(name)) throw invalidRequest(`${path}.name ${quoteId(tool.name)} is given twice`, `${path}.name`);
    if (name.length > MAX_NAME_LENGTH)
      throw invalidRequest(
        `${path}.name: a namespace and the name of its function together have at most ${MAX_NAME_LENGTH - SEPARATOR.length} characters`,
        `${path}.name`,
      );
    flat.set(name, { tool: { ...tool, name }, of });
  };
  tools.forEach((tool, at) => {
    if (tool.type === 'function') add(tool, null, `tools[${at}]`);
    else if (tool.type === 'namespace')
      tool.tools.forEach((one, place) => add(one, tool.name, `tools[${at}].tools[${place}]`));
  });
  return flat;
}

/** Whether a tool searches the web. */
const searchesWeb = ({ type }: ResponseTool) => type.startsWith('web_search');

/** Searches of the web, which are left out where the operator configured none, by their places in the request. */
export const webSearchesIn = (tools: readonly ResponseTool[]): readonly string[] =>
  tools.flatMap((tool, at) => (searchesWeb(tool) ? [`tools[${at}]`] : []));
