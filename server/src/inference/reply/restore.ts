import { type JsonText, fromJsonText, toJsonText } from '../../kernel/json-text.ts';
import type { ChatEvent, ChatSink } from '../../ports/engine.ts';

/** Puts something else in the place of parts of a text that comes in pieces, and holds back what may become such a part. */
export interface TextRestorer {
  push(piece: string): string;
  /** What was held back, once. */
  end(): string;
  /** Whether a JSON text that comes now surely stays as it is: it need not be decoded then. */
  leaves(json: JsonText): boolean;
}

/** What is put in place, by where the text stands: `json` within a JSON text, such as the arguments of a call. */
export interface Restore {
  open(written: 'plain' | 'json'): TextRestorer;
  /** Whether answers are JSON by the request. */
  readonly jsonAnswer: boolean;
}

type Text = ChatEvent & { readonly type: 'text' };
type Arguments = ChatEvent & { readonly type: 'tool_arguments' };

/** One text under way, and the event by which the rest of it is given out. */
interface Stream {
  readonly restorer: TextRestorer;
  readonly last: Text | Arguments;
}

/** Restores all texts of a reply: answers, thinking and arguments, each by itself. */
export interface RestoredReply {
  readonly sink: ChatSink;
  /** Gives out what is held back, of choices that did not finish. */
  flush(): void;
}

export function restoreReply({ open, jsonAnswer }: Restore, out: ChatSink): RestoredReply {
  const streams = new Map<string, Stream>();

  function streamOf(event: Text | Arguments): Stream {
    const id = event.type === 'text' ? `${event.choice} ${event.channel}` : `${event.choice} call ${event.call}`;
    let stream = streams.get(id);
    if (!stream) {
      const isJson = event.type === 'tool_arguments' || (event.channel === 'content' && jsonAnswer);
      streams.set(id, (stream = { restorer: open(isJson ? 'json' : 'plain'), last: event }));
    }
    return stream;
  }

  const emit = (event: Text | Arguments, text: string) => {
    if (text !== '') out({ ...event, json: toJsonText(text) });
  };
  const restored = (event: Text | Arguments) => {
    const { restorer } = streamOf(event);
    if (!restorer.leaves(event.json)) emit(event, restorer.push(fromJsonText(event.json)));
    else if (event.json !== '') out(event);
  };

  /** Of one choice, or of all. */
  function release(choice: number | null): void {
    for (const { restorer, last } of streams.values())
      if (choice === null || last.choice === choice) emit(last, restorer.end());
  }

  /** The words of a stop string are whole. */
  function whole(text: string): string {
    const restorer = open('plain');
    return restorer.push(text) + restorer.end();
  }

  return {
    sink(event) {
      switch (event.type) {
        case 'text': {
          // Log-probabilities are of the tokens as the model wrote them, in pieces that show nothing whole.
          if (event.logprobs === undefined) return restored(event);
          const { logprobs: _ofPieces, ...rest } = event;
          return restored(rest);
        }
        case 'tool_arguments':
          return restored(event);
        case 'finish':
          release(event.choice);
          return out(event.stop === null ? event : { ...event, stop: whole(event.stop) });
        case 'end':
          release(null);
          return out(event);
        default:
          return out(event);
      }
    },
    flush: () => release(null),
  };
}
