import { KEY_VARIABLE, shellQuoted } from '../../../parts/code/notation.ts';

// Programs that call an agent over A2A. They are run as they are by the tests of the console.

/** What programs need of an agent. */
export interface CalledAgent {
  readonly url: string;
  readonly cardUrl: string;
  readonly question: string;
}

const message = (question: string, id: string) => ({
  kind: 'message',
  role: 'user',
  messageId: id,
  parts: [{ kind: 'text', text: question }],
});

export function curlCode(_base: string, { url, question }: CalledAgent): string {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'message/stream',
    params: { message: message(question, 'MESSAGE_ID') },
  };
  // Each message has an id of its own: the same id again gives the same answer again.
  const json = shellQuoted(JSON.stringify(body, null, 2)).replace('"MESSAGE_ID"', () => `"'"$(date +%s)-$$"'"`);
  return `curl --no-buffer ${shellQuoted(url)} \\
  --header "Authorization: Bearer $${KEY_VARIABLE}" \\
  --header 'Content-Type: application/json' \\
  --data ${json}
`;
}

export function pythonCode(_base: string, { url, question }: CalledAgent): string {
  return `import json
import os
import urllib.request
import uuid

body = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "message/stream",
    "params": {
        "message": {
            "kind": "message",
            "role": "user",
            "messageId": str(uuid.uuid4()),
            "parts": [{"kind": "text", "text": ${JSON.stringify(question)}}],
        },
        # The next message of the same session: "metadata": {"chat_session_id": 1234},
    },
}
request = urllib.request.Request(
    ${JSON.stringify(url)},
    data=json.dumps(body).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['${KEY_VARIABLE}']}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request, timeout=600) as reply:
    for line in reply:
        if not line.startswith(b"data:"):
            continue
        result = json.loads(line[5:])["result"]
        for part in result["status"].get("message", {}).get("parts", []):
            print(part.get("text", ""), end="", flush=True)
print()
`;
}

export function javascriptCode(_base: string, { cardUrl, question }: CalledAgent): string {
  return `// npm install @a2a-js/sdk
import { randomUUID } from 'node:crypto';
import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory } from '@a2a-js/sdk/client';

const fetchImpl = (url, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set('Authorization', \`Bearer \${process.env.${KEY_VARIABLE}}\`);
  return fetch(url, { ...init, headers });
};
const factory = new ClientFactory({
  transports: [new JsonRpcTransportFactory({ fetchImpl })],
  cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
});
const client = await factory.createFromUrl(${JSON.stringify(cardUrl)}, '');
const request = SendMessageRequest.fromJSON({
  message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: ${JSON.stringify(question)} }] },
});
for await (const { payload } of client.sendMessageStream(request)) {
  // A question, or why it failed, stands in the status of the task.
  const parts = payload?.$case === 'artifactUpdate' ? payload.value.artifact?.parts : payload?.value.status?.message?.parts;
  for (const { content } of parts ?? []) {
    if (content?.$case === 'text') process.stdout.write(content.value);
  }
}
process.stdout.write('\\n');
`;
}
