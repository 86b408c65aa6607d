/** An event of a stream, as it is sent. */
export interface StreamedEvent {
  /** Its `sequence_number`. */
  readonly seq: number;
  /** With its lines `event:` and `data:`, without the empty one. */
  readonly frame: string;
}

const END = /^event: response\.(?:completed|failed|incomplete)\n/;

/** Whether nothing comes after an event. */
export const isEnd = ({ frame }: StreamedEvent): boolean => END.test(frame);

/** The events in a text, the first of which has this number. */
export const eventsIn = (text: string, first: number): readonly StreamedEvent[] =>
  // Data is JSON on one line: nothing in it is an empty line.
  text
    .split('\n\n')
    .slice(0, -1)
    .map((frame, at) => ({ seq: first + at, frame }));
