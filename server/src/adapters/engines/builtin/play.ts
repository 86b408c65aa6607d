import { type ChatRun, type ChatSink, EngineError } from '../../../ports/engine.ts';
import type { Step } from './events.ts';

/** Events given out between two turns of the event loop. */
const EVENTS_A_TURN = 32;
/** Slices of work done between two turns. Each is about a millisecond. */
const SLICES_A_TURN = 4;

/**
 * Gives the events of a call to `sink` in turns, so that neither the event loop nor a slow reader suffers. The first
 * comes after this function has returned; none comes after `abort`, and none during a pause.
 * `paceMs`: milliseconds between two events; 0 for none.
 */
export function play(steps: Iterator<Step>, sink: ChatSink, paceMs: number, ended: () => void): ChatRun {
  let over = false;
  let paused = false;
  let immediate: NodeJS.Immediate | null = null;
  let timer: NodeJS.Timeout | null = null;

  const finish = () => {
    if (over) return;
    over = true;
    if (immediate) clearImmediate(immediate);
    if (timer) clearTimeout(timer);
    immediate = timer = null;
    ended();
  };
  const schedule = (afterEvent: boolean) => {
    if (over || paused || immediate || timer) return;
    if (afterEvent && paceMs > 0) timer = setTimeout(turn, paceMs);
    else immediate = setImmediate(turn);
  };
  const turn = () => {
    immediate = timer = null;
    let events = 0;
    const most = paceMs > 0 ? 1 : EVENTS_A_TURN;
    for (let slices = 0; slices < SLICES_A_TURN && events < most && !over && !paused;) {
      const event = next();
      if (event === undefined) slices++;
      else if (event !== null) {
        events++;
        // After these nothing follows, also when the sink asks for more.
        if (event.type === 'end' || event.type === 'error') finish();
        sink(event);
      }
    }
    schedule(events > 0);
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

  schedule(false);
  return {
    abort: finish,
    pause: () => {
      paused = true;
    },
    resume() {
      paused = false;
      schedule(false);
    },
  };
}
