/** The events of several streams as they come, each in its own order. Ends when all have ended; rejects with the first failure. */
export async function* mergeEvents<T>(streams: readonly AsyncGenerator<T, void>[]): AsyncGenerator<T, void> {
  const [only] = streams;
  if (streams.length === 1 && only !== undefined) return yield* only;
  const next = (stream: AsyncGenerator<T, void>) => stream.next().then((result) => ({ stream, result }));
  const waiting = new Map(streams.map((stream) => [stream, next(stream)]));
  try {
    while (waiting.size > 0) {
      const { stream, result } = await Promise.race(waiting.values());
      if (result.done === true) waiting.delete(stream);
      else {
        // Before it is told: the stream goes on while somebody reads.
        waiting.set(stream, next(stream));
        yield result.value;
      }
    }
  } finally {
    for (const [stream, pending] of waiting) {
      pending.catch(() => undefined);
      void stream.return().catch(() => undefined);
    }
  }
}
