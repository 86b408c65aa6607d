// Programs that make the same call as the playground. They are run as they are by the tests of the console.

type Body = Readonly<Record<string, unknown>>;

/** Name of the variable that holds the API key: no key ever stands in a program. */
export const KEY_VARIABLE = 'AI_STUDIO_API_KEY';

/** Fields that the `openai` package of Python takes as arguments; others go through `extra_body`. */
const pythonArguments: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'temperature',
  'top_p',
  'max_tokens',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'response_format',
  'tools',
]);

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`);

/** Text within single quotes of a POSIX shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curlCode(baseUrl: string, body: Body): string {
  const json = JSON.stringify({ ...body, stream: true }, null, 2);
  return `curl --no-buffer ${shellQuoted(`${baseUrl}/chat/completions`)} \\
  --header "Authorization: Bearer $${KEY_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --data ${shellQuoted(json)}
`;
}

/** A value in the notation of Python. JSON's strings are Python's as well. */
export function pythonValue(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => `    ${indented(pythonValue(item), '    ')},\n`).join('')}]`;
  }
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return '{}';
    return `{\n${entries.map(([key, item]) => `    ${JSON.stringify(key)}: ${indented(pythonValue(item), '    ')},\n`).join('')}}`;
  }
  return JSON.stringify(value);
}

export function pythonCode(baseUrl: string, body: Body): string {
  const own = Object.entries(body).filter(([key]) => pythonArguments.has(key));
  const extra = Object.fromEntries(Object.entries(body).filter(([key]) => !pythonArguments.has(key)));
  const lines = own.map(([key, value]) => `    ${key}=${indented(pythonValue(value), '    ')},\n`);
  if (Object.keys(extra).length > 0) lines.push(`    extra_body=${indented(pythonValue(extra), '    ')},\n`);
  return `# pip install openai
import os

from openai import OpenAI

client = OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=os.environ["${KEY_VARIABLE}"])
stream = client.chat.completions.create(
${lines.join('')}    stream=True,
)
for chunk in stream:
    if chunk.choices and chunk.choices[0].delta.content:
        print(chunk.choices[0].delta.content, end="", flush=True)
print()
`;
}

export function javascriptCode(baseUrl: string, body: Body): string {
  const json = JSON.stringify({ ...body, stream: true }, null, 2);
  return `// npm install openai
import OpenAI from 'openai';

const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: process.env.${KEY_VARIABLE} });
const stream = await client.chat.completions.create(${json});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? '');
}
process.stdout.write('\\n');
`;
}
