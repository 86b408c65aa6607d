import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const relativeSteps = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;
/** After so long a date says more than a distance does. */
const RELATIVE_UP_TO_MS = 30 * DAY;
const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

type Moment = Date | number | string;
type NumberOptions = Intl.NumberFormatOptions;

/** How numbers, sizes and times are written in one language. Moments are dates, ISO texts or milliseconds since 1970. */
export function formatsOf(language: string) {
  const write = (options: NumberOptions) => new Intl.NumberFormat(language, options);
  const plain = write({ maximumFractionDigits: 2 });
  const short = write({ notation: 'compact', maximumFractionDigits: 1 });
  const share = write({ style: 'percent', maximumFractionDigits: 1 });
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const exact = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
  const distance = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const unit = (value: number, name: string, digits = 1) =>
    write({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits }).format(value);

  return {
    number: (value: number) => plain.format(value),
    /** 12,300 as 12.3K or 1.2만. */
    compact: (value: number) => short.format(value),
    /** Of a share between 0 and 1. */
    percent: (value: number) => share.format(value),
    /** Powers of 1,024, as limits are set and as the file managers of most people count: 100 MB are what the setting says. */
    bytes(value: number) {
      const step = value < 1 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(value) / 10));
      // The short form of the smallest is the whole word, in English, beside "kB" and "MB".
      return unit(value / 1024 ** step, byteUnits[step] ?? 'byte').replace('byte', 'B');
    },
    /** Of milliseconds. */
    duration(ms: number) {
      if (ms < SECOND) return unit(ms, 'millisecond', 0);
      if (ms < MINUTE) return unit(ms / SECOND, 'second');
      if (ms < HOUR)
        return `${unit(Math.floor(ms / MINUTE), 'minute', 0)} ${unit(Math.floor((ms % MINUTE) / SECOND), 'second', 0)}`;
      return `${unit(Math.floor(ms / HOUR), 'hour', 0)} ${unit(Math.floor((ms % HOUR) / MINUTE), 'minute', 0)}`;
    },
    dateTime: (moment: Moment) => dateTime.format(new Date(moment)),
    exact: (moment: Moment) => exact.format(new Date(moment)),
    date: (moment: Moment) => date.format(new Date(moment)),
    time: (moment: Moment) => clock.format(new Date(moment)),
    /** Such as "3 minutes ago"; the date of what is long ago or far ahead. */
    relative(moment: Moment, now: number) {
      const away = new Date(moment).getTime() - now;
      if (Math.abs(away) > RELATIVE_UP_TO_MS) return date.format(new Date(moment));
      const [name, size] = relativeSteps.find(([, ms]) => Math.abs(away) >= ms) ?? ['second', SECOND];
      return distance.format(Math.trunc(away / size), name);
    },
  };
}

/** How numbers, sizes and times are written in the language of the page. */
export function useFormat(): ReturnType<typeof formatsOf> {
  const { i18n } = useTranslation();
  return useMemo(() => formatsOf(i18n.language), [i18n.language]);
}
