import { wholeLines } from './broken-lines.ts';
import { MATERIAL_LABEL } from '../conversation.ts';
import { closed, tablesAsRows } from './html-tables.ts';
import type { Work } from '../work.ts';

/** A sentence, list item or table row that can be an answer. */
export interface Passage {
  readonly text: string;
  readonly kind: 'sentence' | 'item' | 'row' | 'heading';
  /** Citation mark of the document that it stands in, such as [1]. */
  readonly mark: string | null;
  /** Number of the document that it stands in, counted over all. */
  readonly document: number;
  /** Name of its document; empty where none is given. */
  readonly title: string;
  /** Headings and titles above it, which say what it is about. */
  readonly about: string;
  /** Rows: the names of the columns. */
  readonly columns: readonly string[];
  /** Said by the user earlier, rather than written in a document. */
  readonly said: boolean;
}

/** Longest text of a passage, in UTF-16 units; what is longer is cut into several. */
const MAX_PASSAGE_LENGTH = 600;

/** UTF-16 units read between two slices of work. */
const UNITS_A_SLICE = 16_384;

const MARKED =
  /^\s*(?:[-*>]\s*)?(?:\*\*)?(?:[[【(](\d{1,3})[\]】)]|(?:document|doc|passage|source|context|reference|chunk|문서|자료|출처|본문|참고)\s*#?(\d{1,3})\s*(?:[:：.)\]]|$))(?:\*\*)?[:：]?/i;
const TAG = /^\s*<(?:document|doc|source|passage|item|chunk|result|context)\b([^>]{0,300})>/i;
/** A tag that names the document it stands in. */
const NAMED = /^\s*<(?:source|title|name|filename|document_name)>([^<]{1,300})</i;
const HEADING =
  /^\s*(?:#{1,6}\s+|제\s?\d+\s?[장절편관]|[Ⅰ-Ⅻ]+\.\s|(?:title|제목|document name|문서명|파일명|출처|source|section)\s*[:：])/i;
const ITEM = /^\s*(?:[-*•·○□▪◦※]|\d{1,2}[.)]|[가-하]\.)\s+/;

/** What Markdown writes with a stroke before it, so that it is no sign; a cell's border is. */
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!~<>])/g;

/** A line in bold alone: what many documents have for a heading. */
const BOLD = /^\*\*[^*]{1,100}\*\*$/;

/** What follows a mark and names a file: "[1] 규정.hwp, p. 3". */
const FILE_NAME = /^\s*([^\n]{1,200}\.[a-z][a-z\d]{1,4})(?:,? \(?(?:p\.|page|쪽)? ?\d{1,6}\)?)?\s*$/i;

/** Rules for the assistant rather than knowledge: "You are …", "Answer only …", "…답하세요". */
const RULE =
  /^(?:you (?:are|must|should|will|have|can)|your (?:task|role|job|name)|answer|respond|reply|use (?:only|the)|only (?:use|answer)|do not|don't|never|always|if (?:you|the (?:answer|context|question))|please|be (?:brief|concise|helpful|polite)|cite|keep|given the|based on|당신은|너는|넌|귀하는)\b|^(?:당신은|너는|넌|귀하는|항상|반드시|절대)|(?:답|답변|대답|응답|인용|사용|작성|설명|제시|표기|출력)(?:을|를)?\s*(?:해|하)(?:세요|십시오|라|시오|야 합니다|지 마세요|지 마십시오)?[.!]?$|(?:세요|십시오|시오|하라|마라)[.!]?$/i;

/** A rule is short; longer text is knowledge whatever it begins with. */
const MAX_RULE_LENGTH = 300;

export const isRule = (sentence: string): boolean => sentence.length < MAX_RULE_LENGTH && RULE.test(sentence.trim());

const SENTENCE_END = /[.!?。！？]/;
const ABBREVIATION =
  /(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|etc|e\.g|i\.e|cf|approx|Inc|Ltd|Co|Jr|Sr|Fig|\d{1,4})$/;

/** Where the sentence that begins at `from` ends: after its full stop, before a blank. */
function sentenceEnd(text: string, from: number): number {
  const most = Math.min(text.length, from + MAX_PASSAGE_LENGTH);
  for (let at = from; at < most; at++) {
    if (!SENTENCE_END.test(text.charAt(at))) continue;
    let end = at + 1;
    while (end < most && /[.!?"'”’)\]」』]/.test(text.charAt(end))) end++;
    // [1] after the full stop belongs to the sentence.
    const citation = /^\s?\[\d{1,3}\]/.exec(text.slice(end, end + 8));
    if (citation) end += citation[0].length;
    const blank = end >= text.length || /\s/.test(text.charAt(end)) || '。！？'.includes(text.charAt(at));
    if (!blank) {
      at = end - 1;
      continue;
    }
    // "3. 15." in a Korean date, "Dr." and single letters end no sentence.
    if (
      text.charAt(at) === '.' &&
      end < text.length &&
      ABBREVIATION.test(text.slice(Math.max(from, at - 7), at)) &&
      !/[다요]$/.test(text.slice(from, at))
    ) {
      if (!/\d$/.test(text.slice(from, at)) || /^\s*[\d가-힣]/.test(text.slice(end, end + 4))) continue;
    }
    return end;
  }
  if (most === text.length) return most;
  const space = text.lastIndexOf(' ', most);
  return space > from + MAX_PASSAGE_LENGTH / 2 ? space : most;
}

/** Sentences of a text without line ends. Linear in its length. */
export function sentences(text: string): string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length;) {
    const end = sentenceEnd(text, at);
    const sentence = text.slice(at, end).trim();
    if (sentence !== '') found.push(sentence);
    at = end;
  }
  return found;
}

const cells = (line: string) =>
  line
    .replace(/^\s*\|/, '')
    .replace(/\|\s*$/, '')
    .split('|')
    .map((cell) => cell.trim());
const isRuler = (line: string) => line.includes('-') && /^[\s|:-]+$/.test(line);
const isRow = (line: string) => /^\s*\|.*\|\s*$/.test(line);

interface State {
  document: number;
  mark: string | null;
  title: string;
  heading: string;
  columns: readonly string[];
  /** Whether the line before was "key: value". */
  pairs: boolean;
}

/** A line such as "가격: 32,000원". */
const PAIR = /^[^:：.!?]{1,30}[:：]\s{0,3}\S/;

/** What a tag such as `<document index="1" title="…">` says of its document. */
function openTag(attributes: string, state: State): void {
  state.document++;
  state.pairs = false;
  const number = /\b(?:index|id|no|number)\s*=\s*["']?(\d{1,3})\b/i.exec(attributes)?.[1];
  state.mark = number === undefined ? null : `[${number}]`;
  state.title = [...attributes.matchAll(/\b(?:title|name|source|filename)\s*=\s*"([^"]{1,200})"/gi)]
    .map(([, value]) => value ?? '')
    .join(' ');
  state.heading = '';
}

/** A short line without an end, over a longer line, is a heading. */
const looksLikeHeading = (line: string, next: string) =>
  line.length <= 40 &&
  !/[.!?:：,|。]|[다요]$|\d{2}/.test(line) &&
  next.length > line.length * 1.5 &&
  next.length > 30 &&
  !ITEM.test(line);

/** Cuts texts into passages, keeping what each is about and the mark of its document. Linear in their length. */
export function* readPassages(
  texts: readonly { readonly text: string; readonly said: boolean; readonly rules: boolean }[],
): Work<Passage[]> {
  const found: Passage[] = [];
  const state: State = { document: 0, mark: null, title: '', heading: '', columns: [], pairs: false };
  for (const { text, said, rules } of texts) {
    Object.assign(state, {
      document: state.document + 1,
      mark: null,
      title: '',
      heading: '',
      columns: [],
      pairs: false,
    });
    const lines = wholeLines(tablesAsRows(text).split('\n')).flatMap(inPieces);
    let unread = 0;
    let inDocuments = !rules;
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? '';
      unread += line.length + 1;
      if (unread > UNITS_A_SLICE) {
        unread = 0;
        yield;
      }
      const from = found.length;
      if (readMark(line, state) || MATERIAL_LABEL.test(line.slice(0, 120))) inDocuments = true;
      readLine(line, (lines[i + 1] ?? '').trim(), state, said, found);
      if (inDocuments) continue;
      // "Answer from the following:" says that what comes below it is no rule.
      if (isRule(line) && /다음|아래|following|below|문맥|context/i.test(line)) inDocuments = true;
      const kept = found.splice(from).filter(({ text: own }) => !isRule(own));
      found.push(...kept);
    }
  }
  return found;
}

/** A very long line in pieces, cut after a sentence where there is one. */
function inPieces(line: string): string | string[] {
  if (line.length <= UNITS_A_SLICE) return line;
  const pieces: string[] = [];
  for (let at = 0; at < line.length;) {
    const most = at + UNITS_A_SLICE;
    const stop = most < line.length ? line.lastIndexOf('. ', most) : -1;
    const end = stop > at ? stop + 2 : most;
    pieces.push(line.slice(at, end));
    at = end;
  }
  return pieces;
}

/** Takes note of the mark that a line begins with. */
function readMark(line: string, state: State): boolean {
  const head = line.slice(0, 400);
  const named = NAMED.exec(head);
  if (named) {
    state.title = (named[1] ?? '').trim();
    return true;
  }
  const tag = TAG.exec(head);
  if (tag) {
    openTag(tag[1] ?? '', state);
    return true;
  }
  const marked = MARKED.exec(head);
  if (!marked) return false;
  state.document++;
  state.pairs = false;
  state.mark = `[${marked[1] ?? marked[2]}]`;
  state.title = FILE_NAME.exec(head.replace(MARKED, ''))?.[1]?.trim() ?? '';
  state.heading = '';
  state.columns = [];
  return true;
}

function readLine(line: string, next: string, state: State, said: boolean, found: Passage[]): void {
  const text = line
    .slice(0, 400)
    .replace(MARKED, '')
    .concat(line.slice(400))
    .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, ' ')
    .replace(ESCAPED, '$1')
    .trim();
  if (isRow(text)) return readRow(text, next, state, said, found);
  state.columns = [];
  // The name of a file says what is in it, and answers nothing.
  if (state.title !== '' && FILE_NAME.exec(text)?.[1]?.trim() === state.title) return;
  if (text === '' || /^[-=*_`"'~\s]+$/.test(text.slice(0, 200))) return;
  const common = { mark: state.mark, document: state.document, title: state.title, columns: [], said };
  if (HEADING.test(text.slice(0, 80)) || BOLD.test(text) || looksLikeHeading(text, next)) {
    const heading = text
      .slice(0, 200)
      .replace(/^#+\s*/, '')
      .replaceAll('**', '')
      .trim();
    if (/^(?:title|제목|document name|문서명|파일명|출처|source)\s*[:：]/i.test(heading)) state.title = heading;
    else state.heading = closed(heading);
    found.push({ ...common, kind: 'heading', text: closed(heading), about: state.title });
    return;
  }
  // A line in brackets alone says more of what is above it: "(2010년 기준)".
  if (state.heading !== '' && state.heading.length < 200 && /^\([^()]{1,60}\)$/.test(text)) {
    state.heading += ` ${text}`;
    found.push({ ...common, kind: 'heading', text, about: state.title });
    return;
  }
  const about = `${state.title} ${state.heading}`.trim();
  // The first of a run of "key: value" lines tells what the others are about, where nothing else does.
  if (!PAIR.test(text.slice(0, 120))) state.pairs = false;
  else if (!state.pairs) {
    state.pairs = true;
    if (state.heading === '') state.heading = text.slice(0, 200);
  }
  const kind = ITEM.test(text) ? 'item' : 'sentence';
  // Several numbered passages on one line: "[1] … [2] …".
  for (const part of state.mark === null ? [text] : text.split(/\s(?=\[\d{1,3}\]\s)/)) {
    const inner = /^\[(\d{1,3})\]\s/.exec(part);
    if (inner) {
      state.mark = `[${inner[1]}]`;
      state.document++;
      state.pairs = false;
    }
    const plain = inner ? part.slice(inner[0].length) : part;
    for (const sentence of sentences(plain))
      found.push({
        ...common,
        mark: state.mark,
        document: state.document,
        kind,
        text: sentence.replace(ITEM, ''),
        about,
      });
  }
}

function readRow(text: string, next: string, state: State, said: boolean, found: Passage[]): void {
  if (isRuler(text)) return;
  const row = cells(text);
  if (state.columns.length === 0) {
    state.columns = row;
    if (isRuler(next)) return;
  }
  found.push({
    kind: 'row',
    text: row.join(' | '),
    mark: state.mark,
    document: state.document,
    title: state.title,
    about: `${state.title} ${state.heading}`.trim(),
    columns: state.columns,
    said,
  });
}
