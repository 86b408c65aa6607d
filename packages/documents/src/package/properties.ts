import type { DocumentMeta } from '../document.ts';
import { childOf, innerText, type XmlElement } from './xml.ts';

const dateOf = (text: string): string | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

/** What `docProps/core.xml` tells. */
export function metaOf(root: XmlElement | null): DocumentMeta {
  const text = (name: string): string | undefined => innerText(childOf(root ?? undefined, name)).trim() || undefined;
  const [title, author, language] = [text('dc:title'), text('dc:creator'), text('dc:language')];
  const created = dateOf(text('dcterms:created') ?? '');
  const modified = dateOf(text('dcterms:modified') ?? '');
  return {
    ...(title === undefined ? {} : { title }),
    ...(author === undefined ? {} : { author }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(language === undefined ? {} : { language }),
  };
}
