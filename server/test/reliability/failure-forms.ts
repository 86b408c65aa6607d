import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Operation } from './operations.ts';

// Whether a failure has the form of its surface. What the service declares is held against what it sends, and both against what clients
// of each surface read: a form that is declared wrongly is wrong, too.

/** What a client of a surface reads of a failure. */
interface Surface {
  readonly name: string;
  readonly paths: RegExp;
  readonly reads: (body: Body, status: number) => boolean;
}
type Body = Readonly<Record<string, unknown>>;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const inside = (body: Body, name: string): Body => {
  const value = body[name];
  return typeof value === 'object' && value !== null ? (value as Body) : {};
};

/** The first that fits counts. */
const surfaces: readonly Surface[] = [
  {
    name: 'console',
    paths: /^\/console\/api\//,
    reads: (body) => isText(inside(body, 'error')['code']) && isText(inside(body, 'error')['message']),
  },
  {
    name: 'Messages',
    paths: /^\/v1\/messages(?:\/|$)/,
    reads: (body) =>
      body['type'] === 'error' && isText(inside(body, 'error')['type']) && isText(inside(body, 'error')['message']),
  },
  { name: 'Docling', paths: /^\/v1\/convert\//, reads: (body) => isText(body['detail']) },
  { name: 'Cohere', paths: /^\/v2\//, reads: (body) => isText(body['message']) },
  {
    name: 'A2A over HTTP',
    paths: /^\/v1\/external\/agents\/[^/]+\/a2a\/v1\/(?!\.well-known\/)/,
    reads: (body, status) => inside(body, 'error')['code'] === status && isText(inside(body, 'error')['message']),
  },
  {
    name: 'JSON-RPC',
    paths: /^\/v1\/external\/agents\/|^(?:\/v1)?\/mcp$/,
    reads: (body) => body['jsonrpc'] === '2.0' && typeof inside(body, 'error')['code'] === 'number',
  },
  {
    name: 'envelope',
    paths: /^\/v1\/(?:rag42|text\/pii-|document|api-tools\/)/,
    reads: (body, status) =>
      String(inside(body, 'status')['code']).startsWith(String(status)) &&
      isText(inside(body, 'status')['message']) &&
      !('result' in body),
  },
  {
    name: 'OpenAI',
    paths:
      /^\/v1\/(?:chat|completions|embeddings|rerank|models|audio|responses|conversations|files|batches|moderations|tokenize|detokenize|tika|rmeta|tools)/,
    reads(body, status) {
      const { message, type, code, ...rest } = inside(body, 'error');
      const isOwnCode =
        String(code).startsWith(String(status)) || (status === 400 && code === 'context_length_exceeded');
      return isText(message) && isText(type) && 'param' in rest && isOwnCode;
    },
  },
];

const validators = new WeakMap<object, Ajv2020>();
/** The validator of a document, which keeps the checks that it has compiled: to make one takes a tenth of a second. */
function validatorOf(document: object): Ajv2020 {
  const known = validators.get(document);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'urn:studio:fuzz', components: document });
  validators.set(document, ajv);
  return ajv;
}

/** The check of a schema within its document. */
function checkOf({ document, failures }: NonNullable<Operation['declared']>, status: number): ValidateFunction | null {
  const schema = failures.get(status);
  if (schema === undefined) return null;
  const check = validatorOf(document).getSchema(`urn:studio:fuzz${schema.$ref ?? ''}`);
  if (check === undefined) throw new Error(`${schema.$ref} is not in the document`);
  return check;
}

function parsed(text: string): Body | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Body) : null;
  } catch {
    return null;
  }
}

/** What is wrong with the form of a failure; null where nothing is. `isDeclared`: its method is one that the operation has. */
export function wrongForm(
  { path, declared }: Operation,
  status: number,
  text: string,
  isDeclared = true,
): string | null {
  const body = parsed(text);
  if (body === null) return 'its body is no JSON object';
  const surface = surfaces.find(({ paths }) => paths.test(path));
  if (surface?.reads(body, status) === false) return `its body is not in the form of ${surface.name}`;
  if (declared === null || !isDeclared) return null;
  const check = checkOf(declared, status);
  if (check === null) return `the status ${status} is not declared`;
  return check(body) ? null : `its body is not as declared: ${JSON.stringify(check.errors?.slice(0, 3))}`;
}
