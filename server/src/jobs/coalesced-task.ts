/** A task that runs once at a time: calls during a run cause exactly one more run after it. Never rejects. */
export interface CoalescedTask {
  (): void;
  /** Begins no further run. Resolves once none is under way. */
  stop(): Promise<void>;
}

/** Makes a task of `run`; failures go to `onError`. */
export function createCoalescedTask(run: () => Promise<unknown>, onError: (error: unknown) => void): CoalescedTask {
  let running: Promise<void> | null = null;
  let again = false;
  let stopped = false;
  const request = (): void => {
    if (stopped) return;
    if (running !== null) {
      again = true;
      return;
    }
    running = run()
      .catch(onError)
      .then(() => {
        running = null;
        if (!again) return;
        again = false;
        request();
      });
  };
  const stop = async (): Promise<void> => {
    stopped = true;
    await running;
  };
  return Object.assign(request, { stop });
}
