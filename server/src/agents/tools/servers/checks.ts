import { StudioError } from '../../../kernel/errors.ts';
import type { AddressCheck } from '../../../net-guard/index.ts';

const badAddress = (message: string) =>
  new StudioError('invalid_request', message, { param: 'url', reason: 'tool_address' });
const badHeader = (message: string, name: string, param: string) =>
  new StudioError('invalid_request', message, { param, reason: 'tool_header', values: { name } });

/** An address in the form in which it is kept. Throws StudioError `invalid_request`. */
export function cleanAddress(text: string, kind: 'mcp' | 'http'): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw badAddress('url must be an address such as https://tools.example.kr/mcp');
  if (url.username !== '' || url.password !== '')
    throw badAddress('url must hold no user and no password; give a header');
  if (url.hash !== '') throw badAddress('url must have no part after #');
  if (kind === 'http' && url.search !== '')
    throw badAddress('url must end with its path; parameters are those of the tools');
  return kind === 'http' ? url.origin + url.pathname.replace(/\/+$/, '') : url.href;
}

/**
 * Tells of an address that requests may not go to before it is kept. A private address and a name that nobody knows are told alike: the
 * answer must not say which names the operator's network has. Throws StudioError `invalid_request`.
 */
export async function requireOpenAddress(
  { checkAddress }: { readonly checkAddress: AddressCheck },
  address: string,
): Promise<void> {
  const url = new URL(address);
  const found = await checkAddress(url);
  const values = { host: url.hostname };
  if (found === 'closed')
    throw new StudioError('invalid_request', `${url.hostname} is private and not opened, or does not exist`, {
      param: 'url',
      reason: 'tool_address_closed',
      values,
    });
  if (url.protocol === 'http:' && found !== 'opened')
    throw new StudioError('invalid_request', 'url must be an https address, unless its host is opened', {
      param: 'url',
      reason: 'tool_address_https',
      values,
    });
}

/** Whether two addresses are of one server: headers that were kept are sent nowhere else. */
export const sameServer = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

const MAX_HEADERS = 20;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Headers that are part of how a request is sent. */
const OWN =
  /^(host|connection|content-length|content-type|transfer-encoding|te|upgrade|trailer|keep-alive|expect|accept|accept-encoding|proxy-.*|mcp-.*|idempotency-key|last-event-id)$/i;

/** Headers without the white space that comes with copying. Throws StudioError `invalid_request`. */
export function cleanHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const cleaned = new Map<string, string>();
  for (const [name, value] of Object.entries(given)) {
    const [key, text] = [name.trim(), value.trim()];
    const param = `headers.${key}`;
    if (!HEADER_NAME.test(key)) throw badHeader(`${JSON.stringify(name)} is no name of a header`, name, 'headers');
    if (OWN.test(key)) throw badHeader(`The header ${key} is set by the service itself`, key, param);
    if (!/^[\x20-\x7e]+$/.test(text))
      throw badHeader(`The header ${key} must be of letters, digits and signs of ASCII`, key, param);
    if ([...cleaned.keys()].some((one) => one.toLowerCase() === key.toLowerCase()))
      throw badHeader(`The header ${key} is given twice`, key, param);
    cleaned.set(key, text);
  }
  if (cleaned.size > MAX_HEADERS) throw badHeader(`A tool server may have ${MAX_HEADERS} headers`, '', 'headers');
  return Object.fromEntries(cleaned);
}

/** Headers as they are sent. */
export const sentHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
