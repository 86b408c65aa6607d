// Files that go along to whoever is chosen to answer: each kind of talk keeps its files by itself, so that they are sent once more.

let carried: { readonly place: string; readonly files: readonly File[] } | null = null;

/** Takes files along to the draft of a place, until its card takes them. */
export const carryFiles = (place: string, files: readonly File[]): void =>
  void (carried = files.length === 0 ? null : { place, files });

export function takeCarried(place: string): readonly File[] {
  const files = carried?.place === place ? carried.files : [];
  carried = null;
  return files;
}
