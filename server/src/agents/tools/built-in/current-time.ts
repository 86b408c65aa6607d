import { failedCall, succeeded } from '../tool.ts';
import { type UncheckedTool, parameters } from './built-in.ts';

interface Moment {
  readonly iso: string;
  readonly date: string;
  readonly time: string;
  readonly weekday: string;
  readonly time_zone: string;
}

const MINUTE_MS = 60_000;

/** A moment as clocks of a time zone show it. Throws RangeError for a zone that is none. */
function inZone(ms: number, timeZone: string): Moment {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
  });
  const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type as string, value]));
  const part = (type: string) => parts.get(type) ?? '';
  const date = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
  const time = `${part('hour')}:${part('minute')}:${part('second')}`;
  const offset = Math.round((Date.parse(`${date}T${time}Z`) - ms) / MINUTE_MS);
  const two = (value: number) => String(value).padStart(2, '0');
  const behind = `${offset < 0 ? '-' : '+'}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return { iso: `${date}T${time}${behind}`, date, time, weekday: part('weekday'), time_zone: timeZone };
}

/** Tells the time. Gives `{iso, date, time, weekday, time_zone}`. */
export const currentTime = (timeZone: string, now: () => number): UncheckedTool => ({
  name: 'current_time',
  description: `Tells the date, the time and the day of the week of now. Time zone where none is given: ${timeZone}.`,
  parameters: parameters({
    time_zone: { type: 'string', maxLength: 64, description: 'Name such as Asia/Seoul, America/New_York or UTC' },
  }),
  run({ time_zone: asked }) {
    const zone = typeof asked === 'string' && asked.trim() !== '' ? asked.trim() : timeZone;
    try {
      const moment = inZone(now(), zone);
      return succeeded(`${moment.iso} (${moment.weekday}, ${zone})`, moment);
    } catch (error) {
      if (error instanceof RangeError)
        return failedCall(`There is no time zone ${JSON.stringify(zone)}; use a name such as Asia/Seoul or UTC`);
      throw error;
    }
  },
});
