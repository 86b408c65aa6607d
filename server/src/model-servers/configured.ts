/** An address of the configuration as people may see it: without a name, a password or a query, which may hold secrets. */
export function withoutSecrets(url = 'http://none'): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replace(/\/+$/, '');
}
