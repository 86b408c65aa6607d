import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import { toJsonText } from '../../kernel/json-text.ts';
import type { AnswerPart, Answers } from '../runs/answers.ts';
import type { Attached } from '../runs/execution.ts';
import { storable } from '../runs/json.ts';
import { type NodeContext, partsOf, renderIn } from '../runs/scope.ts';

/** The text of a node on its way into an answer, as it is made. */
export interface StreamOut {
  readonly answers: Answers;
  readonly part: AnswerPart;
  /** Length of what stands before the node's text in the part. */
  readonly before: number;
  /** What callers have of the node's text from before a crash. */
  readonly sent: string;
  /** For the node to keep. */
  readonly attached: Attached;
}

const escaped = (text: string) => text.replaceAll('{{', String.raw`\{{`);

/** An answer node that only waits for this node, and whose text before the node's is known. */
function answerFor({ scope, node }: NodeContext<NodeOf<'model' | 'agent'>>) {
  const { graph } = scope.flow;
  for (const { to } of graph.out(node.id)) {
    const answer = graph.nodes.get(to);
    if (answer?.kind !== 'answer' || graph.into(to).length > 1) continue;
    const parts = partsOf(scope, answer.text);
    const at = parts.findIndex((part) => typeof part !== 'string' && part.node === node.id);
    const placeholder = parts[at];
    if (typeof placeholder === 'object' && placeholder.reference === `${node.id}.text`) {
      const before = parts
        .slice(0, at)
        .map((part) => (typeof part === 'string' ? escaped(part) : `{{${part.reference}}}`));
      return { answer, before: renderIn(scope, before.join('')) };
    }
  }
  return null;
}

/**
 * Begins to stream into the answer node behind a node, if there is one that can be. `from`: where it was begun before a crash. Waits
 * for answers that are being given. Rejects with the signal's reason; with InputRequired where one of those waits for a person.
 */
export async function openStreamOut(
  context: NodeContext<NodeOf<'model' | 'agent'>>,
  from: number | undefined,
): Promise<StreamOut | null> {
  const { scope, execution } = context;
  const { answers } = scope.flow;
  const found = answers === null ? null : answerFor(context);
  if (answers === null || found === null) return null;
  const part = await answers.begin(execution.signal, from);
  const before = storable(found.before);
  if (part.sent === '') part.push(toJsonText(before));
  scope.streamed.set(found.answer.id, part);
  return {
    answers,
    part,
    before: before.length,
    sent: part.sent.slice(before.length),
    attached: { answer: `${scope.prefix}${found.answer.id}`, from: part.from },
  };
}
