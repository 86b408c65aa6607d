/** Places in a text: from, and the one after the last. */
export type Span = readonly [from: number, to: number];

/** Texts that stand for control tokens of a vocabulary, such as `<|im_end|>`. */
export interface ControlTexts {
  /** The first that stands at or after `from`; of several at one place the longest. */
  find(text: string, from: number): Span | null;
  readonly empty: boolean;
}

export function createControlTexts(texts: Iterable<string>): ControlTexts {
  const known = new Set(texts);
  known.delete('');
  const firsts = new Set(Array.from(known, (text) => text.charCodeAt(0)));
  const lengths = [...new Set(Array.from(known, ({ length }) => length))].sort((a, b) => b - a);
  return {
    empty: known.size === 0,
    find(text, from) {
      for (let at = from; at < text.length; at++) {
        if (!firsts.has(text.charCodeAt(at))) continue;
        const length = lengths.find((each) => known.has(text.slice(at, at + each)));
        if (length !== undefined) return [at, Math.min(at + length, text.length)];
      }
      return null;
    },
  };
}

/** Around a control text that is only text. They are noncharacters: no text that is interchanged holds them. Source: Unicode, section 23.7. */
const OPEN = '\uFDD0';
const CLOSE = '\uFDD1';
const MARKS = /[\uFDD0\uFDD1]/g;

/** A prompt, and where in it names of control tokens are text that somebody wrote. */
export interface MarkedPrompt {
  readonly prompt: string;
  readonly literals: readonly Span[];
}

/**
 * Keeps what callers write from being taken for control tokens: marks it before the template is rendered and finds it in
 * the prompt, so that only what the template itself writes is one. A guard serves one prompt.
 */
export interface PromptGuard {
  /** The value with marks around control texts in all of its strings. */
  protect<T>(value: T): T;
  reveal(prompt: string): MarkedPrompt;
}

export function createPromptGuard(controls: ControlTexts): PromptGuard {
  let marked = false;

  const protectText = (text: string): string => {
    // Marks of a caller could hide a control text until they are taken out.
    const clean = text.includes(OPEN) || text.includes(CLOSE) ? text.replace(MARKS, '') : text;
    let written = '';
    let from = 0;
    for (let span = controls.find(clean, 0); span; span = controls.find(clean, from)) {
      written += `${clean.slice(from, span[0])}${OPEN}${clean.slice(...span)}${CLOSE}`;
      from = span[1];
    }
    marked ||= from > 0;
    return from === 0 ? clean : written + clean.slice(from);
  };

  const protectAny = (value: unknown): unknown => {
    if (typeof value === 'string') return protectText(value);
    if (Array.isArray(value)) return value.map(protectAny);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [protectText(key), protectAny(each)]));
  };

  return {
    protect: <T>(value: T) => (controls.empty ? value : (protectAny(value) as T)),
    reveal(prompt) {
      if (!marked) return { prompt, literals: [] };
      const literals: Span[] = [];
      let plain = '';
      let open = -1;
      let from = 0;
      for (const { 0: mark, index } of prompt.matchAll(MARKS)) {
        plain += prompt.slice(from, index);
        from = index + 1;
        // A template may cut its values between the two; only a pair around one text counts.
        if (mark === CLOSE && open >= 0 && isControlText(controls, plain.slice(open)))
          literals.push([open, plain.length]);
        open = mark === OPEN ? plain.length : -1;
      }
      return { prompt: plain + prompt.slice(from), literals };
    },
  };
}

function isControlText(controls: ControlTexts, text: string): boolean {
  const span = controls.find(text, 0);
  return span !== null && span[0] === 0 && span[1] === text.length;
}
