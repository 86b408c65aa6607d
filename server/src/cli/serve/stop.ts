/** Terminals and npm pass one key press on more than once; signals this close together are one. */
const SAME_SIGNAL_MS = 400;

/** Learns that the service is to stop. */
export interface StopWatch {
  readonly requested: boolean;
  /** Resolves with the reason when a stop is asked for. */
  readonly asked: Promise<string>;
  /** Asks for a stop from within. */
  readonly ask: (reason: string) => void;
  /** Gives the signals back. */
  readonly dispose: () => void;
}

/**
 * Watches for SIGINT, SIGTERM, SIGHUP, and the end of the process that started this one (its channel closes, also when
 * it is killed). `onSecond` is called when a person asks again.
 */
export function watchForStop(onSecond: () => void): StopWatch {
  let tell: (reason: string) => void = () => undefined;
  const asked = new Promise<string>((resolve) => (tell = resolve));
  let requested = false;
  let firstMs = 0;
  const ask = (reason: string) => {
    if (!requested) firstMs = performance.now();
    requested = true;
    tell(reason);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    if (!requested) ask(signal);
    else if (performance.now() - firstMs > SAME_SIGNAL_MS) onSecond();
  };
  const onDisconnect = () => ask('the process that started the service has ended');
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
    asked,
    ask,
    dispose() {
      for (const signal of signals) process.off(signal, onSignal);
      process.off('disconnect', onDisconnect);
    },
  };
}
