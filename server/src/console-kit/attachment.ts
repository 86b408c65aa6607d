/** A file to be saved, named as people named what it holds. `plain` is for browsers that know no other letters. Source: RFC 6266, RFC 8187. */
export function attachment(title: string, ending: string, plain: string): string {
  // Lone surrogates have no UTF-8.
  const name = encodeURIComponent(`${title.toWellFormed() || plain}.${ending}`).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}.${ending}"; filename*=UTF-8''${name}`;
}
