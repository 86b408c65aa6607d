/** Puts items to the end of a list, however many they are: as arguments of one call some thousands are too many. */
export function append<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
