const year = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const leapYear = '(\\d\\d(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)';
const day = '((0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const date = `(${year}-${day}|${leapYear}-02-29)`;
const hour = '([01]\\d|2[0-3])';
const time = `${hour}:[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]${hour}:[0-5]\\d)`;
const count = '\\d{1,6}';
const durationDate = `(${count}Y(${count}M(${count}D)?)?|${count}M(${count}D)?|${count}D)`;
const durationTime = `T(${count}H(${count}M(${count}S)?)?|${count}M(${count}S)?|${count}S)`;
const label = '[A-Za-z0-9]([A-Za-z0-9-]{0,40}[A-Za-z0-9])?';
const domain = `${label}(\\.[A-Za-z0-9]{1,30}){0,3}\\.[A-Za-z]{2,20}`;
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const group = '[0-9A-Fa-f]{1,4}';
const mailName = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]{1,32}";
const email = `${mailName}(\\.${mailName}){0,2}@${domain}`;
const webCharacter = '([A-Za-z0-9._~!$&()*+,;=:@-]|%[0-9A-F]{2})';
const path = `(/${webCharacter}{0,60}){0,12}`;
const tail = `(\\?(${webCharacter}|[/?]){0,120})?(#(${webCharacter}|[/?]){0,60})?`;
const uri = `((https?|wss?|ftp)://${domain}(:[1-9]\\d{0,3})?${path}${tail}|mailto:[a-z0-9.]{1,32}@${domain}|urn:[a-z0-9]{2,16}:[A-Za-z0-9:._-]{1,80})`;
const pointer = '(/([^/~]|~[01]){0,40}){0,12}';

/** An IPv6 address: eight groups, or fewer around one gap. */
const ipv6 = [
  `(${group}:){7}${group}`,
  `(${group}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(${group}:){1,${7 - after}}(:${group}){1,${after}}`),
  `:(:${group}){1,7}`,
  '::',
].join('|');

/**
 * Formats of strings as regular expressions, without anchors, of texts that surely have them; not all that have.
 * Source: JSON Schema 2020-12, Validation, section 7.3.
 */
export const formats: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: `P(${durationDate}(${durationTime})?|${durationTime}|${count}W)`,
  email,
  'idn-email': email,
  hostname: `${label}(\\.${label}){0,3}`,
  'idn-hostname': `${label}(\\.${label}){0,3}`,
  ipv4: `${byte}(\\.${byte}){3}`,
  ipv6: `(${ipv6})`,
  uri,
  iri: uri,
  'uri-reference': `(${uri}|${path}${tail})`,
  'iri-reference': `(${uri}|${path}${tail})`,
  'uri-template': uri,
  'json-pointer': pointer,
  'relative-json-pointer': `(0|[1-9]\\d{0,3})(#|${pointer})`,
  regex: '[A-Za-z0-9 _-]{1,60}',
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
};
