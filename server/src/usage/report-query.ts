import type { UsageQuery } from '@ai-studio/contract/console/usage.ts';
import { StudioError } from '../kernel/errors.ts';

const DAY_MS = 86_400_000;
/** Span of a report without `from`. Source: contract, UsageQuery. */
const DEFAULT_DAYS = 30;
/** Maximum span of a report by hour. */
const MAX_HOURLY_DAYS = 93;
const MAX_DAYS = 1_100;

/** A validated query; null fields do not filter. */
export interface ReportQuery {
  readonly group: UsageQuery['group'];
  readonly timeZone: string;
  readonly from: Date;
  /** Exclusive. */
  readonly to: Date;
  readonly model: string | null;
  readonly keyId: string | null;
  readonly userId: string | null;
}

const invalidField = (param: string, message: string) =>
  new StudioError('invalid_request', message, { param, reason: 'invalid_field' });

/** Checks an IANA name. Refuses plain offsets, which PostgreSQL would read with the opposite sign. */
function checkTimeZone(timeZone: string): string {
  try {
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError('an offset');
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw invalidField('time_zone', 'time_zone must be a name of the IANA time zone database, such as Asia/Seoul');
  }
}

/** Refuses NUL characters, which the database can't store. */
function checkText(param: string, text: string | undefined): string | null {
  if (text?.includes('\0')) throw invalidField(param, `${param} must not hold a NUL character`);
  return text ?? null;
}

function checkTime(param: string, text: string): Date {
  const time = new Date(text);
  // The database can't read years before 1.
  if (Number.isNaN(time.getTime()) || time.getUTCFullYear() < 1) throw invalidField(param, `${param} must be a time`);
  return time;
}

/** Local midnight `daysBefore` days before the day of `at`, as near as clock changes of the zone allow. */
function startOfDay(at: Date, timeZone: string, daysBefore: number): Date {
  const formatter = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  const sinceMidnight = (time: Date) => {
    const timeParts = Object.fromEntries(formatter.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
    return ((timeParts['hour'] ?? 0) * 3600 + (timeParts['minute'] ?? 0) * 60 + (timeParts['second'] ?? 0)) * 1000;
  };
  const day = new Date(Math.floor((at.getTime() - daysBefore * DAY_MS) / 1000) * 1000);
  const midnight = new Date(day.getTime() - sinceMidnight(day));
  // A clock change between midnight and that time shifts the result by an hour.
  const excessMs = sinceMidnight(midnight);
  return new Date(midnight.getTime() + (excessMs > DAY_MS / 2 ? DAY_MS - excessMs : -excessMs));
}

/** Validates a query and fills in defaults. Throws StudioError `invalid_request` for unknown time zones and spans that are too long. */
export function checkReportQuery(query: UsageQuery, now: Date): ReportQuery {
  const timeZone = checkTimeZone(query.time_zone);
  const to = query.to === undefined ? now : checkTime('to', query.to);
  const from = query.from === undefined ? startOfDay(to, timeZone, DEFAULT_DAYS - 1) : checkTime('from', query.from);
  if (from > to) throw invalidField('from', 'from must not be after to');
  const maxDays = query.group === 'hour' ? MAX_HOURLY_DAYS : MAX_DAYS;
  if (to.getTime() - from.getTime() > maxDays * DAY_MS)
    throw invalidField('from', `A report by ${query.group} tells of ${maxDays} days at most`);
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
