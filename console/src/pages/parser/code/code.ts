import { KEY_VARIABLE, shellQuoted } from '../../../parts/code/notation.ts';

// Programs that have the parser read the document that is shown. They are run as they are by the tests of the console.

/** A name within double quotes of curl's `--form`. Source: curl's manual, `--form`. */
const formQuoted = (name: string) => `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

export function curlCode(baseUrl: string, file: string): string {
  return `curl ${shellQuoted(`${baseUrl}/document/parse`)} \\
  --header "Authorization: Bearer $${KEY_VARIABLE}" \\
  --form ${shellQuoted(`file=@${formQuoted(file)}`)} \\
  --form 'response_format=markdown'
`;
}

export function pythonCode(baseUrl: string, file: string): string {
  return `# pip install requests
import os

import requests

with open(${JSON.stringify(file)}, "rb") as file:
    reply = requests.post(
        ${JSON.stringify(`${baseUrl}/document/parse`)},
        headers={"Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}"},
        files={"file": file},
        data={"response_format": "markdown"},
        timeout=300,
    )
reply.raise_for_status()
print(reply.json()["result"]["contents"])
`;
}

export function javascriptCode(baseUrl: string, file: string): string {
  return `import { openAsBlob } from 'node:fs';

const name = ${JSON.stringify(file)};
const form = new FormData();
form.set('file', await openAsBlob(name), name);
form.set('response_format', 'markdown');

const reply = await fetch(${JSON.stringify(`${baseUrl}/document/parse`)}, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\` },
  body: form,
});
if (!reply.ok) throw new Error(await reply.text());
const { result } = await reply.json();
console.log(result.contents);
`;
}
