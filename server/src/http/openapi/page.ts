import type { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import type { PublicRoute, WireForm } from '../../http-kit/public-route.ts';
import { documentedPaths, nameOf } from './document.ts';

const escape = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] ?? c);
const code = (text: string) => escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');

const styles = `
:root{color-scheme:light dark;--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--ground:#fff;--panel:#f6f8fa;--accent:#0550ae}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--soft:#9ba6b2;--line:#30363d;--ground:#0d1117;--panel:#161b22;--accent:#79c0ff}}
*{box-sizing:border-box}body{margin:0;font:16px/1.6 system-ui,-apple-system,"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR",sans-serif;color:var(--ink);background:var(--ground)}
.page{max-width:1100px;margin:0 auto;padding:2rem 1.25rem;display:grid;grid-template-columns:14rem minmax(0,1fr);gap:2.5rem}
nav{position:sticky;top:2rem;align-self:start;font-size:.93rem}nav h2{font-size:.8rem;margin:1.2rem 0 .3rem;color:var(--soft);text-transform:uppercase;letter-spacing:.05em}
nav ul{list-style:none;margin:0;padding:0}nav a{display:block;padding:.15rem 0}a{color:var(--accent);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}
h1{font-size:1.9rem;margin:0 0 .3rem}section{border-top:1px solid var(--line);padding:1.5rem 0}section h2{margin:0 0 .5rem;font-size:1.25rem}
.verb{display:inline-block;font:600 .78rem ui-monospace,monospace;padding:.15rem .5rem;border-radius:4px;background:var(--panel);border:1px solid var(--line);text-transform:uppercase}
pre,code{font:.9rem/1.5 ui-monospace,SFMono-Regular,Menlo,monospace}pre{background:var(--panel);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow:auto}
code{background:var(--panel);padding:.1rem .3rem;border-radius:4px}pre code{padding:0;background:none}
table{border-collapse:collapse;width:100%;font-size:.93rem;display:block;overflow-x:auto}th,td{text-align:left;padding:.45rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}th{font-weight:600}
.soft{color:var(--soft)}details{margin:.8rem 0}summary{cursor:pointer}
@media(max-width:760px){.page{grid-template-columns:1fr;gap:1rem;padding:1rem}nav{position:static}}`;

interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Types of a field in words. */
function typeOf(schema: JsonSchema): string {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return [...new Set(options.map(typeOf))].join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `array of ${schema.items ? typeOf(schema.items) : 'any'}`;
  return schema.type === undefined ? 'any' : [schema.type].flat().join(' or ');
}

function rangeOf(schema: JsonSchema): string {
  const inner =
    schema.anyOf?.find((s) => s.minimum !== undefined || s.maximum !== undefined || s.minItems !== undefined) ?? schema;
  const safe = (n: number | undefined) => (n === undefined || Math.abs(n) >= Number.MAX_SAFE_INTEGER ? undefined : n);
  const low = safe(inner.minimum) ?? inner.minItems;
  const high = safe(inner.maximum) ?? inner.maxItems;
  if (low === undefined && high === undefined) return '';
  return low === undefined ? `at most ${high}` : high === undefined ? `at least ${low}` : `${low} to ${high}`;
}

/** Rows of one table: beyond them a schema is better read in the document for programs. */
const MAX_ROWS = 150;
const MAX_NESTING = 5;

/** A field and its name with those that it stands in, such as `choices[].message.role`. */
interface FieldRow {
  readonly name: string;
  readonly field: JsonSchema;
  readonly isRequired: boolean;
}

/** The objects within a schema, with what is written between their names and those of their fields. */
function objectsOf(schema: JsonSchema, between = '.'): [string, JsonSchema][] {
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.flatMap((option) => objectsOf(option, between));
  if (schema.items) return objectsOf(schema.items, `[]${between}`);
  return schema.properties ? [[between, schema]] : [];
}

/** The fields of an object, each followed by those within it. */
function rowsOf(schema: JsonSchema, before: string, depth: number): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const whole = before + name;
    const own = { name: whole, field, isRequired: schema.required?.includes(name) === true };
    if (depth >= MAX_NESTING) return [own];
    const inner = objectsOf(field).flatMap(([between, within]) => rowsOf(within, whole + between, depth + 1));
    return [own, ...inner];
  });
}

function fields(title: string, schema: JsonSchema | undefined): string {
  if (!schema) return '';
  // Kinds of one thing have many fields in common.
  const all = objectsOf(schema, '').flatMap(([before, object]) => rowsOf(object, before, 0));
  const rows = [...new Map(all.map((row) => [row.name, row])).values()];
  if (rows.length === 0) return '';
  const rendered = rows.slice(0, MAX_ROWS).map(({ name, field, isRequired }) => {
    const required = isRequired ? ' <span class="soft">required</span>' : '';
    return `<tr><td><code>${escape(name)}</code>${required}</td><td>${escape(typeOf(field))}</td><td>${escape(rangeOf(field))}</td><td>${code(field.description ?? '')}</td></tr>`;
  });
  const more =
    rows.length > MAX_ROWS
      ? `<p class="soft">${rows.length - MAX_ROWS} more fields stand in <a href="/openapi.json">openapi.json</a>.</p>`
      : '';
  return `<details><summary>${escape(title)}</summary><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Range</th><th scope="col">Meaning</th></tr></thead><tbody>${rendered.join('')}</tbody></table>${more}</details>`;
}

const anchor = (route: PublicRoute) =>
  `${route.method.toLowerCase()}${(documentedPaths(route)[0] ?? '').replace(/\W+/g, '-')}`;

/** A text within single quotes of a shell. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** The path of an example: models have a name, other ids are variables of the shell. */
const examplePath = (path: string) =>
  path.replace('{id}', 'CORE-GOV').replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);

/** A command that calls an endpoint as it is documented; ids that it needs are variables such as `$COLLECTION_ID`. */
function curl(route: PublicRoute, base: string): string {
  const { method, example, access, form, file, formExample = {} } = route;
  // curl sends a file by PUT.
  const usual = file ? 'PUT' : example !== undefined || form !== undefined ? 'POST' : 'GET';
  const verb = method === usual ? '' : `-X ${method === 'ALL' ? 'POST' : method} `;
  const parts = [
    ...(access === 'public' ? [] : ['-H "Authorization: Bearer $STUDIO_API_KEY"']),
    ...(example ? ['-H "Content-Type: application/json"', `-d ${quoted(JSON.stringify(example))}`] : []),
    ...(form ? [`-F "${form.fileField ?? 'file'}=@$FILE"`] : []),
    ...(file ? ['-T "$FILE"'] : []),
    ...(form ? Object.entries(formExample).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`) : []),
  ];
  const address = `"${base}${examplePath(documentedPaths(route)[0] ?? '')}"`;
  return [`curl ${verb}${address}`, ...parts].join(' \\\n  ');
}

/** The example of a reply, as people read it. */
function replyOf(document: OpenApiDocument, route: PublicRoute): string {
  const path = (document.paths as Paths)[documentedPaths(route)[0] ?? ''];
  const example = path?.[route.method.toLowerCase()]?.responses['200']?.content?.['application/json']?.example;
  if (example === undefined) return '';
  const text = escape(JSON.stringify(example, null, 2));
  return `<details><summary>Example of a reply</summary><pre tabindex="0"><code>${text}</code></pre></details>`;
}
type Paths = Readonly<
  Record<
    string,
    Readonly<
      Record<
        string,
        {
          readonly responses: Readonly<
            Record<string, { readonly content?: Readonly<Record<string, { readonly example?: unknown }>> }>
          >;
        }
      >
    >
  >
>;

function section(route: PublicRoute, document: OpenApiDocument, base: string): string {
  const schemas = document.components.schemas as Readonly<Record<string, JsonSchema>>;
  const { method, summary, description, body, form, reply, stream } = route;
  const fieldsOf = (title: string, wire: WireForm | undefined) => (wire ? fields(title, schemas[nameOf(wire)]) : '');
  const paths = documentedPaths(route).map((path) => `<code>${escape(path)}</code>`);
  const chunks = stream && reply && nameOf(stream) === nameOf(reply) ? undefined : stream;
  return `<section id="${anchor(route)}"><h2>${escape(summary)}</h2><p><span class="verb">${method}</span> ${paths.join(' ')}</p><p>${code(description)}</p><pre tabindex="0"><code>${escape(curl(route, base))}</code></pre>${fieldsOf('Request fields', body)}${fieldsOf('Form fields, beside the file', form?.fields)}${replyOf(document, route)}${fieldsOf('Reply fields', reply)}${fieldsOf('Stream chunk fields', chunks)}</section>`;
}

/** The readable API page: one document without scripts and without anything from another host. */
export function docsPage(document: OpenApiDocument, routes: readonly PublicRoute[], base: string): string {
  const visible = routes.filter(({ hidden = false }) => !hidden);
  const tags = [...new Set(visible.map(({ tag }) => tag))];
  const nav = tags
    .map(
      (tag) =>
        `<h2>${tag}</h2><ul>${visible
          .filter((route) => route.tag === tag)
          .map((route) => `<li><a href="#${anchor(route)}">${escape(route.summary)}</a></li>`)
          .join('')}</ul>`,
    )
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>AI Studio API</title><style>${styles}</style></head><body><div class="page"><nav aria-label="Endpoints"><strong>AI Studio API</strong>${nav}</nav><main><h1>AI Studio API</h1><p class="soft">Base address <code>${escape(base)}/v1</code> or <code>${escape(base)}/api/v1</code>. Machine-readable: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p><p>Every request carries <code>Authorization: Bearer KEY</code>. Any client of the OpenAI format works: give it the base address and the key; clients of Anthropic’s format get <code>${escape(base)}</code>. Where a client loses the tool calls of a stream, send <code>X-Tool-Stream: openai</code>, or make a key for OpenAI clients in the console.</p>${visible.map((route) => section(route, document, base)).join('')}<section><h2>Errors</h2><p>Failures have the body <code>{"error":{"message","type","param","code"}}</code>. <code>message</code> says what was wrong and what would be right, <code>param</code> names the field. Past the rate limit the answer is 429 with <code>Retry-After</code> in seconds.</p></section></main></div></body></html>`;
}

/** Headers of the page: it may load nothing and be framed by nobody. */
export const docsHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
} as const;
