/** How often the event loop came round while `work` went on: between two turns nothing else is served. */
export async function countTurns<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly count: number }> {
  let count = 0;
  let over = false;
  const tick = () => {
    count++;
    if (!over) setImmediate(tick);
  };
  setImmediate(tick);
  try {
    return { result: await work(), count };
  } finally {
    over = true;
  }
}
