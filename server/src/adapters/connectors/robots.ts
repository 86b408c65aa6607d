// What a site asks of programs that go through it. Source: RFC 9309.

/** The name that sites know us by. */
export const CRAWLER = 'AI-Studio';

/** What a site asks of us. */
export interface Robots {
  /** Whether a path, with its query, may be asked for. */
  allows(path: string): boolean;
  /** Seconds between requests, where it names them. */
  readonly delaySeconds: number;
  /** Addresses of site maps. */
  readonly sitemaps: readonly string[];
}

interface Rule {
  readonly allow: boolean;
  readonly pattern: string;
}

interface Group {
  readonly agents: string[];
  readonly rules: Rule[];
  delay: number;
}

/** Characters that count, of a file of any length. */
const MAX_LENGTH = 500 * 1024;

/** Whether a path begins as a pattern says: `*` stands for anything, `$` for the end. Takes time in proportion to their lengths. */
export function matches(pattern: string, path: string): boolean {
  const isWhole = pattern.endsWith('$');
  const parts = (isWhole ? pattern.slice(0, -1) : pattern).split('*');
  const [first = '', ...rest] = parts;
  if (!path.startsWith(first)) return false;
  let at = first.length;
  for (const [number, part] of rest.entries()) {
    if (isWhole && number === rest.length - 1) return path.length - part.length >= at && path.endsWith(part);
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return !isWhole || at === path.length;
}

/** Letters that are written as they are and encoded are the same. */
function plain(path: string): string {
  try {
    return encodeURI(decodeURI(path));
  } catch {
    return path;
  }
}

/** Reads a robots.txt. What is no rule is left out. */
export function readRobots(text: string): Robots {
  const groups: Group[] = [];
  const sitemaps: string[] = [];
  let group: Group | null = null;
  let isNaming = false;
  for (const line of text.slice(0, MAX_LENGTH).split(/\r\n?|\n/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*)/.exec(line) ?? [];
    const given = value.trim();
    const field = key.toLowerCase();
    if (field === 'sitemap' && given !== '') sitemaps.push(given);
    else if (field === 'user-agent') {
      if (group === null || !isNaming) groups.push((group = { agents: [], rules: [], delay: 0 }));
      group.agents.push(given.toLowerCase());
      isNaming = true;
    } else if (group !== null && (field === 'allow' || field === 'disallow' || field === 'crawl-delay')) {
      isNaming = false;
      if (field === 'crawl-delay') group.delay = Number(given) > 0 ? Number(given) : 0;
      // An empty one forbids nothing.
      else if (given !== '') group.rules.push({ allow: field === 'allow', pattern: plain(given) });
    }
  }
  const own = groups.filter(({ agents }) => agents.some((one) => CRAWLER.toLowerCase() === one.split('/')[0]));
  const applied = own.length > 0 ? own : groups.filter(({ agents }) => agents.includes('*'));
  const rules = applied.flatMap((one) => one.rules);
  return {
    sitemaps,
    delaySeconds: Math.max(0, ...applied.map(({ delay }) => delay)),
    allows(path) {
      const wanted = plain(path);
      let best: Rule | null = null;
      for (const rule of rules) {
        if (!matches(rule.pattern, wanted)) continue;
        const length = best?.pattern.length ?? -1;
        // The longest says; of two as long, the one that allows.
        if (rule.pattern.length > length || (rule.pattern.length === length && rule.allow)) best = rule;
      }
      return best?.allow ?? true;
    },
  };
}
