import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { StudioError } from '../../kernel/errors.ts';

// Lists of the pages of a site. Source: sitemaps.org, protocol 0.9.

/** What a site map names. */
export interface Sitemap {
  readonly pages: readonly string[];
  /** Further site maps. */
  readonly maps: readonly string[];
}

/** As long as the protocol lets them be. */
export const MAX_SITEMAP_BYTES = 50 * 1024 * 1024;
const inflate = promisify(gunzip);

/** Reads a site map, packed or not, or a list of addresses. Rejects with StudioError `unavailable` for what is none. */
export async function readSitemap(bytes: Buffer): Promise<Sitemap> {
  const wrong = (cause?: unknown) => new StudioError('unavailable', 'The site map cannot be read', { cause });
  let text: string;
  try {
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    text = (isPacked ? await inflate(bytes, { maxOutputLength: MAX_SITEMAP_BYTES }) : bytes).toString('utf8');
  } catch (cause) {
    throw wrong(cause);
  }
  if (!/^\s*</.test(text.replace(/^\uFEFF/, ''))) {
    const pages = text.split(/\s+/).filter((line) => /^https?:\/\//.test(line));
    if (pages.length === 0) throw wrong();
    return { pages, maps: [] };
  }
  const { SaxesParser } = await import('saxes');
  const parser = new SaxesParser({ xmlns: true });
  const pages: string[] = [];
  const maps: string[] = [];
  const path: string[] = [];
  let letters = '';
  parser.on('error', (cause) => {
    throw wrong(cause);
  });
  parser.on('opentag', ({ local }) => {
    path.push(local);
    letters = '';
  });
  const onText = (part: string) => void (letters += part);
  parser.on('text', onText);
  parser.on('cdata', onText);
  parser.on('closetag', () => {
    const here = path.join('/');
    if (here === 'urlset/url/loc') pages.push(letters.trim());
    if (here === 'sitemapindex/sitemap/loc') maps.push(letters.trim());
    path.pop();
    letters = '';
  });
  parser.write(text.replace(/^\uFEFF/, '')).close();
  return { pages, maps };
}
