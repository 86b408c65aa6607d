import type { AgentNodeForm, DefinitionProblem, NodeOf, ToolChoice } from '@ai-studio/contract/agents/definition.ts';
import { type PiiType, piiTypes } from '@ai-studio/contract/utilities/privacy.ts';
import { StudioError } from '../../../kernel/errors.ts';
import type { Resources } from '../resources.ts';
import { compilePattern } from '../pattern/index.ts';
import { parseTemplate } from '../template-text.ts';
import { templateNameFault } from '../written-file.ts';
import { problem } from './problem.ts';
import { schemaFault } from './schema.ts';

/** Agents that call each other, the outermost counted, as runs have it. */
const MAX_CALL_DEPTH = 3;

/** Whether everything that nodes use is there and may be used. Resources of other tenants are reported as missing. */
export function* resourceProblems(nodes: Iterable<AgentNodeForm>, resources: Resources): Generator<DefinitionProblem> {
  for (const node of nodes) yield* nodeProblems(node, resources);
}

function* nodeProblems(node: AgentNodeForm, resources: Resources): Generator<DefinitionProblem> {
  switch (node.kind) {
    case 'retrieve':
      yield* collectionProblems(node.collections, node.id, 'collections', resources);
      if (typeof node.rerank === 'object' && node.rerank.model !== undefined && !resources.reranks(node.rerank.model))
        yield problem('unknown_model', `There is no rerank model ${JSON.stringify(node.rerank.model)}`, {
          node: node.id,
          field: 'rerank.model',
        });
      return;
    case 'model':
      return yield* modelProblems(node, resources);
    case 'tool':
      return yield* toolNodeProblems(node, resources);
    case 'mask_pii':
      for (const [index, type] of (node.types ?? []).entries())
        if (!piiTypes.includes(type as PiiType))
          yield problem('form', `There is no type ${JSON.stringify(type)}`, { node: node.id, field: `types.${index}` });
      return;
    case 'condition':
      for (const [index, { tests }] of node.cases.entries())
        yield* patternProblems(tests, node.id, `cases.${index}.tests`);
      return;
    case 'loop':
      return yield* patternProblems(node.until.tests, node.id, 'until.tests');
    case 'agent':
      return yield* agentProblems(node, resources);
    case 'answer':
      return yield* fileNameProblems(node);
    default:
  }
}

function* collectionProblems(
  ids: readonly string[],
  node: string,
  field: string,
  { collections }: Resources,
): Generator<DefinitionProblem> {
  if (ids.length === 0) yield problem('unknown_collection', 'Choose a collection', { node, field });
  for (const [index, id] of ids.entries())
    if (!collections.has(id))
      yield problem('unknown_collection', `There is no collection ${id} that you may search`, {
        node,
        field: `${field}.${index}`,
      });
}

function* modelProblems(node: NodeOf<'model'>, resources: Resources): Generator<DefinitionProblem> {
  const at = { node: node.id, field: 'model' };
  const model = resources.model(node.model);
  if (node.model === '') yield problem('unknown_model', 'Choose a model', at);
  else if (model === null)
    yield problem('unknown_model', `There is no chat model ${JSON.stringify(node.model)} that you may use`, at);
  else if (node.tools.length > 0 && !model.tools)
    yield problem('unknown_model', `The model ${node.model} cannot call tools`, at);
  for (const [index, tool] of node.tools.entries()) yield* toolProblems(tool, node.id, `tools.${index}`, resources);
  const fault = node.schema === undefined ? null : schemaFault(node.schema);
  if (fault !== null) yield problem('bad_schema', fault, { node: node.id, field: 'schema' });
}

function* toolProblems(
  tool: ToolChoice,
  node: string,
  field: string,
  resources: Resources,
): Generator<DefinitionProblem> {
  if (tool.kind === 'search_collection')
    return yield* collectionProblems(tool.collections, node, `${field}.collections`, resources);
  if (tool.kind !== 'server') return;
  const known = resources.servers.get(tool.server);
  if (known === undefined) {
    const message = tool.server === '' ? 'Choose a tool server' : `There is no tool server ${tool.server}`;
    return yield problem('unknown_server', message, { node, field: `${field}.server` });
  }
  for (const [index, name] of tool.tools.entries())
    if (!known.has(name))
      yield problem('unknown_tool', `The tool server has no tool ${JSON.stringify(name)}`, {
        node,
        field: `${field}.tools.${index}`,
      });
}

/** Arguments that built-in tools must be given. */
const neededByBuiltIn: Readonly<Partial<Record<ToolChoice['kind'], readonly string[]>>> = {
  calculator: ['expression'],
  search_collection: ['query'],
  write_document: ['name'],
};

function* toolNodeProblems(
  { id: node, tool, arguments: given }: NodeOf<'tool'>,
  resources: Resources,
): Generator<DefinitionProblem> {
  yield* toolProblems(tool, node, 'tool', resources);
  if (tool.kind === 'server' && tool.tools.length !== 1)
    return yield problem('unknown_tool', 'Choose the tool that is called', { node, field: 'tool.tools' });
  const needed =
    tool.kind === 'server' ? resources.servers.get(tool.server)?.get(tool.tools[0] ?? '') : neededByBuiltIn[tool.kind];
  for (const name of needed ?? [])
    if (!Object.hasOwn(given, name))
      yield problem('missing_argument', `The tool needs the argument ${JSON.stringify(name)}`, {
        node,
        field: 'arguments',
      });
}

/** Files that would not be what their names say. */
function* fileNameProblems({ id: node, parts = [] }: NodeOf<'answer'>): Generator<DefinitionProblem> {
  for (const [index, part] of parts.entries()) {
    const fault = part.kind === 'document' ? templateNameFault(part.name) : null;
    if (fault !== null) yield problem('form', fault, { node, field: `parts.${index}.name` });
  }
}

function* patternProblems(
  tests: readonly { readonly op: string; readonly right: string }[],
  node: string,
  path: string,
): Generator<DefinitionProblem> {
  for (const [index, { op, right }] of tests.entries()) {
    // A pattern with results in it is known only when it runs.
    if (op !== 'matches' || parseTemplate(right).placeholders.length > 0) continue;
    try {
      compilePattern(right);
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      yield problem('bad_pattern', error.message, { node, field: `${path}.${index}.right` });
    }
  }
}

function* agentProblems({ id, agent }: NodeOf<'agent'>, { agents, slug }: Resources): Generator<DefinitionProblem> {
  const at = { node: id, field: 'agent' };
  if (agent === '') return yield problem('unknown_agent', 'Choose an agent', at);
  if (agent === slug) return yield problem('agent_calls_itself', 'An agent cannot call itself', at);
  const calls = agents.get(agent);
  if (calls === undefined) return yield problem('unknown_agent', `There is no agent ${JSON.stringify(agent)}`, at);
  if (calls === null) return yield problem('unknown_agent', `The agent ${agent} is not deployed`, at);
  let level: ReadonlySet<string> = new Set([agent]);
  for (let depth = 2; level.size > 0; depth += 1) {
    if (slug !== null && level.has(slug))
      return yield problem('agent_calls_itself', `The agent ${agent} calls this agent in the end`, at);
    if (depth > MAX_CALL_DEPTH)
      return yield problem(
        'too_deep',
        `The agent ${agent} calls agents that call others: at most ${MAX_CALL_DEPTH} deep, this one counted`,
        at,
      );
    level = new Set([...level].flatMap((one) => agents.get(one) ?? []));
  }
}
