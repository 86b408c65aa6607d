// What the bytes of a part hold, whatever its readers know of it: for counting alone. Every expression ends at the next `<`, so that
// signs that nothing closes cost no second look.

/** Larger parts are not counted: a string holds no more. */
const MAX_BYTES = 128 * 1024 * 1024;

/** A part as text; null for one that is too large to be counted. */
export const rawText = (part: Uint8Array): string | null =>
  part.length > MAX_BYTES ? null : Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8');

/** An element as the file writes it; one that nothing closes goes to the end. */
export interface RawElement {
  /** Without its prefix. */
  readonly name: string;
  /** As they are written. */
  readonly attributes: string;
  /** What stands in it, with its tags. */
  readonly inner: string;
  readonly from: number;
  readonly to: number;
}

export interface Sought {
  /** Without prefixes; matched without regard to case, as pages write them. */
  readonly names: readonly string[];
  /** Whether one is meant, by its attributes. */
  readonly meant?: (name: string, attributes: string) => boolean;
  /** Those that hold nothing count too. */
  readonly empty?: boolean;
}

/** Elements, whatever their namespace, none within another. */
export function* rawElements(xml: string, { names, meant = () => true, empty = false }: Sought): Generator<RawElement> {
  const tags = new RegExp(`<(/?)(?:[\\w.-]+:)?(${names.join('|')})(?=[\\s/>])([^<>]*)>`, 'giu');
  let open: Omit<RawElement, 'inner' | 'to'> | null = null;
  let [start, depth] = [0, 0];
  const whole = (one: Omit<RawElement, 'inner' | 'to'>, end: number, to: number): RawElement => ({
    ...one,
    inner: xml.slice(start, end),
    to,
  });
  for (let tag = tags.exec(xml); tag !== null; tag = tags.exec(xml)) {
    const [, slash = '', name = '', attributes = ''] = tag;
    if (attributes.endsWith('/')) {
      if (empty && open === null) yield { name, attributes, inner: '', from: tag.index, to: tags.lastIndex };
      continue;
    }
    if (open === null) {
      if (slash !== '' || !meant(name, attributes)) continue;
      open = { name, attributes, from: tag.index };
      [start, depth] = [tags.lastIndex, 1];
    } else if (name.toLowerCase() === open.name.toLowerCase()) {
      depth += slash === '' ? 1 : -1;
      if (depth > 0) continue;
      yield whole(open, tag.index, tags.lastIndex);
      open = null;
    }
  }
  if (open !== null) yield whole(open, xml.length, xml.length);
}

/** The same without some of its elements. */
export function withoutElements(xml: string, sought: Sought): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of rawElements(xml, sought)) {
    parts.push(xml.slice(at, from));
    at = to;
  }
  return at === 0 ? xml : [...parts, xml.slice(at)].join('');
}

/** Text between tags; each sign that is written by its name counts as one. */
export const plainText = (xml: string): string => xml.replaceAll(/<[^<>]*>/gu, '').replaceAll(/&[^;\s]{1,8};/gu, '&');

/**
 * The text in the runs of a part, whatever their namespace. A single expression for a whole run would look through the rest of the part
 * for each of those that nothing closes.
 */
export function* rawRuns(xml: string): Generator<string> {
  const opening = /<(?:[\w.-]+:)?t[\s>]/gu;
  const closing = /<\/(?:[\w.-]+:)?t\s*>/gu;
  for (let open = opening.exec(xml); open !== null; open = opening.exec(xml)) {
    const end = xml.indexOf('>', opening.lastIndex - 1);
    if (end === -1) return;
    opening.lastIndex = end + 1;
    if (xml[end - 1] === '/') continue;
    closing.lastIndex = end + 1;
    const close = closing.exec(xml);
    if (close === null) return;
    yield plainText(xml.slice(end + 1, close.index));
    opening.lastIndex = closing.lastIndex;
  }
}

/** The words of a chart or a diagram. */
export function rawGraphic(part: Uint8Array): string {
  const xml = rawText(part) ?? '';
  const values = [...rawElements(xml, { names: ['v'] })].map(({ inner }) => plainText(inner));
  return [...rawRuns(xml), ...values].join(' ');
}

/** What pages hold that is not read: programs, drawings, what leads through a site. */
const unreadOfPages =
  'script style template svg canvas iframe object head audio video map datalist nav math select rp rt rtc'.split(' ');

/** Without what its authors took out for a while. */
export const withoutComments = (xml: string): string => xml.replaceAll(/<!--[^]*?(?:-->|$)/gu, '');

/** The text of a page of HTML as it is written. */
export const pageText = (html: string): string =>
  plainText(withoutElements(withoutComments(html), { names: unreadOfPages }));
