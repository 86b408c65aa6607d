/** Resolves with null after a while of silence. Call `stop` to end the wait. */
function silence(ms: number) {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), ms).unref()));
  return { over, stop: () => clearTimeout(timer) };
}

/**
 * What a generator gives, with a comment of server-sent events whenever it has been silent for so long, lest something between ends
 * the stream. The generator must end when nobody waits for it any more.
 */
export async function* pinged(lines: AsyncGenerator<string, void>, silenceMs = 15_000): AsyncGenerator<string, void> {
  try {
    let next = lines.next();
    for (;;) {
      const quiet = silence(silenceMs);
      const result = await Promise.race([next, quiet.over]).finally(quiet.stop);
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
