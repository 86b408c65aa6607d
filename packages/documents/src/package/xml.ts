import { SaxesParser } from 'saxes';
import iconv from 'iconv-lite';
import { ParseError } from '../parse-error.ts';
import type { Warning } from '../document.ts';

/**
 * Element of a document. Names are `short:local`, where `short` is what the reader calls the namespace, whatever the file's own
 * prefix; names of namespaces that it doesn't know begin with `?:`. Attributes without a namespace have their bare name.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Elements and text in their order. */
  readonly children: readonly XmlNode[];
}
export type XmlNode = XmlElement | string;

export interface XmlOptions {
  /** What the reader calls namespaces, by their address. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The reader's name for a namespace that `namespaces` does not know, by its prefix (empty for none) and its address. */
  readonly otherNamespace?: (prefix: string, address: string) => string | undefined;
  /** Elements within each other; beyond that ParseError `TOO_LARGE`. */
  readonly depth: number;
  /** Name of the part, for messages. */
  readonly part: string;
  /** Told once where the part is not well formed. */
  readonly warn?: (warning: Warning) => void;
}

export interface XmlEvents {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/** Bytes that are decoded and parsed at a time. */
const CHUNK_BYTES = 1 << 18;
/** A file with more mistakes than that is none. */
const MAX_MISTAKES = 10_000;

/** A decoder by mark, by the form of the first letters, or by the declaration; UTF-8 else. */
function decoderOf(bytes: Uint8Array): (chunk: Uint8Array, last: boolean) => string {
  const [a, b] = bytes;
  let charset = 'utf-8';
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) charset = 'utf-16le';
  else if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) charset = 'utf-16be';
  else {
    const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
    const given = /^[^<]*<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)["']/.exec(head)?.[1]?.toLowerCase();
    // One that says UTF-16 and has no zeros is not.
    if (given !== undefined && !given.startsWith('utf') && iconv.encodingExists(given))
      charset = /^(?:euc-?kr|ks_c_5601-1987)$/.test(given) ? 'cp949' : given;
  }
  if (charset.startsWith('utf')) {
    const decoder = new TextDecoder(charset);
    return (chunk, last) => decoder.decode(chunk, { stream: !last });
  }
  const decoder = iconv.getDecoder(charset);
  return (chunk, last) => decoder.write(Buffer.from(chunk)) + (last ? (decoder.end() ?? '') : '');
}

/** Names of a namespace scope, as they were found in the file, to names as the reader has them. */
interface Scope {
  readonly prefixes: Readonly<Record<string, string>>;
  readonly names: Map<string, string>;
  readonly attributes: Map<string, string>;
}

/** Turns the file's names into the reader's. */
function namesOf({ namespaces, otherNamespace }: XmlOptions) {
  const shorts = new Set(Object.values(namespaces));
  const scopes: (Scope | null)[] = [];
  let scope: Scope = {
    prefixes: Object.assign(Object.create(null) as Record<string, string>, { xml: 'xml' }),
    names: new Map(),
    attributes: new Map(),
  };
  const known = (prefix: string): string => {
    const given = scope.prefixes[prefix];
    if (given !== undefined) return given;
    // A file that forgot to declare its prefixes means the usual ones.
    return shorts.has(prefix) ? prefix : '?';
  };
  const element = (name: string): string => {
    const found = scope.names.get(name);
    if (found !== undefined) return found;
    const colon = name.indexOf(':');
    const short = known(colon === -1 ? '' : name.slice(0, colon));
    const result = `${short}:${name.slice(colon + 1)}`;
    scope.names.set(name, result);
    return result;
  };
  const attribute = (name: string): string => {
    if (!name.includes(':')) return name;
    const found = scope.attributes.get(name);
    if (found !== undefined) return found;
    const colon = name.indexOf(':');
    const result = `${known(name.slice(0, colon))}:${name.slice(colon + 1)}`;
    scope.attributes.set(name, result);
    return result;
  };
  const enter = (attributes: Readonly<Record<string, string>>): void => {
    let prefixes: Record<string, string> | null = null;
    for (const name in attributes) {
      if (!name.startsWith('xmlns') || (name.length > 5 && name[5] !== ':')) continue;
      // A copy for each element of a file that declares thousands would take forever.
      prefixes ??= Object.create(scope.prefixes) as Record<string, string>;
      const address = attributes[name] ?? '';
      prefixes[name.slice(6)] = namespaces[address] ?? otherNamespace?.(name.slice(6), address) ?? '?';
    }
    scopes.push(prefixes === null ? null : scope);
    if (prefixes !== null) scope = { prefixes, names: new Map(), attributes: new Map() };
  };
  const leave = (): void => {
    scope = scopes.pop() ?? scope;
  };
  return { element, attribute, enter, leave };
}

/**
 * Reads XML as events. Throws ParseError `CORRUPTED` for a document type that declares something (no program writes one, and
 * entities live there), `TOO_LARGE` for elements too deep within each other. What is not well formed is read as far as it goes.
 */
export function readXml(bytes: Uint8Array, options: XmlOptions, events: XmlEvents): void {
  const parser = new SaxesParser({ position: false, fragment: false });
  const names = namesOf(options);
  let depth = 0;
  let mistakes = 0;
  parser.on('doctype', (declaration) => {
    // One that only names its type, as older programs write it, declares nothing: the file that it names is not opened.
    if (!declaration.includes('[')) return;
    throw new ParseError('CORRUPTED', `The part ${options.part} declares a document type, which is refused.`);
  });
  parser.on('error', (error) => {
    if (++mistakes === 1) {
      const reason = error.message.replace(/^[\d:]+\s*/, '');
      options.warn?.({ code: 'xml_malformed', message: `The part ${options.part} is not well formed: ${reason}` });
    } else if (mistakes > MAX_MISTAKES) {
      throw new ParseError('CORRUPTED', `The part ${options.part} is not XML.`);
    }
  });
  parser.on('opentag', (tag) => {
    if (++depth > options.depth)
      throw new ParseError('TOO_LARGE', `Elements of ${options.part} are nested deeper than may be read.`);
    const given = tag.attributes as Record<string, string>;
    names.enter(given);
    const attributes = Object.create(null) as Record<string, string>;
    for (const name in given) attributes[names.attribute(name)] = given[name] ?? '';
    events.open(names.element(tag.name), attributes);
  });
  parser.on('closetag', (tag) => {
    depth--;
    events.close(names.element(tag.name));
    names.leave();
  });
  parser.on('text', events.text);
  parser.on('cdata', events.text);
  const decode = decoderOf(bytes);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    parser.write(decode(bytes.subarray(at, at + CHUNK_BYTES), at + CHUNK_BYTES >= bytes.length));
  }
  parser.close();
}

/** The attribute, or undefined; for elements that may be missing. */
export const attributeOf = (element: XmlElement | undefined, name: string): string | undefined =>
  element?.attributes[name];

/** Elements within an element, of that name where one is given. */
export function* childrenOf(element: XmlElement | undefined, name?: string): Generator<XmlElement> {
  for (const child of element?.children ?? []) {
    if (typeof child !== 'string' && (name === undefined || child.name === name)) yield child;
  }
}

/** The first element of that name within an element. */
export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  for (const child of element?.children ?? []) if (typeof child !== 'string' && child.name === name) return child;
  return undefined;
}

/** All text within an element. */
export function innerText(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  const parts: string[] = [];
  const collect = (node: XmlNode): void => {
    if (typeof node === 'string') parts.push(node);
    else for (const child of node.children) collect(child);
  };
  collect(element);
  return parts.join('');
}

interface Growing {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlNode[];
}

/**
 * Reads XML into a tree. Elements that stand in an element whose name is in `within` are handed to `each` once they are whole, and
 * not kept: so a long text is read paragraph by paragraph.
 */
export function parseXml(
  bytes: Uint8Array,
  options: XmlOptions,
  stream?: { readonly within: string | readonly string[]; readonly each: (element: XmlElement) => void },
): XmlElement {
  const top: Growing = { name: '', attributes: {}, children: [] };
  const open: Growing[] = [top];
  const within = new Set(stream === undefined ? [] : [stream.within].flat());
  /** How deep the element whose children are handed on lies; only the outermost counts. */
  let from = -1;
  const end = (): void => {
    const element = open.pop();
    if (element === undefined || open.length === 0) return;
    if (open.length === from) from = -1;
    if (from !== -1 && open.length === from + 1) stream?.each(element);
    else open.at(-1)?.children.push(element);
  };
  readXml(bytes, options, {
    open: (name, attributes) => {
      if (stream !== undefined && from === -1 && within.has(name)) from = open.length;
      open.push({ name, attributes, children: [] });
    },
    close: end,
    text: (text) => {
      if (from === -1 || open.length > from + 1) open.at(-1)?.children.push(text);
    },
  });
  // What the end of a cut file left open.
  while (open.length > 1) end();
  const [root] = childrenOf(top);
  return root ?? top;
}
