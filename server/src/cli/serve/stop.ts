/** Terminals and npm pass one key press on more than once; signals this close together are one. */
const SAME_SIGNAL_MS = 400;

/** Reports that the service is to stop. */
export interface ShutdownWatcher {
  readonly requested: boolean;
  /** Resolves with the reason when a stop is requested. */
  readonly whenRequested: Promise<string>;
  /** Asks for a stop from within. */
  readonly requestStop: (reason: string) => void;
  /** Removes the signal handlers. */
  readonly dispose: () => void;
}

/**
 * Watches for SIGINT, SIGTERM, SIGHUP, and the end of the process that started this one (its channel closes, also when
 * it is killed). `onSecond` is called when a person asks again.
 */
export function watchForShutdown(onSecond: () => void): ShutdownWatcher {
  let resolveReason: (reason: string) => void = () => undefined;
  const whenRequested = new Promise<string>((resolve) => (resolveReason = resolve));
  let requested = false;
  let firstMs = 0;
  const requestStop = (reason: string) => {
    if (!requested) firstMs = performance.now();
    requested = true;
    resolveReason(reason);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (!requested) requestStop(signal);
    else if (performance.now() - firstMs > SAME_SIGNAL_MS) onSecond();
  };
  const onDisconnect = () => requestStop('the process that started the service has ended');
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  if (process.connected) {
    process.once('disconnect', onDisconnect);
    // The channel alone is no reason to stay.
    process.channel?.unref();
  }
  return {
    get requested() {
      return requested;
    },
    whenRequested,
    requestStop,
    dispose() {
      for (const signal of signals) process.off(signal, onSignal);
      process.off('disconnect', onDisconnect);
    },
  };
}
