import type { Citation, RunEvent, RunState } from '@ai-studio/contract/agents/run.ts';
import type { RunSnapshot } from '../runs/types.ts';
import type { A2aTag } from './envelope.ts';
import { renderPart, type ShownPart } from './parts.ts';
import { hasSeenQuestion } from './stream-position.ts';
import { questionId, renderTask, stateOf, taskMetadata } from './tasks.ts';

// The log of a run as server-sent events. What is the same for all of them is made once a stream.

/** States after which a stream ends. */
export const isLast = (state: RunState): boolean => state !== 'submitted' && state !== 'working';

export interface EventLines {
  /** The task as it stands, before its events; empty where the stream begins with them. */
  opening(): string;
  /** An event of the log; empty for one that callers are not told. `last`: the stream ends with it. `part`: what an event of a part tells. */
  event(event: RunEvent, last: boolean, part?: ShownPart | null): string;
  /** A failure of the stream itself. */
  failure(error: object): string;
}

/**
 * Lines of one stream by the door of the interface. Event ids are sequence numbers; a text has its place in `messageId` too, for clients that show no event
 * ids. `place`: what the caller has already. Source: interface 2.5; decisions section 4, `message/stream`.
 */
export function createInterfaceEventLines(
  { form, door, id }: A2aTag,
  run: RunSnapshot,
  shown: RunSnapshot,
  place = 0,
): EventLines {
  let citations: readonly Citation[] = run.citations;
  const head = `data: {"jsonrpc":"2.0","id":${id},`;
  const task = `"taskId":${JSON.stringify(run.id)},"contextId":${JSON.stringify(run.contextId)}`;
  const isOld = form === '0.3';

  /** One status update. `text` and `metadata` are JSON. */
  const update = (
    id: string,
    at: string,
    state: RunState,
    text: string,
    final: boolean,
    metadata: string | null,
    more = '',
  ) => {
    const messageId = `"messageId":"${id}"`;
    const body = isOld
      ? `"result":{"kind":"status-update",${task},"final":${final},"status":{"state":"${state}","timestamp":"${at}","message":{"kind":"message",${messageId},"role":"agent","parts":[{"kind":"text","text":${text}}${more}]}}${metadata === null ? '' : `,"metadata":${metadata}`}}`
      : `"result":{"statusUpdate":{${task},"status":{"state":"${stateOf(form, state)}","timestamp":"${at}","message":{${messageId},"role":"ROLE_AGENT","parts":[{"text":${text}}${more}]}}${metadata === null ? '' : `,"metadata":${metadata}`}}}`;
    return `${head}${body}}\n\n`;
  };

  const idOf = (seq: number) => `${run.id}-${seq}`;

  const state = (event: Extract<RunEvent, { type: 'state' }>, last: boolean): string => {
    const { seq, at } = event;
    if (!isLast(event.state)) return `id: ${seq}\n${update(idOf(seq), at, 'working', '""', false, null)}`;
    // A question that was answered since is no part of the answer.
    if (!last) return '';
    const metadata = taskMetadata({ sessionId: run.sessionId, citations, failure: event.failure ?? null });
    const { question } = event;
    // The question comes as text, in an event of its own: the last one has none. Without an event id it is repeated with the last.
    const asked =
      question === undefined || hasSeenQuestion(place, seq)
        ? ''
        : update(questionId(run.id, seq), at, 'working', JSON.stringify(question), false, null);
    return `${asked}id: ${seq}\n${update(idOf(seq), at, event.state, '""', true, JSON.stringify(metadata))}`;
  };

  return {
    opening: () => {
      if (isOld) return '';
      const task = renderTask({ form, door }, shown, { historyLength: null, artifacts: false });
      return `${head}"result":{"task":${JSON.stringify(task)}}}\n\n`;
    },
    event(event, last, part = null) {
      switch (event.type) {
        case 'text':
          return `id: ${event.seq}\n${update(idOf(event.seq), event.at, 'working', JSON.stringify(event.text), false, null)}`;
        case 'state':
          return state(event, last);
        case 'part': {
          if (part === null) return '';
          // Behind an empty text, and with one of its own: programs of the interface join the text of each part. Source: interface 2.5.
          const rendered = renderPart(form, part);
          const more = `,${JSON.stringify(isOld ? { ...rendered, text: '' } : rendered)}`;
          return `id: ${event.seq}\n${update(idOf(event.seq), event.at, 'working', '""', false, null, more)}`;
        }
        case 'citations':
          citations = event.citations;
          return '';
        default:
          return '';
      }
    },
    failure: (error) => `${head}"error":${JSON.stringify(error)}}\n\n`,
  };
}
