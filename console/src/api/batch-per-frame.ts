/**
 * Collects the events of a stream and hands them over once per animation frame, so that a fast answer does not block the page.
 * Resolves when the stream ends and rejects as it does; what had come by then is handed over first.
 */
export async function batchPerFrame<T>(
  events: AsyncIterable<T>,
  onBatch: (batch: readonly T[]) => void,
): Promise<void> {
  let batch: T[] = [];
  let frame = 0;
  const flush = () => {
    frame = 0;
    const ready = batch;
    batch = [];
    if (ready.length > 0) onBatch(ready);
  };
  try {
    for await (const event of events) {
      batch.push(event);
      if (frame === 0) frame = requestAnimationFrame(flush);
    }
  } finally {
    cancelAnimationFrame(frame);
    flush();
  }
}
