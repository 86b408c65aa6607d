import { invalidRequest } from '../kernel/errors.ts';

/** As many pages may be named one by one. */
const MAX_PAGES = 100_000;

/** Pages of a text such as `1,3-5`; null for all. Errors: `invalid_request`. */
export function pagesOf(text: string | undefined): readonly number[] | null {
  if (text === undefined) return null;
  const pages = new Set<number>();
  for (const part of text.split(',')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    if (first < 1 || last < first) throw invalidRequest('pages are numbers from 1 and ranges such as 3-5', 'pages');
    if (last - first + pages.size > MAX_PAGES)
      throw invalidRequest(`pages may name ${MAX_PAGES} pages at most`, 'pages');
    for (let page = first; page <= last; page++) pages.add(page);
  }
  return [...pages];
}
