const year = '(000[1-9]|00[1-9]\\d|0[1-9]\\d\\d|[1-9]\\d{3})';
const leapYear = '(\\d\\d(0[48]|[2468][048]|[13579][26])|(0[48]|[2468][048]|[13579][26])00)';
const day = '((0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const date = `(${year}-${day}|${leapYear}-02-29)`;
const hour = '([01]\\d|2[0-3])';
const time = `${hour}:[0-5]\\d:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]${hour}:[0-5]\\d)`;
const count = '\\d{1,6}';
const durationDate = `(${count}Y(${count}M(${count}D)?)?|${count}M(${count}D)?|${count}D)`;
const durationTime = `T(${count}H(${count}M(${count}S)?)?|${count}M(${count}S)?|${count}S)`;
const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const group = '[0-9A-Fa-f]{1,4}';
const name = '[A-Za-z0-9]([A-Za-z0-9-]{0,30}[A-Za-z0-9])?';
const hostname = `${name}(\\.${name}){0,3}`;

/** An IPv6 address: eight groups, or fewer around one gap. */
const ipv6 = [
  `(${group}:){7}${group}`,
  `(${group}:){1,7}:`,
  ...[1, 2, 3, 4, 5, 6].map((after) => `(${group}:){1,${7 - after}}(:${group}){1,${after}}`),
  `:(:${group}){1,7}`,
  '::',
].join('|');

/** Formats of parts of any length: `upTo` and `some` say how often something may stand there, and must. */
function openFormats(upTo: (most: number) => string, some: (most: number) => string) {
  const label = `[A-Za-z0-9]([A-Za-z0-9-]${upTo(30)}[A-Za-z0-9])?`;
  const domain = `${label}(\\.[A-Za-z0-9]${some(30)})${upTo(3)}\\.[A-Za-z]{2,20}`;
  const mailName = `[A-Za-z0-9!#$%&'*+/=?^_\`{|}~-]${some(32)}`;
  const email = `${mailName}(\\.${mailName})${upTo(2)}@${domain}`;
  const character = '([A-Za-z0-9._~!$&()*+,;=:@-]|%[0-9A-F]{2})';
  const path = `(/${character}${upTo(40)})${upTo(6)}`;
  const tail = `(\\?(${character}|[/?])${upTo(80)})?(#(${character}|[/?])${upTo(40)})?`;
  const web = `(https?|wss?|ftp)://${domain}(:[1-9]\\d{0,3})?${path}${tail}`;
  const uri = `(${web}|mailto:[a-z0-9.]${some(32)}@${domain}|urn:[a-z0-9]{2,16}:[A-Za-z0-9:._-]${some(80)})`;
  const reference = `(${uri}|${path}${tail})`;
  const pointer = `(/([^/~]|~[01])${upTo(40)})${upTo(12)}`;
  return {
    email,
    'idn-email': email,
    uri,
    iri: uri,
    'uri-reference': reference,
    'iri-reference': reference,
    'uri-template': uri,
    'json-pointer': pointer,
    'relative-json-pointer': `(0|[1-9]\\d{0,3})(#|${pointer})`,
    regex: `[A-Za-z0-9 _-]${some(60)}`,
  };
}

/**
 * Formats of strings as regular expressions, without anchors, of texts that surely have them; not all that have.
 * Source: JSON Schema 2020-12, Validation, section 7.3.
 */
export const formats: Readonly<Record<string, string>> = {
  date,
  time,
  'date-time': `${date}T${time}`,
  duration: `P(${durationDate}(${durationTime})?|${durationTime}|${count}W)`,
  hostname,
  'idn-hostname': hostname,
  ipv4: `${byte}(\\.${byte}){3}`,
  ipv6: `(${ipv6})`,
  uuid: '[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}',
  ...openFormats(
    (most) => `{0,${most}}`,
    (most) => `{1,${most}}`,
  ),
};

/** The same without bounds of their own: joined with a length or a pattern they take few states. */
export const unboundedFormats: Readonly<Record<string, string>> = {
  ...formats,
  ...openFormats(
    () => '*',
    () => '+',
  ),
};
