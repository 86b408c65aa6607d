import type { AnswerPart } from '@ai-studio/contract/agents/definition.ts';
import type { RunPart } from '@ai-studio/contract/agents/run.ts';
import { StudioError } from '../../kernel/errors.ts';
import { attachedOf } from '../runs/execution.ts';
import type { NodeContext } from '../runs/scope.ts';
import { filesOf } from './files-of.ts';
import type { NodeDeps, NodeRunner } from './node.ts';
import { writeDocument } from './write-document.ts';

/** Largest data of one part, as JSON, in UTF-16 units. */
const MAX_DATA_LENGTH = 1_000_000;

/** Where another node began to stream this answer, before a crash. */
function begunAt({ scope, execution, step, node }: NodeContext): number | undefined {
  return scope.flow.graph
    .into(node.id)
    .map(({ from }) => attachedOf(execution.steps.get(`${scope.prefix}${from}`)))
    .find((attached) => attached?.answer === step.key)?.from;
}

const isNothing = (value: unknown) => value === undefined || value === null || value === '';

/** What one entry of the node gives: nothing where the node that it names did not run, or gave nothing. */
async function partsOf(
  deps: NodeDeps,
  context: Parameters<NodeRunner<'answer'>>[1],
  part: AnswerPart,
  id: string,
): Promise<RunPart[]> {
  const { execution } = context;
  switch (part.kind) {
    case 'data': {
      const data = part.value === '' ? null : context.result(part.value);
      if (isNothing(data)) return [];
      if ((JSON.stringify(data) ?? '').length > MAX_DATA_LENGTH)
        throw new StudioError(
          'too_large',
          `${part.value} has more than ${MAX_DATA_LENGTH} characters as JSON; answer with less of it`,
        );
      return [{ kind: 'data', id, name: part.name === '' ? part.value : part.name, data }];
    }
    case 'files': {
      const files = part.files === '' ? [] : await filesOf(deps, context, part.files);
      return files.map((file, index) => ({ kind: 'file', id: index === 0 ? id : `${id}.${index}`, file }));
    }
    case 'document': {
      const content = context.value(part.content);
      if (isNothing(content)) return [];
      const written = await writeDocument(deps.makeDocument, context.text(part.name).trim(), content);
      const { actor, row } = execution;
      const owner = { ...actor, runId: row.id, agentId: row.agent_id };
      return [{ kind: 'file', id, file: await deps.files.keep(owner, { ...written, key: `part/${id}` }) }];
    }
  }
}

async function allParts(deps: NodeDeps, context: Parameters<NodeRunner<'answer'>>[1]): Promise<RunPart[]> {
  const parts: RunPart[] = [];
  for (const [index, part] of (context.node.parts ?? []).entries())
    parts.push(...(await partsOf(deps, context, part, `${context.step.key}.${index}`)));
  return parts;
}

/** Sends its text to the caller, and what it brings. */
export const runAnswer: NodeRunner<'answer'> = async (deps, context) => {
  const { node, scope, execution, text } = context;
  const { flow } = scope;
  const said = text(node.text);
  // Before its turn: nothing comes between a text and its parts.
  const parts = await allParts(deps, context);
  if (flow.answers === null) flow.collected.push({ text: said, at: Date.now() });
  else {
    const turn = scope.streamed.get(node.id) ?? (await flow.answers.begin(execution.signal, begunAt(context)));
    flow.answers.finish(turn, said, node.citations);
  }
  if (flow.parts === null) execution.parts.add(parts);
  else flow.parts.push(...parts);
  return { text: said, ...(parts.length > 0 ? { parts } : {}) };
};
