import { fromJsonText, type JsonText, toJsonText } from '../../../kernel/json-text.ts';
import type { NodeOf } from '@ai-studio/contract/agents/definition.ts';
import type { AnswerPart } from '../../runs/answers.ts';
import { storable } from '../../runs/json.ts';
import { type NodeContext, partsOf, renderIn } from '../../runs/scope.ts';

/** The text of a model on its way into an answer, as it is made. */
export interface StreamOut {
  readonly part: AnswerPart;
  /** What callers have of the model's text from before a crash. */
  readonly sent: string;
}

/** An answer node that only waits for this model, and whose text before the model's is known. */
function answerFor({ scope, node }: NodeContext<NodeOf<'model'>>) {
  const { graph, outermost } = scope.flow;
  if (!outermost) return null;
  for (const { to } of graph.out(node.id)) {
    const answer = graph.nodes.get(to);
    if (answer?.kind !== 'answer' || graph.into(to).length > 1) continue;
    const parts = partsOf(scope, answer.text);
    const at = parts.findIndex((part) => typeof part !== 'string' && part.node === node.id);
    const place = parts[at];
    if (typeof place === 'object' && place.reference === `${node.id}.text`) {
      const before = parts
        .slice(0, at)
        .map((part) => (typeof part === 'string' ? escaped(part) : `{{${part.reference}}}`));
      return { answer, before: renderIn(scope, before.join('')) };
    }
  }
  return null;
}

const escaped = (text: string) => text.replaceAll('{{', String.raw`\{{`);

/**
 * Begins to stream into the answer node behind a model, if there is one that can be. `from`: where it was begun before a crash. Waits
 * for answers that are being given.
 */
export async function openStreamOut(
  context: NodeContext<NodeOf<'model'>>,
  from: number | undefined,
): Promise<(StreamOut & { readonly answer: string }) | null> {
  const found = answerFor(context);
  if (found === null) return null;
  const { scope, execution } = context;
  const part = await execution.answers.begin(execution.signal, from);
  const before = storable(found.before);
  if (part.sent === '' && before !== '') part.push(toJsonText(before));
  scope.streamed.set(found.answer.id, part);
  return { part, sent: part.sent.slice(before.length), answer: `${scope.prefix}${found.answer.id}` };
}

/** Compares what a model says anew with what was sent of it, and lets through what is new. */
export class Resumed {
  #again = '';
  #differs = false;
  readonly #sent: string;
  readonly #push: (json: JsonText) => void;

  constructor(sent: string, push: (json: JsonText) => void) {
    this.#sent = sent;
    this.#push = push;
  }

  /** Whether the model says other words than it had: what it says now is not wanted. */
  get differs(): boolean {
    return this.#differs || this.#again.length < this.#sent.length;
  }

  /** Returns false where the rest is not wanted. */
  text(json: JsonText): boolean {
    if (this.#again.length >= this.#sent.length) {
      this.#push(json);
      return true;
    }
    this.#again += storable(fromJsonText(json));
    const { length } = this.#sent;
    if (this.#again.length <= length) this.#differs = !this.#sent.startsWith(this.#again);
    else if (this.#again.startsWith(this.#sent)) this.#push(toJsonText(this.#again.slice(length)));
    else this.#differs = true;
    return !this.#differs;
  }
}
