import { createHash } from 'node:crypto';
import type { DefaultTreeAdapterTypes } from 'parse5';

/** What a page of a site says and where it leads. */
export interface WebPage {
  /** Empty where it has none. */
  readonly title: string;
  /** Of its text: another one means that people read something else. */
  readonly hash: string;
  /** Addresses, without what stands after `#`. */
  readonly links: readonly string[];
  /** Whether it asks not to be found. */
  readonly isHidden: boolean;
}

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Links of a page that are looked at. */
const MAX_LINKS = 5_000;
/** What holds no text for people. */
const silent: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe']);

/** The letters of a page: by what the server says, else by what it says itself, else UTF-8. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = Buffer.from(bytes.subarray(0, 4_096)).toString('latin1');
  const named = /charset\s*=\s*["']?\s*([\w-]+)/i;
  const label = named.exec(contentType)?.[1] ?? /<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)/i.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(/^(?:cp|ms)949$/i.test(label) ? 'euc-kr' : label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Nodes in their order, without recursion, as pages nest as deep as they like. */
function* nodesOf(root: Node): Generator<Node> {
  const stack: Node[] = [root];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    yield node;
    if ('tagName' in node && silent.has(node.tagName)) continue;
    if ('childNodes' in node)
      for (let at = node.childNodes.length - 1; at >= 0; at--) {
        const child = node.childNodes[at];
        if (child !== undefined) stack.push(child);
      }
  }
}

const attribute = ({ attrs }: Element, name: string) => attrs.find((one) => one.name === name)?.value.trim();

/** Reads a page that stands at an address; runs nothing of it. */
export async function readPage(html: string, url: URL): Promise<WebPage> {
  // Loaded with the first page, as many services read none.
  const { parse } = await import('parse5');
  const hash = createHash('sha256');
  const hrefs: string[] = [];
  let base = url.href;
  let title = '';
  let isHidden = false;
  let mayFollow = true;
  for (const node of nodesOf(parse(html))) {
    if (node.nodeName === '#text' && 'value' in node) {
      const text = node.value.replaceAll(/\s+/gu, ' ').trim();
      if (text === '') continue;
      hash.update(`${text}\n`);
      if (title === '' && node.parentNode?.nodeName === 'title') title = text;
    }
    if (!('tagName' in node)) continue;
    const { tagName } = node;
    if (tagName === 'base')
      base = URL.canParse(attribute(node, 'href') ?? '', url.href)
        ? new URL(attribute(node, 'href') ?? '', url).href
        : base;
    else if (tagName === 'meta' && /^(?:robots|ai-studio)$/i.test(attribute(node, 'name') ?? '')) {
      const asked = attribute(node, 'content')?.toLowerCase() ?? '';
      isHidden ||= /\b(?:noindex|none)\b/.test(asked);
      mayFollow &&= !/\b(?:nofollow|none)\b/.test(asked);
    } else if (
      (tagName === 'a' || tagName === 'area' || tagName === 'iframe' || tagName === 'frame') &&
      hrefs.length < MAX_LINKS
    ) {
      const href = attribute(node, tagName.endsWith('frame') ? 'src' : 'href');
      const isRefused = /\bnofollow\b/i.test(attribute(node, 'rel') ?? '');
      if (href !== undefined && href !== '' && !isRefused) hrefs.push(href);
    }
  }
  const links = new Set<string>();
  for (const href of mayFollow ? hrefs : []) {
    if (!URL.canParse(href, base)) continue;
    const to = new URL(href, base);
    to.hash = '';
    if (to.protocol === 'https:' || to.protocol === 'http:') links.add(to.href);
  }
  return { title, hash: hash.digest('base64url'), links: [...links], isHidden };
}
