import type { Citation, RunEvent } from '@ai-studio/contract/agents/run.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aTag } from './envelope.ts';
import { type EventLines, isLast } from './events.ts';
import { artifactOf, type ShownPart } from './parts.ts';
import { ANSWER, renderMessage, renderTask, stateOf, taskMetadata, textPart } from './tasks.ts';

// The log of a run as plain A2A tells it: the task, pieces of its artifact, and how the turn ends. Source: decisions section 4, "Two doors".

/** JSON of an event before and after what is made for each of them. */
const wrap = ({ door, id }: A2aTag) =>
  door === 'http_json'
    ? (result: object) => `data: ${JSON.stringify(result)}\n\n`
    : (result: object) => `data: {"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}\n\n`;

/**
 * Lines of one stream. `shown`: the task as its first event tells it; pieces of the answer that it has already are not sent again. Questions
 * and reasons of failures stand in the status that ends the turn; the answer stands in the artifact alone.
 */
export function createPlainEventLines(
  tag: A2aTag,
  run: RunSnapshot,
  shown: RunSnapshot,
  before: readonly ShownPart[] = [],
): EventLines {
  const { form } = tag;
  const isOld = form === '0.3';
  const line = wrap(tag);
  const names = { taskId: run.id, contextId: run.contextId };
  let citations: readonly Citation[] = run.citations;
  let { answer } = shown;
  let sent = answer !== '';
  const parts = [...before];

  const artifactUpdate = (artifact: object, append: boolean, lastChunk: boolean) => {
    const update = { ...names, artifact, append, lastChunk };
    return line(isOld ? { kind: 'artifact-update', ...update } : { artifactUpdate: update });
  };
  const textUpdate = (text: string, lastChunk: boolean) => {
    const append = sent;
    sent = true;
    return artifactUpdate({ artifactId: ANSWER, name: ANSWER, parts: [textPart(form, text)] }, append, lastChunk);
  };

  const working = ({ at }: RunEvent, more: { readonly metadata?: object } = {}) => {
    const status = { state: stateOf(form, 'working'), timestamp: at };
    return line(
      isOld
        ? { kind: 'status-update', ...names, final: false, status, ...more }
        : { statusUpdate: { ...names, status, ...more } },
    );
  };

  /** The event that ends the turn: in 1.0 the whole task, in 0.3 the last status. */
  const ending = (event: Extract<RunEvent, { type: 'state' }>) => {
    const failure = event.failure ?? null;
    const question = event.question ?? null;
    const ended: RunSnapshot = {
      ...run,
      state: event.state,
      stateAt: new Date(event.at),
      lastSeq: event.seq,
      answer,
      question,
      failure,
      citations,
    };
    // A piece that closes the artifact: nobody knows of a piece of text that it is the last one.
    const close = event.state !== 'input-required' && answer !== '' ? textUpdate('', true) : '';
    if (!isOld)
      return `${close}id: ${event.seq}\n${line({ task: renderTask(tag, ended, { historyLength: null, artifacts: true, parts }) })}`;
    const text = question ?? failure?.message;
    const message =
      text === undefined || text === null
        ? {}
        : { message: { ...renderMessage(form, 'agent', `${run.id}-${event.seq}`, [textPart(form, text)]), ...names } };
    const status = { state: event.state, timestamp: event.at, ...message };
    const metadata = taskMetadata({ sessionId: run.sessionId, citations, failure });
    return `${close}id: ${event.seq}\n${line({ kind: 'status-update', ...names, final: true, status, metadata })}`;
  };

  return {
    opening() {
      const task = renderTask(tag, shown, { historyLength: null, artifacts: true, parts: before });
      return line(isOld ? task : { task });
    },
    event(event, last, part = null) {
      switch (event.type) {
        case 'text':
          if (event.text === '') return '';
          answer += event.text;
          return `id: ${event.seq}\n${textUpdate(event.text, false)}`;
        case 'part':
          if (part === null) return '';
          parts.push(part);
          return `id: ${event.seq}\n${artifactUpdate(artifactOf(form, part), false, true)}`;
        case 'progress': {
          const { name, done, total, node } = event;
          return `id: ${event.seq}\n${working(event, { metadata: { progress: { node, name, done, total } } })}`;
        }
        case 'state':
          if (!isLast(event.state)) return event.state === 'working' ? `id: ${event.seq}\n${working(event)}` : '';
          // A question that was answered since ended its own turn.
          return last ? ending(event) : '';
        case 'citations':
          citations = event.citations;
          return '';
        default:
          return '';
      }
    },
    failure: (error) =>
      tag.door === 'http_json'
        ? `data: ${JSON.stringify({ error })}\n\n`
        : `data: {"jsonrpc":"2.0","id":${tag.id},"error":${JSON.stringify(error)}}\n\n`,
  };
}
