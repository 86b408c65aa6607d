import type { UsageQuery } from '@ai-studio/contract/console/usage.ts';
import { StudioError } from '../kernel/errors.ts';

const DAY_MS = 86_400_000;
/** What a report without a beginning tells of. Source: contract, UsageQuery. */
const USUAL_DAYS = 30;
/** Longest span by the row of time that it is divided into. */
const MAX_HOURLY_DAYS = 93;
const MAX_DAYS = 1_100;

/** A checked question: what of it is null is not asked for. */
export interface ReportQuestion {
  readonly group: UsageQuery['group'];
  readonly timeZone: string;
  readonly from: Date;
  /** The moment after the last. */
  readonly to: Date;
  readonly model: string | null;
  readonly keyId: string | null;
  readonly userId: string | null;
}

const refuse = (param: string, message: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** An IANA name; a plain offset is none, which PostgreSQL would read with the opposite sign. */
function checkTimeZone(timeZone: string): string {
  try {
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError('an offset');
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw refuse('time_zone', 'time_zone must be a name of the IANA time zone database, such as Asia/Seoul');
  }
}

/** The database can't hold a NUL, so nothing has a name with one. */
function checkText(param: string, text: string | undefined): string | null {
  if (text?.includes('\0')) throw refuse(param, `${param} must not hold a NUL character`);
  return text ?? null;
}

function checkTime(param: string, text: string): Date {
  const time = new Date(text);
  // Years before the first have no digits for it.
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1) throw refuse(param, `${param} must be a time`);
  return time;
}

/** Local midnight this many days before the day of `at`, as near as the shifts of the zone allow. */
function startOfDay(at: Date, timeZone: string, daysBefore: number): Date {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const sinceMidnight = (time: Date) => {
    const part = Object.fromEntries(parts.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return ((part['hour'] ?? 0) * 3600 + (part['minute'] ?? 0) * 60 + (part['second'] ?? 0)) * 1000;
  };
  const day = new Date(Math.floor((at.getTime() - daysBefore * DAY_MS) / 1000) * 1000);
  const midnight = new Date(day.getTime() - sinceMidnight(day));
  // A shift of the clock between midnight and that time leaves an hour over.
  const over = sinceMidnight(midnight);
  return new Date(midnight.getTime() + (over > DAY_MS / 2 ? DAY_MS - over : -over));
}

/** Fills in what was left out. Throws StudioError `invalid_request` for a zone that is none and for spans that are too long. */
export function checkReportQuery(query: UsageQuery, now: Date): ReportQuestion {
  const timeZone = checkTimeZone(query.time_zone);
  const to = query.to === undefined ? now : checkTime('to', query.to);
  const from = query.from === undefined ? startOfDay(to, timeZone, USUAL_DAYS - 1) : checkTime('from', query.from);
  if (from > to) throw refuse('from', 'from must not be after to');
  const most = query.group === 'hour' ? MAX_HOURLY_DAYS : MAX_DAYS;
  if (to.getTime() - from.getTime() > most * DAY_MS)
    throw refuse('from', `A report by ${query.group} tells of ${most} days at most`);
  return {
    group: query.group,
    timeZone,
    from,
    to,
    model: checkText('model', query.model),
    keyId: checkText('key_id', query.key_id),
    userId: checkText('user_id', query.user_id),
  };
}
