/** A day found in a text. */
export interface FoundDate {
  /** ISO 8601, such as 2026-03-05. */
  readonly iso: string;
  readonly index: number;
  /** The words that told it. */
  readonly text: string;
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH = String.raw`(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t|tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)`;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const koreanWeekdays = '일월화수목금토';

const DAY_MS = 86_400_000;
const relative: readonly (readonly [RegExp, number])[] = [
  [/그저께|그제|\bday before yesterday\b/i, -2],
  [/어제|\byesterday\b/i, -1],
  [/글피/, 3],
  [/모레|\bday after tomorrow\b/i, 2],
  [/내일|\btomorrow\b/i, 1],
  [/오늘|금일|\btoday\b|\btonight\b/i, 0],
];

const pad = (n: number) => String(n).padStart(2, '0');
const isoOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

function isoFrom(year: number, month: number, day: number): string | null {
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day && year > 999
    ? `${year}-${pad(month)}-${pad(day)}`
    : null;
}

/** Days named in a text, in their order: written out, or told from `today`. Days are those of UTC. */
export function findDates(text: string, today: Date): FoundDate[] {
  const found: FoundDate[] = [];
  const year = today.getUTCFullYear();
  const add = (match: RegExpMatchArray, iso: string | null) => {
    const index = match.index ?? 0;
    const overlaps = found.some(
      (other) => index < other.index + other.text.length && other.index < index + match[0].length,
    );
    if (iso !== null && !overlaps) found.push({ iso, index, text: match[0] });
  };
  for (const m of text.matchAll(/(?<!\d)(\d{4})\s?[-./년]\s?(\d{1,2})\s?[-./월]\s?(\d{1,2})(?!\d)일?/g))
    add(m, isoFrom(Number(m[1]), Number(m[2]), Number(m[3])));
  for (const m of text.matchAll(/(?<!\d)(\d{1,2})월\s?(\d{1,2})일/g)) add(m, isoFrom(year, Number(m[1]), Number(m[2])));
  for (const m of text.matchAll(
    new RegExp(String.raw`\b${MONTH}\.?\s(\d{1,2})(?:st|nd|rd|th)?(?:,?\s(\d{4}))?\b`, 'gi'),
  ))
    add(m, isoFrom(Number(m[3] ?? year), monthOf(m[1]), Number(m[2])));
  for (const m of text.matchAll(
    new RegExp(String.raw`\b(\d{1,2})(?:st|nd|rd|th)?\s(?:of\s)?${MONTH}\.?(?:,?\s(\d{4}))?\b`, 'gi'),
  ))
    add(m, isoFrom(Number(m[3] ?? year), monthOf(m[2]), Number(m[1])));
  for (const [pattern, days] of relative) {
    const m = pattern.exec(text);
    if (m) add(m, isoOf(today.getTime() + days * DAY_MS));
  }
  for (const m of text.matchAll(
    /(?:(다음|이번)\s?주\s?)?([일월화수목금토])요일|\b(?:(next|this)\s)?(sun|mon|tues|wednes|thurs|fri|satur)day\b/gi,
  )) {
    const wanted =
      m[2] === undefined ? weekdays.indexOf((m[4] ?? '').slice(0, 3).toLowerCase()) : koreanWeekdays.indexOf(m[2]);
    const monday = -((today.getUTCDay() + 6) % 7);
    const inWeek = (wanted + 6) % 7;
    const ahead = (wanted - today.getUTCDay() + 7) % 7;
    // "다음 주 월요일" is of the week that begins next Monday; a bare name is the next such day.
    const days =
      m[1] === '다음'
        ? monday + 7 + inWeek
        : m[1] === '이번'
          ? monday + inWeek
          : m[3]?.toLowerCase() === 'next' && ahead === 0
            ? 7
            : ahead;
    add(m, isoOf(today.getTime() + days * DAY_MS));
  }
  return found.sort((a, b) => a.index - b.index);
}

const monthOf = (name: string | undefined) => months.indexOf((name ?? '').slice(0, 3).toLowerCase()) + 1;

/** The time of day named in a text, such as 15:30; null where there is none. */
export function findTime(text: string): string | null {
  const clock = /(?<!\d)([01]?\d|2[0-3]):([0-5]\d)(?!\d)\s?(am|pm)?/i.exec(text);
  const spoken = /(오전|오후|아침|저녁|밤|새벽|낮)?\s?(?<!\d)(\d{1,2})시(?:\s?(\d{1,2})분|\s?(반))?/.exec(text);
  const english = /(?<!\d)(\d{1,2})\s?(am|pm|a\.m\.|p\.m\.)/i.exec(text);
  if (clock) return timeOf(Number(clock[1]), Number(clock[2]), /^p/i.test(clock[3] ?? ''), /^a/i.test(clock[3] ?? ''));
  if (english) return timeOf(Number(english[1]), 0, /^p/i.test(english[2] ?? ''), /^a/i.test(english[2] ?? ''));
  if (spoken)
    return timeOf(
      Number(spoken[2]),
      spoken[4] === undefined ? Number(spoken[3] ?? 0) : 30,
      /오후|저녁|밤|낮/.test(spoken[1] ?? ''),
      /오전|새벽|아침/.test(spoken[1] ?? ''),
    );
  return null;
}

function timeOf(hour: number, minute: number, afternoon: boolean, morning: boolean): string | null {
  const h = afternoon && hour < 12 ? hour + 12 : morning && hour === 12 ? 0 : hour;
  return h < 24 && minute < 60 ? `${pad(h)}:${pad(minute)}` : null;
}
