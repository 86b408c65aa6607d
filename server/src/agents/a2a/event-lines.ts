import type { A2aTag } from './envelope.ts';
import { createInterfaceEventLines, type EventLines } from './events.ts';
import type { StreamOutcome } from './open-stream.ts';
import { createPlainEventLines } from './plain-events.ts';

/** Lines of a stream as the caller's door has them. */
export const createEventLines = (tag: A2aTag, { run, shown, shownParts, after }: StreamOutcome): EventLines =>
  tag.door === 'interface'
    ? createInterfaceEventLines(tag, run, shown, after)
    : createPlainEventLines(tag, run, shown, shownParts);
