import { type ChatRun, type ChatSink, EngineError } from '../../../ports/engine.ts';
import type { Step } from './events.ts';

/** Events given out between two turns of the event loop. */
const EVENTS_PER_TURN = 32;
/** Slices of work done between two turns. Each is about a millisecond. */
const SLICES_PER_TURN = 4;

/**
 * Runs the steps of a call and passes its events to `sink` in turns, so that neither the event loop nor a slow reader suffers. The first
 * comes after this function has returned; none comes after `abort`, and none during a pause.
 */
export function runSteps(steps: Iterator<Step>, sink: ChatSink, ended: () => void): ChatRun {
  let over = false;
  let paused = false;
  let scheduled: NodeJS.Immediate | null = null;

  const finish = () => {
    if (over) return;
    over = true;
    if (scheduled) clearImmediate(scheduled);
    scheduled = null;
    ended();
  };
  const schedule = () => {
    if (!over && !paused) scheduled ??= setImmediate(turn);
  };
  const turn = () => {
    scheduled = null;
    let events = 0;
    for (let slices = 0; slices < SLICES_PER_TURN && events < EVENTS_PER_TURN && !over && !paused;) {
      const event = next();
      if (event === undefined) slices++;
      else if (event !== null) {
        events++;
        // After these nothing follows, also when the sink asks for more.
        if (event.type === 'end' || event.type === 'error') finish();
        sink(event);
      }
    }
    schedule();
  };
  const next = (): Step | null => {
    try {
      const { done, value } = steps.next();
      if (done !== true) return value;
      finish();
      return null;
    } catch (cause) {
      return { type: 'error', error: new EngineError('protocol', 'The built-in engine failed', { cause }) };
    }
  };

  schedule();
  return {
    abort: finish,
    pause: () => {
      paused = true;
    },
    resume() {
      paused = false;
      schedule();
    },
  };
}
