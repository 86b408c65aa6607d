/** The key itself. Throws for one that could lead out of a store: whoever made it is to blame. */
export function checkedKey(key: string): string {
  const fine = /^[A-Za-z0-9_-][\w.-]*(?:\/[A-Za-z0-9_-][\w.-]*)*$/.test(key) && key.length <= 400;
  if (!fine) throw new Error(`${JSON.stringify(key)} is no key of a blob`);
  return key;
}
