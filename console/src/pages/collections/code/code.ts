import type { SearchRequest } from '@ai-studio/contract/retrieval/search.ts';
import { KEY_VARIABLE, pythonValue, shellQuoted } from '../../../parts/code/notation.ts';

// Programs that make the search that was tried. They are run as they are by the tests of the console.

const addressOf = (baseUrl: string) => `${baseUrl}/rag42/search`;

export function curlCode(baseUrl: string, body: SearchRequest): string {
  return `curl ${shellQuoted(addressOf(baseUrl))} \\
  --header "Authorization: Bearer $${KEY_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --data ${shellQuoted(JSON.stringify(body, null, 2))}
`;
}

export function pythonCode(baseUrl: string, body: SearchRequest): string {
  return `import json
import os
import urllib.request

body = ${pythonValue(body)}
request = urllib.request.Request(
    ${JSON.stringify(addressOf(baseUrl))},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=60) as reply:
    result = json.load(reply)["result"]
for hit in result["hits"]:
    print(round(hit["score"], 3), hit["document_name"], hit["content"][:80])
`;
}

export function javascriptCode(baseUrl: string, body: SearchRequest): string {
  return `const reply = await fetch(${JSON.stringify(addressOf(baseUrl))}, {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll('\n', '\n  ')}),
});
if (!reply.ok) throw new Error(await reply.text());
const { result } = await reply.json();
for (const hit of result.hits) {
  console.log(hit.score.toFixed(3), hit.document_name, hit.content.slice(0, 80));
}
`;
}
