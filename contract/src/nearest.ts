/** Edit distance (insert, delete, substitute, transpose). Source: Damerau 1964, restricted form. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

/** The candidate that was most likely meant, or null when none is near. Upper and lower case, `-` and `_` count as the same. */
export function closestMatch(word: string, candidates: readonly string[]): string | null {
  const plain = (text: string) => text.toLowerCase().replaceAll('-', '_');
  const wanted = plain(word);
  let best: { readonly name: string; readonly steps: number } | null = null;
  for (const name of candidates) {
    const steps = editDistance(wanted, plain(name));
    if (steps <= Math.max(1, Math.floor(name.length / 3)) && (best === null || steps < best.steps))
      best = { name, steps };
  }
  return best?.name ?? null;
}
