import type { Work } from '../work.ts';
import { tablesAsRows } from './tables.ts';

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
  readonly byUser: boolean;
}

/** A text to read: a document, or an earlier user message (`byUser`). `mayHoldRules`: it may hold instructions, which answer nothing. */
export interface Source {
  readonly text: string;
  readonly byUser: boolean;
  readonly mayHoldRules: boolean;
}

/** Longest text of a passage, in UTF-16 units; what is longer is cut into several. */
const MAX_PASSAGE_LENGTH = 600;
/** UTF-16 units read between two slices of work; longer lines are cut. */
const UNITS_PER_SLICE = 16_384;

/** A line that says that documents begin here. */
export const MATERIAL_LABEL =
  /^[\s#*>\-[<]*(?:(?:the )?(?:following )?(?:context|documents?|passages?|sources?|references?|search results?|text|material)|(?:다음 ?|아래 ?|참고 ?|관련 ?|검색 ?)*(?:문맥|문서|자료|본문|지문|결과|내용|글|기사|규정))(?: ?\d{1,3})?[\s*\]]*(?:[:：]|>|입니다|$)/i;
const MARKED =
  /^\s*(?:\*\*)?(?:[[【(](\d{1,3})[\]】)]|(?:document|doc|passage|source|context|문서|자료|출처)\s*#?(\d{1,3})\s*(?:[:：.)\]]|$))(?:\*\*)?[:：]?/i;
const TAG = /^\s*<(?:document|doc|source|passage|item|chunk|result|context)\b([^>]{0,300})>/i;
/** A tag that names the document it stands in. */
const NAMED = /^\s*<(?:source|title|name|filename|document_name)>([^<]{1,300})</i;
const TITLE = /^\s*(?:title|제목|document name|문서명|파일명|출처|source)\s*[:：]/i;
const HEADING = /^\s*(?:#{1,6}\s+|\*\*[^*]{1,100}\*\*$|제\s?\d+\s?[장절편관]|[Ⅰ-Ⅻ]+\.\s)/;
const ITEM = /^\s*(?:[-*•·○□▪◦※]|\d{1,2}[.)]|[가-하]\.)\s+/;
/** What Markdown writes with a stroke before it, so that it is no sign; a cell's border is. */
const ESCAPED = /\\([\\`*_{}[\]()#+\-.!~<>])/g;
/** What follows a mark and names a file: "[1] 규정.hwp, p. 3". */
const FILE_NAME = /^\s*([^\n]{1,200}\.[a-z][a-z\d]{1,4})(?:,? p\. ?\d{1,6})?\s*$/i;

/** Rules for the assistant rather than knowledge: "You are …", "Answer only …", "…답하세요". */
const RULE =
  /^(?:you (?:are|must|should|will|can)|your (?:task|role|job|name)|answer|respond|reply|use (?:only|the)|only|do not|don't|never|always|if (?:you|the)|please|be |cite|keep|given the|based on)\b|^(?:당신은|너는|넌|항상|반드시|절대)|(?:세요|십시오|시오|하라|마라)[.!]?$/i;
/** A rule is short; longer text is knowledge whatever it begins with. */
const MAX_RULE_LENGTH = 300;
const isRule = (sentence: string): boolean => sentence.length < MAX_RULE_LENGTH && RULE.test(sentence.trim());

const ABBREVIATION = /(?:^|[\s(])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|Prof|St|No|vs|e\.g|i\.e)$/;

/** Sentences of a text without line ends. Linear in its length. */
export function sentences(text: string): string[] {
  const found: string[] = [];
  let from = 0;
  const cut = (end: number) => {
    const sentence = text.slice(from, end).trim();
    for (let at = 0; at < sentence.length; at += MAX_PASSAGE_LENGTH)
      found.push(sentence.slice(at, at + MAX_PASSAGE_LENGTH));
    from = end;
  };
  // [1] after the full stop belongs to the sentence.
  for (const { 0: end, index } of text.matchAll(/[.!?。！？]["'”’)\]」]*(?:\s?\[\d{1,3}\])?(?=\s|$)|[。！？]/g)) {
    // "3. 15." in a Korean date, "Dr." and single letters end no sentence.
    const before = text.slice(Math.max(from, index - 7), index);
    const isDate = /(?:^|\s)\d{1,4}$/.test(before) && /^\s*[\d가-힣]/.test(text.slice(index + end.length, index + 9));
    if (end.startsWith('.') && (isDate || ABBREVIATION.test(before))) continue;
    cut(index + end.length);
  }
  cut(text.length);
  return found;
}

const cells = (line: string) =>
  line
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());
const isRuler = (line: string) => line.includes('-') && /^[\s|:-]+$/.test(line);

interface State {
  document: number;
  mark: string | null;
  title: string;
  heading: string;
  columns: readonly string[];
}

/** Cuts texts into passages, keeping what each is about and the mark of its document. Linear in their length. */
export function* readPassages(texts: readonly Source[]): Work<Passage[]> {
  const found: Passage[] = [];
  let document = 0;
  for (const { text, byUser, mayHoldRules } of texts) {
    const state: State = { document: document + 1, mark: null, title: '', heading: '', columns: [] };
    const lines = tablesAsRows(text)
      .split('\n')
      .flatMap((line) => (line.length <= UNITS_PER_SLICE ? line : (line.match(/[^]{1,16384}/g) ?? [])));
    let unread = 0;
    let inDocuments = !mayHoldRules;
    for (const [i, line] of lines.entries()) {
      unread += line.length + 1;
      if (unread > UNITS_PER_SLICE) {
        unread = 0;
        yield;
      }
      if (readMark(line.slice(0, 400), state) || MATERIAL_LABEL.test(line.slice(0, 120))) inDocuments = true;
      const read = readLine(line, (lines[i + 1] ?? '').trim(), state, byUser);
      // "Answer from the following:" says that what comes below it is no rule.
      if (isRule(line) && /다음|아래|following|below|문맥|context/i.test(line)) inDocuments = true;
      for (const passage of read) if (inDocuments || !isRule(passage.text)) found.push(passage);
    }
    ({ document } = state);
  }
  return found;
}

/** Takes note of the mark, the tag or the name that a line begins with. */
function readMark(head: string, state: State): boolean {
  const named = NAMED.exec(head)?.[1];
  if (named !== undefined) {
    state.title = named.trim();
    return true;
  }
  const attributes = TAG.exec(head)?.[1];
  const marked = MARKED.exec(head);
  if (attributes === undefined && !marked) return false;
  const number =
    marked?.[1] ?? marked?.[2] ?? /\b(?:index|id|no|number)\s*=\s*["']?(\d{1,3})\b/i.exec(attributes ?? '')?.[1];
  const title = marked
    ? FILE_NAME.exec(head.replace(MARKED, ''))?.[1]
    : /\b(?:title|name|source|filename)\s*=\s*"([^"]{1,200})"/i.exec(attributes ?? '')?.[1];
  Object.assign(state, {
    mark: number === undefined ? null : `[${number}]`,
    title: title?.trim() ?? '',
    heading: '',
    columns: [],
  });
  state.document++;
  return true;
}

function readLine(line: string, next: string, state: State, byUser: boolean): Passage[] {
  const text = `${line.slice(0, 400).replace(MARKED, '')}${line.slice(400)}`
    .replace(/<\/?[a-zA-Z][^<>]{0,200}>/g, ' ')
    .replace(ESCAPED, '$1')
    .trim();
  const passage = (kind: Passage['kind'], own: string): Passage => ({
    kind,
    text: own,
    mark: state.mark,
    document: state.document,
    title: state.title,
    about: `${state.title} ${state.heading}`.trim(),
    columns: kind === 'row' ? state.columns : [],
    byUser,
  });
  if (/^\|.*\|$/.test(text)) {
    if (isRuler(text)) return [];
    const row = cells(text);
    const isHead = state.columns.length === 0;
    if (isHead) state.columns = row;
    return isHead && isRuler(next) ? [] : [passage('row', row.join(' | '))];
  }
  state.columns = [];
  // The name of a file says what is in it, and answers nothing.
  if (text === '' || /^[-=*_`"'~\s]+$/.test(text.slice(0, 200)) || FILE_NAME.exec(text)?.[1]?.trim() === state.title)
    return [];
  if (TITLE.test(text.slice(0, 80))) {
    state.title = text.slice(0, 200);
    return [passage('heading', state.title)];
  }
  if (HEADING.test(text.slice(0, 120)) || looksLikeHeading(text, next)) {
    state.heading = text
      .slice(0, 200)
      .replace(/^#+\s*|\*\*/g, '')
      .trim();
    return [passage('heading', state.heading)];
  }
  const kind = ITEM.test(text) ? 'item' : 'sentence';
  return sentences(text).map((sentence) => passage(kind, sentence.replace(ITEM, '')));
}

/** A short line without an end, over a longer line, is a heading. */
const looksLikeHeading = (line: string, next: string) =>
  line.length <= 40 &&
  next.length > Math.max(30, line.length * 1.5) &&
  !/[.!?:：,|。]|[다요]$|\d{2}/.test(line) &&
  !ITEM.test(line);
