/** Names that are longer are worked out each time. */
const MAX_LENGTH = 64;

/**
 * A function of names that remembers what it came to, for the few that come again and again. What is beyond `maxNames` of them is worked
 * out each time, so that made-up names take no memory.
 */
export function memoizeNames<V>(compute: (name: string) => V, maxNames = 200): (name: string) => V {
  const known = new Map<string, V>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const value = compute(name);
    if (known.size < maxNames && name.length <= MAX_LENGTH) known.set(name, value);
    return value;
  };
}

/** A function of texts that remembers what the last one came to, for what comes many times in a row. */
export function memoizeLast<V>(compute: (text: string) => V): (text: string) => V {
  let last: { readonly text: string; readonly value: V } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, value: compute(text) };
    return last.value;
  };
}
