import { expect, test } from 'vitest';
import type { Logger } from '../kernel/log.ts';
import { databaseUnavailable } from '../ports/database.ts';
import { quietDuringOutages } from './quiet-log.ts';

test('what fails only because the database is away is for debug, also in the log of a part', () => {
  const lines: string[] = [];
  const to = (level: string) => (_fields: object, message: string) => void lines.push(`${level} ${message}`);
  const log: Logger = {
    debug: to('debug'),
    info: to('info'),
    warn: to('warn'),
    error: to('error'),
    child: () => log,
  };
  const quiet = quietDuringOutages(log).child({ part: 'jobs' });
  const away = new Error('a poll failed', { cause: databaseUnavailable(new Error('ECONNREFUSED')) });
  quiet.warn({ err: away }, 'a');
  quiet.error({ err: away }, 'b');
  quiet.warn({ err: new Error('syntax error') }, 'c');
  quiet.error({}, 'd');
  expect(lines).toEqual(['debug a', 'debug b', 'warn c', 'error d']);
});
