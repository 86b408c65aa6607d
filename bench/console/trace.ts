import type { Page } from 'playwright-core';

/** An event of a trace of Chromium, as far as it is read. Times in microseconds; `tdur` is processor time of its thread. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** A task, in the category `toplevel`. */
const TASK = 'ThreadControllerImpl::RunTask';

function taskTimesOf(trace: Buffer): number[] {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasks = threads.map(({ pid, tid }) =>
    traceEvents.flatMap((event) =>
      event.pid === pid && event.tid === tid && event.ph === 'X' && event.name === TASK
        ? [(event.tdur ?? 0) / 1_000]
        : [],
    ),
  );
  // Of several pages the one that works.
  return tasks.toSorted((one, other) => sumOf(other) - sumOf(one))[0] ?? [];
}

/** Processor time of each task of the page's thread while `work` runs, in milliseconds: what other work the machine has does not count. */
export async function taskTimes(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  const browser = page.context().browser();
  await browser?.startTracing(page, { categories: ['toplevel'] });
  await work();
  const trace = await browser?.stopTracing();
  return trace === undefined ? [] : taskTimesOf(trace);
}

export const sumOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0);
export const maxOf = (values: readonly number[]): number => Math.round(Math.max(0, ...values));
/** The value below which a share of them lies. */
export const shareOf = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0);
export const median = (values: readonly number[]): number => shareOf(values, 0.5);
