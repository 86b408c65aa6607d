/** A Content-Disposition for a file to be saved. `fallback`: an ASCII name for old browsers. Source: RFC 6266, RFC 8187. */
export function attachment(title: string, extension: string, fallback: string): string {
  // Lone surrogates can't be encoded as UTF-8.
  const name = encodeURIComponent(`${title.toWellFormed() || fallback}.${extension}`).replaceAll(
    /['()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}.${extension}"; filename*=UTF-8''${name}`;
}
