import { StudioError } from '../../kernel/errors.ts';
import { type NodeRunner, callContextOf } from './node.ts';
import { keepToolFiles } from './tool-files.ts';

/** Calls one tool. After a crash it is called again with the same key, for the tool to tell by. */
export const runTool: NodeRunner<'tool'> = async (deps, context) => {
  const { node, step, execution, scope, value } = context;
  const { signal, passages: book } = execution;
  const [tool] = await deps.openTools(await callContextOf(deps, context), {
    choices: [node.tool],
    files: scope.flow.input.files,
  });
  if (!tool) throw new StudioError('not_found', 'The tool of the node is gone');
  const args = Object.fromEntries(Object.entries(node.arguments).map(([name, text]) => [name, value(text)]));
  context.trace({ tool: tool.name, arguments: args });
  // What it was given does not change with a crash.
  await execution.log.written();
  const {
    text,
    result,
    failed,
    passages,
    files = [],
  } = await tool.call(args, {
    signal,
    idempotencyKey: `${execution.row.id}/${step.key}/0`,
    onPassages: (found) => book.number(found).map(({ number }) => number),
  });
  if (failed) throw new StudioError('unprocessable', text);
  const kept = await keepToolFiles(deps, execution, `${step.key}/0`, files);
  return { text, result, files: kept, ...(passages ? { passages: book.number(passages) } : {}) };
};
