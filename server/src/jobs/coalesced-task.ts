/** A task of which at most one run is active: calls during a run cause exactly one more run after it. Never rejects. */
export interface CoalescedTask {
  (): void;
  /** Prevents further runs. Resolves once the active run has ended. */
  stop(): Promise<void>;
}

/** Creates a task from `run`; failures go to `onError`. */
export function createCoalescedTask(run: () => Promise<unknown>, onError: (error: unknown) => void): CoalescedTask {
  let running: Promise<void> | null = null;
  let isRerunRequested = false;
  let isStopped = false;
  const requestRun = (): void => {
    if (isStopped) return;
    if (running !== null) {
      isRerunRequested = true;
      return;
    }
    running = run()
      .catch(onError)
      .then(() => {
        running = null;
        if (!isRerunRequested) return;
        isRerunRequested = false;
        requestRun();
      });
  };
  const stop = async (): Promise<void> => {
    isStopped = true;
    await running;
  };
  return Object.assign(requestRun, { stop });
}
