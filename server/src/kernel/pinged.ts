/** Starts a timer that resolves with null. Call `stop` to clear it. */
function startSilence(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const elapsed = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms).unref()));
  return { over: elapsed, stop: () => clearTimeout(timer) };
}

/**
 * Adds a comment of server-sent events whenever a generator was silent for `silenceMs`, so that no proxy ends an idle stream. The
 * generator must end when nobody reads it any more.
 */
export async function* pinged(lines: AsyncGenerator<string, void>, silenceMs = 15_000): AsyncGenerator<string, void> {
  try {
    let next = lines.next();
    for (;;) {
      const timeout = startSilence(silenceMs);
      const result = await Promise.race([next, timeout.over]).finally(timeout.stop);
      if (result === null) yield ': ping\n\n';
      else if (result.done === true) return;
      else {
        yield result.value;
        next = lines.next();
      }
    }
  } finally {
    await lines.return();
  }
}
