const year = '(1[6-9]|2\\d)\\d\\d';
const leapYear = '((1[6-9]|2\\d)(0[48]|[2468][048]|[13579][26])|(16|20|24|28)00)';
const day = '((0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const date = `(${year}-${day}|${leapYear}-02-29)`;
const time = '([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{1,6})?(Z|[+-](0\\d|1[0-2]):[0-5]\\d)';
const label = '[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?';
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';

/** Formats of strings as regular expressions of texts that surely have them. Source: JSON Schema 2020-12, Validation, section 7.3. */
export const formats: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: 'P(\\d{1,3}D)?T\\d{1,3}(H|M|S)',
  email: `[a-z0-9]{1,20}(\\.[a-z0-9]{1,20}){0,2}@${label}(\\.[a-z]{2,10}){1,2}`,
  hostname: `${label}(\\.${label}){0,3}`,
  ipv4: `${byte}(\\.${byte}){3}`,
  ipv6: '([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}',
  uri: `https?://${label}(\\.[a-z]{2,10}){1,2}(/[A-Za-z0-9._~-]{0,30}){0,4}`,
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
};
