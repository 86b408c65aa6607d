import type { Report } from '../finding.ts';

/** Keys with the prefix of a service. Source: the documentation of each. */
const prefixed: readonly RegExp[] = [
  /sk-[A-Za-z0-9_-]{20,200}/, // OpenAI, Anthropic
  /aist_[A-Za-z0-9]{49}/, // this service
  /(?:AKIA|ASIA)[0-9A-Z]{16}/, // AWS
  /gh[pousr]_[A-Za-z0-9]{30,255}/, // GitHub
  /github_pat_[A-Za-z0-9_]{40,255}/,
  /glpat-[A-Za-z0-9_-]{20,64}/, // GitLab
  /xox[abeoprs]-[A-Za-z0-9-]{10,255}/, // Slack
  /AIza[0-9A-Za-z_-]{35}/, // Google
  /ya29\.[0-9A-Za-z_-]{20,255}/,
  /[rs]k_(?:live|test)_[0-9A-Za-z]{16,255}/, // Stripe
  /npm_[A-Za-z0-9]{36}/,
  /hf_[A-Za-z0-9]{30,64}/, // Hugging Face
  /SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,64}/, // SendGrid
  /eyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,16384}\.[A-Za-z0-9_-]{0,1024}/, // JSON web tokens
];
const PREFIXED = new RegExp(
  `(?<![A-Za-z0-9_-])(?:${prefixed.map(({ source }) => source).join('|')})(?![A-Za-z0-9_-])`,
  'g',
);

const NAMED =
  /(?:pass ?word|passwd|pass ?code|(?<![a-z])pw|passphrase|pwd|secret(?:[ _-]?key)?|api[ _-]?key|access[ _-]?key|private[ _-]?key|auth[ _-]?token|access[ _-]?token|token|client[ _-]?secret|비밀 ?번호|패스 ?워드|비번|암호|시크릿 ?키|인증 ?키|접속 ?키|API ?키|account[ _-]?key|(?<=\b)(?:bearer|basic)(?=\s))["']?\s{0,3}(?:[:=：]{1,2}>?|은|는|이|가|is|(?<=bearer|basic))\s{0,3}(["'`]?)([\x21-\x7e]{4,256})/gi;
/** Placeholders that stand for a secret in examples. */
const placeholderValue =
  /^(?:[*•.x_-]+|<[^>]*>?|\$\{?.*|\{\{?.*|%.*%|\[[A-Za-z_: ]*\]?|null|none|true|false|undefined|string|required|optional|changeme|example|your[-_].*)$/i;
/** Punctuation after a value. */
const TAIL = /["'`)\]},;.]+$/;

/** Schemes of HTTP, which are also words: Basic English, a bearer token. */
const SCHEME = /(?:bearer|basic)["']?\s+["'`]?$/i;
const CREDENTIALS = /^(?=[^0-9=]*[0-9=])[A-Za-z0-9+/._~=-]{8,}$/;

/** Expressions from which programs read a secret: z.string().min(1), process.env.KEY, config.token. */
const CODE =
  /^(?:[A-Za-z_$][\w$]{0,40}\.){1,4}[A-Za-z_$][\w$]{0,40}[([{]|^(?:process|config|req|request|env|os|settings|self|this|ctx|options|params|import)\.[A-Za-z_]/;

/** Counts the kinds of characters: a plain word is hardly a secret. */
const countKinds = (value: string) =>
  [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;

function valueOf(quote: string, raw: string, nextChar: string): string {
  if (quote === '') {
    const value = raw.split(/["'`,;<>&]/)[0] ?? '';
    // A particle follows the value, so the value is complete.
    return value === raw && /[가-힣]/.test(nextChar) ? value : value.replace(TAIL, '');
  }
  const end = raw.indexOf(quote);
  return end < 0 ? raw.replace(TAIL, '') : raw.slice(0, end);
}

function findNamed(text: string, report: Report): void {
  for (const { index, 0: found, 1: quote = '', 2: raw = '' } of text.matchAll(NAMED)) {
    const value = valueOf(quote, raw, text.charAt(index + found.length));
    if (value.length < 4 || placeholderValue.test(value) || !/[A-Za-z0-9]/.test(value)) continue;
    if (quote === '' && CODE.test(raw)) continue;
    if (SCHEME.test(found.slice(0, found.length - raw.length)) && !CREDENTIALS.test(value)) continue;
    const kindCount = countKinds(value);
    const isPin = /^[0-9]{4,}$/.test(value) && /^(?:pass|pw|비|패|암)/i.test(found);
    if (kindCount < 2 && quote === '' && !isPin && value.length < 20) continue;
    const start = index + found.length - raw.length;
    report('SECRET', start, start + value.length, kindCount >= 3 || value.length >= 16 ? 0.85 : 0.7);
  }
}

const BEGIN = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const END = '-----END ';
const MAX_KEY_LENGTH = 20_000;

/** Finds private keys in PEM; a key that is cut off ends with the text. */
function findPem(text: string, report: Report): void {
  let end = 0;
  for (const { index, 0: marker } of text.matchAll(BEGIN)) {
    if (index < end) continue;
    const endMarker = text.indexOf(END, index + marker.length);
    const keyEnd =
      endMarker < 0 || endMarker - index > MAX_KEY_LENGTH ? Math.min(text.length, index + MAX_KEY_LENGTH) : endMarker;
    const lineEnd = endMarker === keyEnd ? text.indexOf('-----', keyEnd + END.length) : -1;
    end = lineEnd >= 0 && lineEnd - keyEnd < 60 ? lineEnd + 5 : keyEnd;
    report('SECRET', index, end, 0.99);
  }
}

/** The password in a URL: https://name:password@host. */
const IN_URL = /(?<=:\/\/[^\s/:@]{0,64}:)[^\s/:@]{3,128}(?=@)/g;

/** Finds keys of services, tokens, labelled passwords and private keys. */
export function findSecrets(text: string, report: Report): void {
  for (const { index, 0: found } of text.matchAll(PREFIXED)) report('SECRET', index, index + found.length, 0.97);
  findNamed(text, report);
  findPem(text, report);
  for (const { index, 0: found } of text.matchAll(IN_URL)) {
    if (!placeholderValue.test(found)) report('SECRET', index, index + found.length, 0.85);
  }
}
