import { KEY_VARIABLE, indented, pythonValue, shellQuoted } from '../../../parts/code/notation.ts';

// Programs that make the same call as the playground. They are run as they are by the tests of the console.

type Body = Readonly<Record<string, unknown>>;

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

export function curlCode(baseUrl: string, body: Body): string {
  const json = JSON.stringify({ ...body, stream: true }, null, 2);
  return `curl --no-buffer ${shellQuoted(`${baseUrl}/chat/completions`)} \\
  --header "Authorization: Bearer $${KEY_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --data ${shellQuoted(json)}
`;
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
