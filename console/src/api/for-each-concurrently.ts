/** Calls that are made at the same time. */
const MAX_CONCURRENCY = 4;

/** Runs an action for each item, several at a time. Rejects with the first error, after all have finished. */
export async function forEachConcurrently<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const left = [...items];
  let failure: { readonly error: unknown } | null = null;
  const work = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift())
      await act(item).catch((error: unknown) => (failure ??= { error }));
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENCY }, work));
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}
